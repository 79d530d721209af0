"""Members of staff for tests of their screens."""

from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CONTENT_EDITOR

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


def confirm(client: Client, asked: HttpResponse, **typed: str) -> HttpResponse:
    """Presses the button of a page that asks before a step is taken, with what is typed into its fields."""
    context = asked.context
    sent = [(name, value) for name, value in context["kept"]]
    sent += [(token, effect.seen) for _, effect, token in context["rows"] if effect]
    form = context["form"]
    fields = {field.html_name: field.value() for field in form or () if field.value() is not None} | typed
    data: dict[str, list[str]] = {}
    for name, value in [*sent, *fields.items()]:
        data.setdefault(name, []).append(str(value))
    return client.post(context["address"], data)
