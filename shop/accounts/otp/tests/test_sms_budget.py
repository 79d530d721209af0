"""Codes by SMS go to the countries that the shop delivers to, within a budget for each country and day."""

import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client

from shop.errors import TooMany
from shop.limits.models import Counter
from shop.markets.models import Location
from shop.messaging.models import Message

from ...auth.reauthentication import send_reauthentication_code
from ...conftest import PASSWORD, prove
from ...models import Customer, KnownBrowser
from .. import sms_budget
from ..services import allow_send
from ..sms_budget import NOT_THERE, SPENT, budgets_of_today, spend_sms

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ELSEWHERE = {"Cuba": "+5351234567", "Jersey": "+447797712345", "Bahamas": "+12423591234"}
PAGES = {
    "/signup/": {"name": "Ravi", "password": PASSWORD, "password_again": PASSWORD},
    "/signin/code/": {},
    "/forgot-password/": {},
}
CALLS = {"/user-register/": {"user_name": "Ravi", "password": PASSWORD}, "/forgot-password/": {}}


@pytest.fixture
def small_budget(settings):
    settings.SMS_BUDGETS = {"*": "2", "IN": "10"}


def number(n):
    return f"+9198765{n:05}"


def new_browser():
    return Client(headers={"sec-fetch-site": "same-origin"})


@pytest.mark.parametrize("phone", ELSEWHERE.values(), ids=ELSEWHERE)
@pytest.mark.parametrize("path", PAGES)
def test_elsewhere_is_refused_in_words_at_the_field(path, phone):
    answer = new_browser().post(path, PAGES[path] | {"by": "mobile", "mobile": phone})
    assert (answer.status_code, answer.context["form"].errors["mobile"]) == (422, [NOT_THERE])
    assert not Message.objects.exists() and not Counter.objects.exists()


@pytest.mark.parametrize("path", CALLS)
def test_the_calls_refuse_it_too(path):
    body = CALLS[path] | {"mobile": "+5351234567"}
    answer = new_browser().post(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["fields"]) == (422, {"mobile": [NOT_THERE]})


def test_a_new_mobile_of_the_account_is_asked_for_at_home_too(signed_in):
    answer = prove(signed_in).post("/en-in/profile/address/", {"by": "mobile", "mobile": "+5351234567"})
    assert (answer.status_code, answer.context["form"].errors["mobile"]) == (422, [NOT_THERE])


def test_a_password_is_still_good_where_no_sms_goes():
    Customer.objects.create_user(phone="+5351234567", password=PASSWORD)
    answer = new_browser().post("/signin/", {"by": "mobile", "mobile": "+5351234567", "password": PASSWORD})
    assert answer.status_code == 302


def test_a_country_that_is_switched_off_gets_none():
    assert new_browser().post("/signin/code/", {"by": "mobile", "mobile": "+12125550123"}).status_code == 302
    location = Location.objects.get(code="US")
    location.is_active = False
    location.save()
    assert new_browser().post("/signin/code/", {"by": "mobile", "mobile": "+12125550199"}).status_code == 422


def test_sending_stops_when_the_budget_is_spent_and_the_email_is_offered(small_budget):
    for n in range(8):
        allow_send(number(n), client_address="203.0.113.9")
    answer = new_browser().post("/signin/code/", {"by": "mobile", "mobile": number(11)})
    assert (answer.status_code, answer.context["form"].errors["mobile"]) == (429, [SPENT])
    assert new_browser().post("/signin/code/", {"email": "asha@example.com"}).status_code == 302
    allow_send("+12125550123", client_address="203.0.113.9")  # another country's


