import pytest
from django.contrib.auth.models import Group
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER


@pytest.fixture
def desk(db):
    member = Customer.objects.create_user("meera@example.com", "pw", name="Meera", is_staff=True)
    member.groups.add(Group.objects.get(name=CATALOGUE_MANAGER))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client
