import pytest
from django.contrib.auth.models import Group
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.roles import CATALOGUE_MANAGER


@pytest.fixture
def manager(db):
    """A catalogue manager."""
    member = Customer.objects.create_user("meera@example.com", "pw", name="Meera Nair", is_staff=True)
    member.groups.add(Group.objects.get(name=CATALOGUE_MANAGER))
    return member


@pytest.fixture
def desk(manager):
    """Their browser."""
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(manager)
    return client