def test_strangers_leave_the_last_of_the_budget_to_those_who_are_known(small_budget):
    own = Customer.objects.create_user(phone=number(50), password=PASSWORD)
    KnownBrowser.objects.create(customer=own, secret_hash="0" * 64)
    for n in range(8):
        allow_send(number(n), client_address="203.0.113.9")
    for unknown in (number(9), own.phone):  # the same, whether there is an account or not
        with pytest.raises(TooMany, match="any more SMS"):
            allow_send(unknown, client_address="203.0.113.9")
    allow_send(own.phone, client_address="203.0.113.9", browser="0" * 64)
    signed_in, later = (Customer.objects.create_user(phone=number(n), password=PASSWORD) for n in (51, 52))
    assert send_reauthentication_code(signed_in, client_address="203.0.113.10") == signed_in.phone
    with pytest.raises(TooMany, match="any more SMS"):
        send_reauthentication_code(later, client_address="203.0.113.10")


def test_strangers_get_one_sms_of_a_budget_of_one(settings):
    settings.SMS_BUDGETS = {"*": "1"}
    spend_sms(number(1))
    with pytest.raises(TooMany):
        spend_sms(number(2), is_known=True)


def test_the_budget_is_of_a_day_in_the_shops_zone(small_budget):
    evening = datetime(2026, 11, 23, 18, 25, tzinfo=UTC)  # 23:55 in India
    with time_machine.travel(evening, tick=False) as clock:
        for n in range(8):
            spend_sms(number(n))
        with pytest.raises(TooMany):
            spend_sms(number(11))
        clock.shift(timedelta(minutes=10))
        spend_sms(number(12))


def test_the_owners_are_told_once_at_80_percent_and_once_at_the_end(small_budget, caplog):
    Customer.objects.create_superuser("owner@example.com", PASSWORD)
    for n in range(12):
        with suppress(TooMany):
            spend_sms(number(n), is_known=n > 7)
        if n == 6:
            assert not Message.objects.exists()
        if n == 7:
            assert "8 of 10" in Message.objects.get(to="owner@example.com").text
    told = Message.objects.filter(kind="sms_budget").order_by("pk")
    assert [mail.subject for mail in told] == [
        "SMS to IN: 80% of today's budget is used",
        "SMS to IN: 100% of today's budget is used",
    ]
    assert "SMS to IN: 8 of 10 sent today" in caplog.text


def test_where_no_owner_has_an_address_the_shops_own_is_told(small_budget, settings):
    for n in range(8):
        spend_sms(number(n))
    assert Message.objects.get().to == settings.SHOP_EMAIL


def test_the_dashboard_shows_what_nears_its_end(small_budget):
    owner = Customer.objects.create_superuser("owner@example.com", PASSWORD)
    office = new_browser()
    office.force_login(owner)
    for n in range(7):
        spend_sms(number(n))
    assert budgets_of_today() == [] and "SMS to IN" not in office.get("/admin/").text
    spend_sms(number(8))
    page = office.get("/admin/").text
    assert "SMS to IN today" in page and "8 of 10 codes" in page


def test_refused_asks_cost_no_budget(small_budget):
    for _ in range(5):
        new_browser().post("/signin/code/", {"by": "mobile", "mobile": number(1)})
    Counter.objects.filter(key__startswith="code_").delete()
    for n in range(2, 9):
        allow_send(number(n), client_address="203.0.113.9")


def spend_at_once(count):
    together, sent = threading.Barrier(count), []

    def work(n):
        together.wait()
        with suppress(TooMany):
            spend_sms(number(n), is_known=True)
            sent.append(n)
        connection.close()

    workers = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    return len(sent)


@pytest.mark.django_db(transaction=True)
def test_of_thirty_at_once_as_many_are_sent_as_the_budget_holds(small_budget):
    assert spend_at_once(30) == 10


@pytest.mark.django_db(transaction=True)
def test_without_the_atomic_counter_more_are_sent(small_budget, monkeypatch):
    looked = threading.Barrier(30)

    def look_then_count(purpose, subject, *, limit, period, message):
        counted = sms_budget.count_of(purpose, subject)
        looked.wait()
        if counted >= limit:
            raise TooMany(message, 1)

    monkeypatch.setattr(sms_budget, "consume", look_then_count)
    assert spend_at_once(30) > 10
