"""Members of staff for tests of their screens."""

from django.contrib.auth.models import Group
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.roles import CONTENT_EDITOR

EDITOR = {"email": "editor@example.com", "password": "honey and amla"}


def new_editor() -> Customer:
    member = Customer.objects.create_user(**EDITOR, name="Editor", is_staff=True)
    member.groups.add(Group.objects.get(name=CONTENT_EDITOR))
    return member


def editor_client() -> Client:
    """The browser of a content editor who has signed in."""
    office = Client(headers={"sec-fetch-site": "same-origin"})
    office.force_login(new_editor())
    return office
