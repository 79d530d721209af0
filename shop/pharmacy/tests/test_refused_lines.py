"""From a refused line of a prescription to the money at the provider: once, however often each step comes."""

import time
from functools import partial

import pytest
from django.db import connection
from django.test import Client

from shop.messaging.models import Message
from shop.orders.models import OrderLine, ReturnRequest
from shop.orders.returns import cancellation
from shop.orders.tests.racing import of_kind, together, without_write_lock
from shop.payments.models import ProviderEvent, Refund
from shop.payments.providers.webhooks import handle_event
from shop.payments.refunds import services as refunds
from shop.payments.refunds.services import issue_due_refunds
from shop.payments.refunds.tests.test_refunds import broken, paid
from shop.payments.services import start_payment
from shop.payments.simulator.control import ledger
from shop.payments.simulator.events import Delivery, undelivered
from shop.payments.simulator.in_process import shop_provider
from shop.pharmacy.models import OrderPrescription
from shop.pharmacy.review import services as review
from shop.pharmacy.services import add_pages

from .conftest import photo, refused

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
ROUNDS = [pytest.param(2, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)]
DOUBLE = pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")


@pytest.fixture
def bought(transactional_db, tablets, soap, new_buyer, order_of):
    """bought({variant: quantity}): an order that was paid at the provider, and its prescription, which waits."""

    def make(lines):
        customer = new_buyer(lines)
        add_pages(customer, [photo()])
        order = order_of(customer)
        paid(order, start_payment(order))
        return order, OrderPrescription.objects.get(order=order)

    return make


def post(delivery: Delivery) -> int:
    answer = Client().post(
        "/payments/webhook/", delivery.body, content_type="application/json", headers=delivery.headers
    )
    return answer.status_code


def work() -> None:
    for event in ProviderEvent.objects.filter(handled_at=None).order_by("?"):
        handle_event(event)


def refuse_at_once(checked):
    return together([partial(refused, checked, checked.lines.get())] * 6)


def owed_for(order):
    """Units of each request for their money."""
    return list(ReturnRequest.objects.filter(line__order=order).values_list("quantity", flat=True))


def refuse_and_refund(checked):
    """Each step several times at once: the refusal, the refund, its events, and the work on them."""
    results = refuse_at_once(checked)
    results += together([issue_due_refunds] * 4)
    events = [one for one in undelivered() if one.event.startswith("refund.")]
    results += together([partial(post, one) for one in events * 4])
    results += together([work] * 4)
    issue_due_refunds()
    return results, events


def assert_refunded_once(order, paise):
    given = Refund.objects.filter(payment__order=order)
    assert list(given.values_list("amount_paise", "status")) == [(paise, "processed")]
    [row] = [row for row in ledger(shop_provider())["orders"] if row["id"] == given.get().payment.razorpay_order_id]
    assert [money["amount_refunded"] for money in row["payments"]] == [paise]
    assert [note.total_inr * 100 for note in order.invoices.filter(kind="credit")] == [paise]
    assert Message.objects.filter(kind="refunded", key__contains=given.get().idempotency_key).count() == 1
    assert broken() == {}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_refused_line_is_refunded_once_however_often_each_step_comes(bought, tablets, soap, rounds):
    for _ in range(rounds):
        order, checked = bought({tablets: 2, soap: 1})
        results, events = refuse_and_refund(checked)
        assert events and not of_kind(results, Exception) and owed_for(order) == [2]
        assert_refunded_once(order, 100_00)


def test_an_order_that_is_refused_as_a_whole_is_refunded_as_a_whole(bought, tablets):
    order, checked = bought({tablets: 2})
    refused(checked)
    for _ in range(2):
        issue_due_refunds()
    order.refresh_from_db()
    assert order.status == "cancelled" and order.shipping_inr
    assert_refunded_once(order, int(order.total_inr * 100))


@DOUBLE
def test_without_the_lock_and_what_was_decided_before_a_refused_line_is_owed_twice(bought, tablets, soap, monkeypatch):
    """Negative control of the refusal: without the lock of the order and a look at what is decided and cancelled."""
    order, checked = bought({tablets: 2, soap: 1})
    bought({tablets: 4})  # some are sold besides, so that their stock can come back twice
    without_write_lock(monkeypatch)
    monkeypatch.setattr(review, "_is_decided", _seen_as_waiting)
    monkeypatch.setattr(review, "cancel_units", _cancel_again)
    monkeypatch.setattr(cancellation, "_is_free", lambda line, units: OrderLine.objects.filter(pk=line.pk))
    refuse_at_once(checked)
    assert len(owed_for(order)) > 1


def _seen_as_waiting(line, one):
    time.sleep(0.1)
    return False


def _cancel_again(order, totals, *, actor, by_shop):
    """All units, whatever was cancelled before."""
    OrderLine.objects.filter(pk__in=totals).update(cancelled=0)
    lines = {line.pk: line for line in order.lines.select_related("variant")}
    return cancellation._cancel(order, lines, totals, actor=actor, by_shop=by_shop)


@DOUBLE
def test_without_the_lock_and_a_key_of_its_own_a_refused_line_is_refunded_twice(bought, tablets, soap, monkeypatch):
    """Negative control of the refund: without the lock of the order and a key that names what the refund is for."""
    order, checked = bought({tablets: 2, soap: 1})
    keys = iter(range(1000))
    without_write_lock(monkeypatch)
    monkeypatch.setattr(refunds, "key_of", lambda request: f"return_{request.pk:08}_again{next(keys)}")
    refuse_and_refund(checked)
    assert Refund.objects.filter(payment__order=order).count() > 1
    with pytest.raises(AssertionError):
        assert_refunded_once(order, 100_00)
