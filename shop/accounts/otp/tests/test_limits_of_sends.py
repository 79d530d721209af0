"""Many calls for codes: to one address, and to many from one client. A thousand of them in `make prove`; in
`make test` as few as still pass each limit."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from shop.limits.models import Counter
from shop.messaging.models import Message

from ...models import Code
from ..services import allow_send

pytestmark = pytest.mark.django_db
A_THOUSAND = pytest.param(1000, marks=pytest.mark.full)
A_DAY = 24 * 60 * 60


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


@pytest.mark.parametrize("calls", [80, A_THOUSAND])
def test_calls_for_one_address_in_a_day(customer, forgot, clock, calls):
    sent: list[datetime] = []
    for number in range(calls):
        if forgot(customer.email) == 200:
            sent.append(clock.now)
        # The first come close together, so that the limits of a minute and of an hour are met too.
        clock(20 if number < 40 else (A_DAY - 40 * 20) // (calls - 39))
    assert len(sent) == Message.objects.count() == 10
    assert min(later - earlier for earlier, later in pairwise(sent)) == timedelta(seconds=60)
    assert max(_in_an_hour_from(start, sent) for start in sent) == 5
    assert Code.objects.count() == 1


@pytest.mark.parametrize("clients", [30, A_THOUSAND])
def test_many_clients_ask_for_one_address_at_once(customer, forgot, clients):
    remotes = [f"203.0.{number // 250}.{number % 250}" for number in range(clients)]
    answers = [forgot(customer.email, remote) for remote in remotes]
    assert (answers.count(200), answers.count(429)) == (1, clients - 1)
    assert Message.objects.count() == 1


@pytest.mark.parametrize(
    ("remote", "most", "calls"),
    [
        pytest.param("203.0.113.9", 200, 1000, id="IPv4", marks=pytest.mark.full),
        pytest.param("2001:db8:1:2::{number:x}", 20, 1000, id="IPv6 subscriber", marks=pytest.mark.full),
        pytest.param("2001:db8:1:2::{number:x}", 20, 40, id="IPv6 subscriber, short"),
    ],
)
def test_many_addresses_from_one_client(forgot, remote, most, calls):
    """Each with a forwarded address of its own, which is believed of nobody."""
    answers = [
        forgot(
            f"person{number}@example.com",
            remote.format(number=number),
            **{"x-forwarded-for": f"1.2.{number // 250}.{number % 250}"},
        )
        for number in range(calls)
    ]
    assert (answers.count(200), answers.count(429)) == (most, calls - most)
    assert Message.objects.count() == most


def test_the_last_of_two_hundred_sends_of_an_ipv4_client(forgot):
    """The first 199 are counted without their calls."""
    for number in range(199):
        allow_send(f"person{number}@example.com", client_address="203.0.113.9")
    answers = [forgot(f"other{number}@example.com", **{"x-forwarded-for": f"1.2.3.{number}"}) for number in range(3)]
    assert answers == [200, 429, 429]


def test_refused_calls_leave_one_counter_a_limit(customer, forgot):
    for _ in range(20):
        forgot(customer.email)
    assert Counter.objects.count() == 4


def _in_an_hour_from(start: datetime, moments: list[datetime]) -> int:
    return sum(start <= moment < start + timedelta(hours=1) for moment in moments)
