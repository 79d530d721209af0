"""What is sent many times at one moment: results, webhooks, second thoughts and refunds (double submit and webhook
chaos of RELIABILITY.md 2.4)."""

from functools import partial
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from shop.catalog.models import Variant
from shop.orders.models import Order, OrderEvent
from shop.orders.placing import services as orders
from shop.orders.placing.values import PlaceOrder
from shop.orders.states import WrongState
from shop.orders.tests.racing import of_kind, together, without_write_lock

from .. import services as payments
from ..models import ProviderEvent, Refund
from ..providers.webhooks import handle_event
from ..reconciliation.jobs import expire_holds
from ..refunds.services import issue_due_refunds
from ..simulator.control import ledger
from ..simulator.events import undelivered
from ..simulator.in_process import shop_provider
from ..simulator.payer import pay
from .test_races import (
    ROUNDS,
    assert_all_invariants_hold,
    assert_paid_once,
    buy,
    fill,
    move_by_looking_first,
)  # fmt: skip

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
AT_ONCE, WEBHOOKS = 50, 200


def check_out(person, market):
    return payments.check_out(
        PlaceOrder(customer=person, cart=person.cart, address=person.addresses.get(), market=market)
    )


def test_fifty_results_at_once_pay_once(crowd, market, make_variant):
    [person] = crowd(1)
    fill(person, (make_variant(units=2), 2))
    order, payment = check_out(person, market)
    result = pay(payment.razorpay_order_id)
    verify = partial(
        payments.verify_payment,
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
        customer=person,
    )
    assert_paid_once(order, together([verify] * AT_ONCE))


def test_two_hundred_webhooks_at_once_pay_each_order_once(crowd, market, make_variant):
    """Each event comes several times, in any order, and is worked on by several at once."""
    variant, people = make_variant(units=20), crowd(20)
    for person in people:
        fill(person, (variant, 1))
        pay(check_out(person, market)[1].razorpay_order_id)
    told = list(undelivered())
    sent = [*told, *Random(7).choices(told, k=WEBHOOKS - len(told))]
    Random(8).shuffle(sent)

    def post(delivery):
        answer = Client().post(
            "/payments/webhook/", delivery.body, content_type="application/json", headers=delivery.headers
        )
        return answer.status_code

    def work():
        for event in ProviderEvent.objects.filter(handled_at=None).order_by("?"):
            handle_event(event)

    assert together([partial(post, delivery) for delivery in sent]) == [200] * WEBHOOKS
    assert ProviderEvent.objects.count() == len(told)
    assert together([work] * 4) == [None] * 4
    assert set(Order.objects.values_list("status", flat=True)) == {"placed"}
    assert OrderEvent.objects.filter(status_to="placed").count() == len(people)
    assert Variant.objects.values_list("on_hand", "held", "sold").get(pk=variant.pk) == (0, 0, 20)
    assert_all_invariants_hold()


def cancel_at_once(order):
    cancel = partial(payments.cancel, order, actor="customer")
    results = together([cancel] * 4)
    together([issue_due_refunds] * 4)
    return results


def assert_cancelled_once(order, results):
    assert len(of_kind(results, WrongState)) == len(results) - 1
    assert OrderEvent.objects.filter(order=order, status_to="cancelled").count() == 1
    assert Variant.objects.values_list("held", "sold").get(pk=order.lines.get().variant_id) == (0, 0)
    refund = Refund.objects.get(payment__order=order)
    [row] = [row for row in ledger(shop_provider())["orders"] if row["id"] == refund.payment.razorpay_order_id]
    assert [money["amount_refunded"] for money in row["payments"]] == [refund.amount_paise]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_paid_order_cancelled_often_is_paid_back_once(crowd, market, make_variant, rounds):
    for person in crowd(rounds):
        fill(person, (make_variant(units=2), 2))
        order = buy(person, market)
        assert_cancelled_once(order, cancel_at_once(order))
    assert_all_invariants_hold()


def test_without_lock_and_conditional_update_stock_comes_back_twice(crowd, market, make_variant, monkeypatch):
    [person] = crowd(1)
    fill(person, (make_variant(units=2), 2))
    order = buy(person, market)
    without_write_lock(monkeypatch)
    monkeypatch.setattr(orders, "move_order", move_by_looking_first)
    with pytest.raises(AssertionError):
        assert_cancelled_once(order, cancel_at_once(order))


@pytest.mark.parametrize("rounds", ROUNDS)
def test_cancelling_against_running_out_of_time_ends_an_order_once(crowd, market, make_variant, rounds):
    for person in crowd(rounds):
        variant = make_variant(units=2)
        fill(person, (variant, 2))
        order, _ = check_out(person, market)
        Order.objects.filter(pk=order.pk).update(hold_expires_at=timezone.now())
        cancel = partial(payments.cancel, order, actor="customer")
        together([cancel, expire_holds, cancel, expire_holds])
        assert OrderEvent.objects.filter(order=order, status_to="cancelled").count() == 1
        assert Variant.objects.values_list("on_hand", "held", "sold").get(pk=variant.pk) == (2, 0, 0)
    assert_all_invariants_hold()
