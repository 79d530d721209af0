"""Checkouts at one moment. Each race has a negative control, which must fail."""

import time
from functools import partial

import pytest
from django.db import connection
from django.db.models import Sum

from shop.cart.models import CartLine
from shop.catalog.models import Variant
from shop.catalog.stock import services as stock
from shop.errors import OutOfStock
from shop.messaging.models import Message
from shop.orders.models import Order, OrderEvent, OrderLine
from shop.orders.placing import services as orders
from shop.orders.placing.values import PlaceOrder
from shop.orders.tests.racing import of_kind, together, without_write_lock

from .. import services as payments
from ..models import Payment, SimulatedRecord, StrayCapture
from ..providers.razorpay import razorpay
from ..reconciliation import settlement
from ..reconciliation.invariants import INVARIANTS
from ..reconciliation.jobs import reconcile
from ..simulator.payer import pay

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
ROUNDS = [pytest.param(3, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)]


def fill(person, *lines):
    CartLine.objects.filter(cart__customer=person).delete()
    for variant, quantity in lines:
        CartLine.objects.create(cart=person.cart, variant=variant, quantity=quantity)


def order_now(person, market, **more):
    return orders.place_order(
        PlaceOrder(customer=person, cart=person.cart, address=person.addresses.get(), market=market, **more)
    )


def buy(person, market):
    order, payment = payments.check_out(
        PlaceOrder(customer=person, cart=person.cart, address=person.addresses.get(), market=market)
    )
    result = pay(payment.razorpay_order_id)
    payments.verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
        customer=person,
    )
    return order


def assert_all_invariants_hold():
    broken = {invariant.name: list(invariant.broken()) for invariant in INVARIANTS}
    assert not {name: rows for name, rows in broken.items() if rows}


# --- The last units ------------------------------------------------------------------------------


def sell_the_last_units(crowd, market, make_variant, *, buyers, rounds, act):
    people = crowd(buyers)
    for _ in range(rounds):
        variant = make_variant(price="250", units=10)
        CartLine.objects.all().delete()
        CartLine.objects.bulk_create(CartLine(cart=person.cart, variant=variant, quantity=1) for person in people)
        results = together([partial(act, person, market) for person in people])
        yield variant, results


def assert_exactly_ten(variant, results):
    assert len(of_kind(results, Order)) == 10
    assert len(of_kind(results, OutOfStock)) == len(results) - 10
    wanted = OrderLine.objects.filter(variant=variant).exclude(order__status="cancelled")
    assert wanted.aggregate(units=Sum("quantity"))["units"] == 10


@pytest.mark.parametrize("rounds", ROUNDS)
def test_200_buyers_of_10_units_make_10_paid_orders(crowd, market, make_variant, figure, rounds):
    for variant, results in sell_the_last_units(crowd, market, make_variant, buyers=200, rounds=rounds, act=buy):
        assert_exactly_ten(variant, results)
        assert Order.objects.filter(lines__variant=variant, status="placed").count() == 10
        assert Variant.objects.values_list("on_hand", "held", "sold").get(pk=variant.pk) == (0, 0, 10)
    Message.objects.update(created_at=Message.objects.first().created_at)
    assert_all_invariants_hold()
    figure(f"{rounds} rounds of 200 buyers: 10 sold in each", "exactly 10, 20 of 20 rounds")


def hold_by_looking_first(quantities, **how):
    for variant_id, quantity in quantities.items():
        seen = Variant.objects.get(pk=variant_id)
        time.sleep(0.02)
        if seen.on_hand < quantity:
            raise OutOfStock("Sold out.")
        Variant.objects.filter(pk=variant_id).update(on_hand=seen.on_hand - quantity, held=seen.held + quantity)


def test_without_the_conditional_update_more_is_sold_than_there_is(crowd, market, make_variant, monkeypatch):
    monkeypatch.setattr(stock, "hold", hold_by_looking_first)
    without_write_lock(monkeypatch)
    [(variant, results)] = sell_the_last_units(crowd, market, make_variant, buyers=40, rounds=1, act=order_now)
    with pytest.raises(AssertionError):
        assert_exactly_ten(variant, results)


# --- Carts with the same variants in opposite order ------------------------------------------------


def order_crosswise(crowd, market, make_variant):
    one, other = make_variant(units=100), make_variant(units=100)
    people = crowd(40)
    for number, person in enumerate(people):
        lines = [(one, 1), (other, 1)]
        fill(person, *(lines if number % 2 else reversed(lines)))
    return together([partial(order_now, person, market) for person in people])


def test_carts_in_opposite_order_never_deadlock(crowd, market, make_variant):
    results = order_crosswise(crowd, market, make_variant)
    assert len(of_kind(results, Order)) == 40
    assert_all_invariants_hold()


def test_replacing_orders_in_opposite_order_never_deadlocks(crowd, market, make_variant):
    one, other = make_variant(units=100), make_variant(units=100)
    people = crowd(20)
    for number, person in enumerate(people):
        fill(person, (one if number % 2 else other, 1))
        order_now(person, market)
        fill(person, (other if number % 2 else one, 1))
    results = together([partial(order_now, person, market) for person in people])
    assert len(of_kind(results, Order)) == 20
    assert_all_invariants_hold()


def hold_as_they_come(quantities, **how):
    for variant_id, quantity in quantities.items():
        stock_before = Variant.objects.filter(pk=variant_id, on_hand__gte=quantity)
        assert stock_before.update(on_hand=stock.F("on_hand") - quantity, held=stock.F("held") + quantity)
        time.sleep(0.05)


