"""A thousand calls for codes: to one address, and to a thousand from one client."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from shop.accounts.models import Code
from shop.limits.models import Counter
from shop.messaging.models import Message

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    """clock(seconds) turns the clock on."""

    class Clock:
        now = timezone.now()

        def __call__(self, seconds):
            self.now += timedelta(seconds=seconds)

    moving = Clock()
    monkeypatch.setattr(timezone, "now", lambda: moving.now)
    return moving


@pytest.fixture
def forgot(client):
    """forgot("asha@example.com", "203.0.113.9"): the call's status."""

    def call(address, remote="203.0.113.9", **headers):
        return client.post(
            "/forgot-password/",
            {"email_id": address},
            content_type="application/json",
            REMOTE_ADDR=remote,
            headers={"sec-fetch-site": "same-origin"} | headers,
        ).status_code

    return call


def test_a_thousand_calls_for_one_address_in_a_day(customer, forgot, clock):
    sent: list[datetime] = []
    for _ in range(1000):
        if forgot(customer.email) == 200:
            sent.append(clock.now)
        clock(86)  # all of them within a day
    assert len(sent) == Message.objects.count() == 10
    assert min(later - earlier for earlier, later in pairwise(sent)) >= timedelta(seconds=60)
    assert max(_in_an_hour_from(start, sent) for start in sent) <= 5
    assert Code.objects.count() == 1


def test_a_thousand_clients_ask_for_one_address_at_once(customer, forgot):
    remotes = [f"203.0.{number // 250}.{number % 250}" for number in range(1000)]
    answers = [forgot(customer.email, remote) for remote in remotes]
    assert (answers.count(200), answers.count(429)) == (1, 999)
    assert Message.objects.count() == 1


@pytest.mark.parametrize(
    ("remote", "most"), [("203.0.113.9", 200), ("2001:db8:1:2::{number:x}", 20)], ids=["IPv4", "IPv6 subscriber"]
)
def test_a_thousand_addresses_from_one_client(forgot, remote, most):
    """Each with a forwarded address of its own, which is believed of nobody."""
    answers = [
        forgot(
            f"person{number}@example.com",
            remote.format(number=number),
            **{"x-forwarded-for": f"1.2.{number // 250}.{number % 250}"},
        )
        for number in range(1000)
    ]
    assert (answers.count(200), answers.count(429)) == (most, 1000 - most)
    assert Message.objects.count() == most


def test_refused_calls_leave_one_counter_a_limit(customer, forgot):
    for _ in range(20):
        forgot(customer.email)
    assert Counter.objects.count() == 4


def _in_an_hour_from(start: datetime, moments: list[datetime]) -> int:
    return sum(start <= moment < start + timedelta(hours=1) for moment in moments)
