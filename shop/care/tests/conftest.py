import pytest
from django.contrib.auth.models import Group
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.staff.roles import ORDER_DESK
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)


@pytest.fixture
def desk(db):
    """A client signed in at the order desk."""
    return sign_in_staff(ORDER_DESK)


@pytest.fixture
def staff(db):
    """staff(role): a client signed in as a member of staff with that role."""
    return sign_in_staff


def sign_in_staff(role):
    number = Customer.objects.count()
    member = Customer.objects.create_user(f"staff{number}@example.com", "pw", name=f"Staff {number}", is_staff=True)
    member.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})
