import pytest
from django.contrib.auth.models import Group
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER


@pytest.fixture
def desk(db):
    """The browser of a catalogue manager."""
    member = Customer.objects.create_user("manager@example.com", "honey and amla", is_staff=True)
    member.groups.add(Group.objects.get(name=CATALOGUE_MANAGER))
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    browser.force_login(member)
    return browser
