"""Workers whose clocks are 30 seconds apart, on any day and on those on which an hour is left out or comes twice:
what ends at a time ends within a minute of it, and a job of every minute runs once (RELIABILITY.md, clock of 2.4)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth import SESSION_KEY

from shop.accounts.auth.tokens import TOKEN_DAYS, issue_token, token_of
from shop.accounts.models import Code
from shop.accounts.otp.services import LIFETIME, CodeMessage, WrongCode, check_code, send_code
from shop.accounts.sessions.store import SessionStore
from shop.cart.services import add_to_cart, open_cart
from shop.messaging.models import Message
from shop.ops.scheduler import run_due_jobs
from shop.orders.models import Order
from shop.orders.placing.services import place_order
from shop.orders.placing.values import PlaceOrder
from shop.orders.states import Status
from shop.payments.reconciliation.jobs import expire_holds
from shop.tests.support.codes import code_in

pytestmark = [pytest.mark.database, pytest.mark.django_db]
DAYS = {
    "any day": ("Asia/Kolkata", datetime(2026, 6, 10, 12, tzinfo=UTC)),
    "an hour is left out": ("Europe/London", datetime(2026, 3, 29, 0, 55, tzinfo=UTC)),
    "an hour comes twice": ("Europe/London", datetime(2026, 10, 25, 0, 55, tzinfo=UTC)),
}
APART = [timedelta(seconds=-30), timedelta(), timedelta(seconds=30)]  # who judges from who began
NEAR = timedelta(minutes=1)

IsThere = Callable[[], bool]


def begin_code(person) -> tuple[timedelta, IsThere]:
    send_code(purpose=Code.Purpose.SIGN_IN, address=person.email, message=CodeMessage("sign_in_code", "Your code"))
    digits = code_in(Message.objects.get().text)

    def is_there() -> bool:
        try:
            return bool(check_code(purpose=Code.Purpose.SIGN_IN, address=person.email, digits=digits))
        except WrongCode:
            return False

    return LIFETIME, is_there


def begin_hold(person) -> tuple[timedelta, IsThere]:
    order = person.place_order()

    def is_there() -> bool:
        expire_holds()
        return Order.objects.get(pk=order.pk).status == Status.PENDING

    return timedelta(minutes=settings.HOLD_MINUTES), is_there


def begin_token(person) -> tuple[timedelta, IsThere]:
    key, _ = issue_token(person, name="till")
    return timedelta(days=TOKEN_DAYS), lambda: token_of(key) is not None


def begin_sign_in(person) -> tuple[timedelta, IsThere]:
    store = SessionStore()
    store[SESSION_KEY] = str(person.pk)
    store.create()
    return timedelta(seconds=settings.SESSION_COOKIE_AGE), lambda: SESSION_KEY in SessionStore(store.session_key)


BEGINNINGS = [begin_code, begin_hold, begin_token, begin_sign_in]


@pytest.fixture(params=DAYS)
def moment(request, settings):
    settings.TIME_ZONE, moment = DAYS[request.param]
    return moment


@pytest.fixture
def person(customer, address, india, make_variant):
    variant = make_variant()

    def order() -> Order:
        cart = open_cart(customer)
        add_to_cart(cart, variant_id=variant.pk, quantity=1, market=india)
        return place_order(PlaceOrder(customer=customer, cart=cart, address=address, market=india))

    customer.place_order = order
    return customer


def is_there_after(begin, person, moment: datetime, *, apart: timedelta, beyond: timedelta) -> bool:
    """Whether what begins at the moment is there so long after its time, by a clock that is so far apart."""
    with time_machine.travel(moment, tick=False):
        lasts, is_there = begin(person)
    with time_machine.travel(moment + lasts + beyond + apart, tick=False):
        return is_there()


@pytest.mark.parametrize("apart", APART, ids=str)
@pytest.mark.parametrize("begin", BEGINNINGS)
def test_nothing_ends_early_or_late(begin, person, moment, apart):
    assert is_there_after(begin, person, moment, apart=apart, beyond=-NEAR)


@pytest.mark.parametrize("apart", APART, ids=str)
@pytest.mark.parametrize("begin", BEGINNINGS)
def test_nothing_outlasts_its_time(begin, person, moment, apart):
    assert not is_there_after(begin, person, moment, apart=apart, beyond=NEAR)


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_clocks_ten_minutes_apart_would_be_found(begin, person, moment):
    """What keeps the clocks of many machines together is their operator's (README.md)."""
    apart = timedelta(minutes=10)
    assert not is_there_after(begin, person, moment, apart=apart, beyond=-NEAR)


def test_a_job_runs_once_a_minute_whatever_the_clocks(db, moment, settings, monkeypatch):
    runs = []
    settings.SCHEDULED_JOBS = {"every minute": timedelta(minutes=1)}
    monkeypatch.setattr("shop.ops.scheduler._run", lambda name: runs.append(name) or "")
    for seconds in range(0, 600, 5):
        for apart in APART:
            with time_machine.travel(moment + timedelta(seconds=seconds) + apart, tick=False):
                run_due_jobs()
    assert 10 <= len(runs) <= 11