def test_without_an_order_of_locking_carts_deadlock(crowd, market, make_variant, monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time: there are no two locks to cross")
    monkeypatch.setattr(stock, "hold", hold_as_they_come)
    results = order_crosswise(crowd, market, make_variant)
    assert len(of_kind(results, Order)) < 40


# --- One checkout sent many times --------------------------------------------------------------------


def check_out_fifty_times(person, market, **more):
    def submit():
        return payments.check_out(
            PlaceOrder(customer=person, cart=person.cart, address=person.addresses.get(), market=market, **more)
        )

    return together([submit] * 50)


def assert_one_order(results):
    assert len({(order.pk, payment.razorpay_order_id) for order, payment in of_kind(results, tuple)}) == 1
    assert len(of_kind(results, tuple)) == 50
    assert Order.objects.count() == 1
    assert SimulatedRecord.objects.filter(kind="order").count() == 1


@pytest.mark.parametrize("key", [None, "one-key"])
def test_one_checkout_sent_fifty_times_is_one_order(crowd, market, make_variant, key):
    [person] = crowd(1)
    fill(person, (make_variant(units=5), 2))
    assert_one_order(check_out_fifty_times(person, market, idempotency_key=key))
    assert_all_invariants_hold()


def test_without_recognising_a_repetition_there_are_many_orders(crowd, market, make_variant, monkeypatch):
    [person] = crowd(1)
    fill(person, (make_variant(units=5), 2))
    monkeypatch.setattr(orders, "_is_unchanged", lambda *args: False)
    with pytest.raises(AssertionError):
        assert_one_order(check_out_fifty_times(person, market))


def slow(call):
    """The same call, long enough for others to come meanwhile."""

    def wait(**what):
        time.sleep(0.5)
        return call(**what)

    return wait


def test_without_a_claim_there_are_many_provider_orders(crowd, market, make_variant, monkeypatch):
    [person] = crowd(1)
    fill(person, (make_variant(units=5), 2))
    monkeypatch.setattr(payments, "_claim", lambda payment: True)
    monkeypatch.setattr(razorpay, "create_order", slow(razorpay.create_order))
    monkeypatch.setattr(razorpay, "find_order", lambda receipt: None)
    with pytest.raises(AssertionError):
        assert_one_order(check_out_fifty_times(person, market))


# --- Callback, webhook and a second tab at once ---------------------------------------------------------


def settle_from_everywhere(person, market):
    """Two tabs, three webhooks and the reconcile job tell of one payment at the same moment."""
    order, payment = payments.check_out(
        PlaceOrder(customer=person, cart=person.cart, address=person.addresses.get(), market=market)
    )
    result = pay(payment.razorpay_order_id)
    ids = (result.razorpay_order_id, result.razorpay_payment_id)
    tab = partial(
        payments.verify_payment,
        razorpay_order_id=ids[0],
        razorpay_payment_id=ids[1],
        signature=result.razorpay_signature,
        customer=person,
    )
    webhook = partial(settlement.settle, *ids)
    return order, together([tab, webhook, tab, webhook, reconcile, webhook])


def assert_paid_once(order, results):
    assert not of_kind(results, Exception)
    assert OrderEvent.objects.filter(order=order, status_to="placed").count() == 1
    assert Message.objects.filter(kind="order_placed").count() == 1
    assert Payment.objects.get(order=order).status == "captured"
    assert not StrayCapture.objects.exists()
    sold = order.lines.get()
    assert Variant.objects.values_list("held", "sold").get(pk=sold.variant_id) == (0, sold.quantity)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_callback_webhook_and_a_second_tab_at_once_pay_once(crowd, market, make_variant, rounds):
    variant = make_variant(units=2)
    for person in crowd(rounds):
        stock.receive(variant, 2)
        fill(person, (variant, 2))
        Variant.objects.filter(pk=variant.pk).update(sold=0, received=stock.F("on_hand"))
        Message.objects.all().delete()
        assert_paid_once(*settle_from_everywhere(person, market))


def move_by_looking_first(order, to, *, actor, note=""):
    OrderEvent.objects.create(order=order, status_from=order.status, status_to=to, actor=actor)
    Order.objects.filter(pk=order.pk).update(status=to, hold_expires_at=None, placed_at=order.created_at)


def test_without_lock_and_conditional_update_an_order_is_paid_twice(crowd, market, make_variant, monkeypatch):
    [person] = crowd(1)
    fill(person, (make_variant(units=2), 2))
    take = settlement._take

    def pause_and_take(payment, money):
        time.sleep(0.1)
        take(payment, money)

    without_write_lock(monkeypatch)
    monkeypatch.setattr(settlement, "record_money", settlement.record_money.__wrapped__)
    monkeypatch.setattr(settlement, "_take", pause_and_take)
    monkeypatch.setattr(orders, "move_order", move_by_looking_first)
    with pytest.raises(AssertionError):
        assert_paid_once(*settle_from_everywhere(person, market))


# --- Two ends of one order ------------------------------------------------------------------------------


def test_paying_against_cancelling_has_one_winner(crowd, market, make_variant):
    variant = make_variant(units=50)
    for person in crowd(5):
        fill(person, (variant, 1))
        order, payment = payments.check_out(
            PlaceOrder(customer=person, cart=person.cart, address=person.addresses.get(), market=market)
        )
        result = pay(payment.razorpay_order_id)
        settle = partial(settlement.settle, result.razorpay_order_id, result.razorpay_payment_id)
        cancel = partial(orders.cancel_order, order, actor="customer")
        together([settle, cancel, settle, cancel])
        payment.refresh_from_db()
        order.refresh_from_db()
        assert (order.status, payment.status) in {("cancelled", "captured"), ("cancelled", "refused")}
    payments_left = Payment.objects.exclude(status__in=["captured", "refused"])
    assert not payments_left.exists()
    assert_all_invariants_hold()
