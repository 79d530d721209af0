"""Reminders of an unpaid order, and the one tap that restores it and goes on to pay."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from shop.cart.services import open_cart
from shop.catalog.models import Variant
from shop.messaging.models import Message
from shop.payments.reconciliation.jobs import JOBS

from ...models import Order
from ...notifications import queue_payment_failed
from ...queries import CHECKED_OUT_AGAIN, RAN_OUT
from ..reminders import remind_of_payment
from ..services import confirm_order, expire_order


@pytest.fixture
def tonic(make_variant):
    return make_variant(price="250", units=9)


@pytest.fixture
def pending(new_buyer, order_of, tonic):
    return order_of(new_buyer({tonic: 2}))


@pytest.fixture
def browser(pending):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(pending.customer)
    return client


def left(order, minutes, *, age=20):
    now = timezone.now()
    times = {"hold_expires_at": now + timedelta(minutes=minutes), "created_at": now - timedelta(minutes=age)}
    Order.objects.filter(pk=order.pk).update(**times)
    order.refresh_from_db()


def reminders():
    return list(Message.objects.filter(kind="payment_reminder"))


def lapse(order):
    left(order, -1)
    expire_order(order)


def test_one_reminder_comes_while_the_items_are_reserved(pending):
    left(pending, 11)
    remind_of_payment()
    assert reminders() == []
    left(pending, 9)
    for _ in range(3):
        remind_of_payment()
    (mail,) = reminders()
    assert f"/pay/{pending.number}/" in mail.text and "reserved until" in mail.text
    assert f"{remind_of_payment.__module__}.{remind_of_payment.__name__}" in settings.SCHEDULED_JOBS
    assert remind_of_payment in JOBS


@pytest.mark.parametrize("case", ["paid", "over", "just started", "told of a failure"])
def test_nobody_is_reminded_without_need(pending, case):
    left(pending, -1 if case == "over" else 9, age=2 if case == "just started" else 20)
    if case == "paid":
        confirm_order(pending, actor="provider")
    if case == "told of a failure":
        queue_payment_failed(pending)
    remind_of_payment()
    assert reminders() == []


def test_sms_have_the_short_form(pending):
    type(pending.customer).objects.update(email=None, phone="+919876500099")
    Order.objects.update(email="")
    left(pending, 9)
    remind_of_payment()
    lapse(pending)
    messages = Message.objects.filter(to="+919876500099")
    assert {message.kind for message in messages} == {"payment_reminder", "payment_lapsed"}
    assert all(len(message.text) < 320 for message in messages)


def test_one_tap_restores_what_was_not_paid_and_goes_on_to_pay(pending, browser, tonic):
    lapse(pending)
    path = f"/en-in/order-detail/{pending.number}/"
    assert f"{path}restore/" in browser.get(path).content.decode()
    for emptied in (False, True):  # the cart was kept, or was emptied meanwhile
        if emptied:
            open_cart(pending.customer).lines.all().delete()
        answer = browser.post(f"{path}restore/")
        assert answer.url.endswith("/checkout/")
        lines = open_cart(pending.customer).lines.values_list("variant_id", "quantity")
        assert list(lines) == [(tonic.pk, 2)]


def test_what_is_gone_is_said_in_the_cart(pending, browser, tonic):
    lapse(pending)
    open_cart(pending.customer).lines.all().delete()
    Variant.objects.filter(pk=tonic.pk).update(received=1, on_hand=1)
    answer = browser.post(f"/en-in/order-detail/{pending.number}/restore/", follow=True)
    assert answer.redirect_chain[-1][0].endswith("/cart/") and "1 of 2 added" in answer.content.decode()


def test_what_is_still_reserved_is_paid_as_it_is(pending, browser):
    answer = browser.post(f"/en-in/order-detail/{pending.number}/restore/")
    assert answer.url.endswith(f"/pay/{pending.number}/")


def test_what_a_newer_checkout_replaced_is_not_restored_beside_it(pending, browser):
    lapse(pending)
    assert pending.events.filter(note=RAN_OUT).update(note=CHECKED_OUT_AGAIN) == 1
    page = browser.get(f"/en-in/order-detail/{pending.number}/").content.decode()
    assert "Not paid" in page and "/restore/" not in page and "See your latest orders" in page
