"""A sign-in of staff lasts twelve hours, and two without use; the server counts."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client

from ...auth.tokens import token_of
from ...conftest import PASSWORD
from ...models import ApiToken, Customer
from .. import sessions
from ..sessions import NOTED_EVERY

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NINE = datetime(2026, 11, 23, 3, 30, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def clock():
    with time_machine.travel(NINE, tick=False) as moving:
        yield moving


@pytest.fixture
def owner(db):
    return Customer.objects.create_superuser("owner@example.com", PASSWORD)


def sign_in(customer):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    assert browser.post("/signin/", {"email": customer.email, "password": PASSWORD}).status_code == 302
    return browser


def token_for(customer):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    body = {"email_id": customer.email, "password": PASSWORD, "token": True}
    return browser.post("/user-login/", body, content_type="application/json").json()["token"]


def is_in(browser):
    return browser.get("/admin/").status_code == 200


def test_two_hours_without_use_end_it(clock, owner):
    browser = sign_in(owner)
    clock.shift(2 * HOUR - MINUTE)
    assert is_in(browser)
    clock.shift(2 * HOUR + MINUTE)
    answer = browser.get("/admin/orders/order/")
    assert answer.status_code == 302 and "login" in answer["Location"]


def test_twelve_hours_end_it_however_busy(clock, owner):
    browser = sign_in(owner)
    for _ in range(11):
        clock.shift(HOUR)
        assert is_in(browser)
    clock.shift(HOUR + MINUTE)
    assert not is_in(browser)
    assert browser.get("/profile/").status_code == 302  # of the shop as well


def test_the_ended_cookie_opens_nothing_later(clock, owner):
    browser = sign_in(owner)
    kept = browser.cookies["session"].value
    clock.shift(2 * HOUR + MINUTE)
    assert not is_in(browser)
    clock.move_to(NINE)
    thief = Client(headers={"sec-fetch-site": "same-origin"})
    thief.cookies["session"] = kept
    assert not is_in(thief)


def test_calls_of_staff_are_refused_too(clock, owner):
    browser = sign_in(owner)
    clock.shift(2 * HOUR + MINUTE)
    answer = browser.post("/user-orders/", {}, content_type="application/json")
    assert answer.status_code == 401


def test_the_sign_in_page_says_why_and_leads_back(clock, owner):
    browser = sign_in(owner)
    clock.shift(2 * HOUR + MINUTE)
    page = browser.get("/admin/orders/order/", follow=True)
    assert "Staff are signed out after 2 hours of inactivity" in page.text
    answer = browser.post("/signin/", {"email": owner.email, "password": PASSWORD})
    assert answer["Location"] == "/admin/orders/order/"


def test_customers_stay_signed_in(clock, customer):
    browser = sign_in(customer)
    clock.shift(timedelta(days=3))
    assert browser.get("/en-in/profile/").status_code == 200


def test_a_customer_who_became_staff_has_no_longer_session_than_others(clock, customer):
    browser = sign_in(customer)
    clock.shift(3 * HOUR)
    Customer.objects.update(is_staff=True, is_superuser=True)
    assert not is_in(browser)


def test_a_session_that_does_not_say_when_it_began_is_over(owner):
    browser = sign_in(owner)
    session = browser.session
    del session["began_at"]
    session.save()
    assert not is_in(browser)


def test_a_token_of_staff_lasts_as_long(clock, owner, customer):
    idle, busy, customers = token_for(owner), token_for(owner), token_for(customer)
    assert ApiToken.objects.first().expires_at == NINE + 12 * HOUR
    for _ in range(11):
        clock.shift(HOUR)
        assert token_of(busy)
    assert token_of(idle) is None
    clock.shift(HOUR + MINUTE)
    assert token_of(busy) is None
    assert token_of(customers)


def test_reading_pages_writes_the_session_once_a_minute(clock, owner, monkeypatch):
    monkeypatch.setattr(sessions, "NOTED_EVERY", NOTED_EVERY)
    browser = sign_in(owner)
    browser.get("/profile/")
    before = Session.objects.get().session_data
    clock.shift(timedelta(seconds=30))
    browser.get("/profile/")
    assert Session.objects.get().session_data == before
    clock.shift(timedelta(seconds=40))
    browser.get("/profile/")
    assert Session.objects.get().session_data != before
