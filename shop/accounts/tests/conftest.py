import re
import time

import pytest

from shop.accounts import code_sign_in, services
from shop.limits.models import Counter
from shop.messaging.models import Message

PASSWORD = "correct horse battery"


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
def told_code():
    """told_code(address): the six digits of the newest message to the address."""

    def find(address):
        return re.search(r"\b\d{6}\b", Message.objects.filter(to=address).latest("id").text)[0]

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
def forget_limits():
    return lambda: Counter.objects.all().delete()


@pytest.fixture
def shortest():
    """shortest(work, subjects): the fewest seconds that work(subject) took, for each subject, taken in turn.

    Counted in the processor's time, and the shortest of several: what a busy machine does to a run only
    makes it longer. So where they still lie apart, more rounds are run; what really takes longer still does.
    """

    def measure(work, subjects, rounds=10, most=40, apart=0.05):
        times = {subject: [] for subject in subjects}
        for done in range(most):
            least = [min(taken) for taken in times.values() if taken]
            if done >= rounds and max(least) - min(least) < apart:
                break
            for subject in subjects:
                Counter.objects.all().delete()
                began = time.thread_time()
                work(subject)
                times[subject].append(time.thread_time() - began)
        return [min(taken) for taken in times.values()]

    return measure


@pytest.fixture
def privacy_notice(monkeypatch):
    """The version of the text that is shown."""
    for module in (services, code_sign_in):
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
