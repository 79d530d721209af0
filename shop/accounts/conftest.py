import time

import pytest

from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import code_in

from .auth import services
from .auth.reauthentication import PROVEN
from .otp import sign_in

PASSWORD = "correct horse battery"


def prove(client, *, minutes_ago=0):
    """As if whoever is signed in there had shown who it is."""
    session = client.session
    session[PROVEN] = time.time() - 60 * minutes_ago
    session.save()
    return client


@pytest.fixture
def visitor(browser_client):
    """A browser in India."""
    browser_client.cookies["deliver_to"] = "IN"
    return browser_client


@pytest.fixture
def signed_in(visitor, customer):
    visitor.force_login(customer)
    return visitor


@pytest.fixture
def sent_code():
    """sent_code(address): the code in the newest message to the address."""

    def find(address):
        return code_in(Message.objects.filter(to=address).latest("id").text)

    return find


@pytest.fixture
def sign_up_fields():
    return {
        "name": "Ravi Iyer",
        "email": "ravi@example.com",
        "password": PASSWORD,
        "password_again": PASSWORD,
    }


@pytest.fixture
def reset_limits():
    return lambda: Counter.objects.all().delete()


@pytest.fixture
def privacy_notice(monkeypatch):
    """The version of the text that is shown."""
    for module in (services, sign_in):
        monkeypatch.setattr(module, "privacy_version", lambda: "7")
    return "7"


@pytest.fixture
def address_fields():
    return {
        "full_name": "Asha Rao",
        "phone_code": "+91",
        "phone_number": "98765 43210",
        "alt_phone_code": "+91",
        "alt_phone_number": "080 2222 3333",
        "address": "12 Temple Road",
        "city": "Bengaluru",
        "state": "karnataka",
        "pincode": "560 001",
        "address_type": "Home",
        "is_default": "on",
    }
