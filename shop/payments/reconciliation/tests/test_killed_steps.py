"""Killed with SIGKILL at each step of a payment, the shop goes on from its rows: repeating the request,
the webhook or the job leaves what an undisturbed run leaves (RELIABILITY.md 2.4)."""

from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from types import SimpleNamespace

import pytest
from django.utils import timezone

from shop.cart.services import open_cart
from shop.errors import ShopError
from shop.messaging.models import Message
from shop.orders.placing import services as orders
from shop.orders.placing.values import PlaceOrder
from shop.orders.tests.racing import without_write_lock

from ... import services
from ...models import Payment, Refund
from ...providers.razorpay import razorpay
from ...refunds import services as refunds
from ...services import cancel, check_out, verify_payment
from ...tests.test_races import assert_all_invariants_hold
from .. import jobs, settlement
from .killing import die, die_after, in_a_process_that_is_killed

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
ROUNDS = [pytest.param(1, id="short"), pytest.param(50, id="long", marks=pytest.mark.full)]


def check_out_of(customer, market):
    return check_out(
        PlaceOrder(
            customer=customer,
            cart=open_cart(customer),
            address=customer.addresses.get(),
            market=market,
            idempotency_key="the-one",
        )
    )


def verify_result(result, customer):
    return verify_payment(
        razorpay_order_id=result["razorpay_order_id"],
        razorpay_payment_id=result["razorpay_payment_id"],
        signature=result["razorpay_signature"],
        customer=customer,
    )


@contextmanager
def struck(module, name, blow):
    """In the child, `module.name` is the place where it dies."""
    kept = getattr(module, name)
    setattr(module, name, blow(kept))
    try:
        yield
    finally:
        setattr(module, name, kept)


INSTEAD = lambda kept: die  # noqa: E731 (names a moment)
AFTER = die_after

CHECKOUT_STEPS = {
    "before the order is committed": (orders, "_take_reductions", INSTEAD),
    "before the provider's order": (razorpay, "create_order", INSTEAD),
    "after the provider's order": (razorpay, "create_order", AFTER),
    "after its id was kept": (services, "attach_provider_order", AFTER),
}
PAYMENT_STEPS = {
    "before the money is asked for": (razorpay, "fetch", INSTEAD),
    "before the payment is committed": (settlement, "_receive", AFTER),
    "after the payment is committed, before the answer": (services, "settle_payment", AFTER),
    "while the invoice is written": (orders, "issue_invoice", AFTER),
}
REFUND_STEPS = {
    "before the refund is asked for": (razorpay, "refund", INSTEAD),
    "after the refund was given": (razorpay, "refund", AFTER),
    "before the refund is recorded": (refunds, "record_refund", INSTEAD),
}


def killed_at(step, work):
    module, name, blow = step
    with struck(module, name, blow):
        in_a_process_that_is_killed(work)


def assert_placed_once(order):
    order.refresh_from_db()
    assert (order.status, order.invoices.count()) == ("placed", 1)
    assert order.events.filter(status_to="placed").count() == 1
    assert Message.objects.filter(key=f"order_placed:{order.number}").count() == 1


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("step", CHECKOUT_STEPS, ids=str)
def test_a_checkout_that_was_killed_is_one_order_when_repeated(
    served, india, make_variant, new_buyer, step, rounds, figure
):
    for _ in range(rounds):
        customer = new_buyer({make_variant(price="250", units=10): 1})
        killed_at(CHECKOUT_STEPS[step], partial(check_out_of, customer, india))
        Payment.objects.filter(claimed_until__gt=timezone.now()).update(claimed_until=timezone.now())
        order, payment = check_out_of(customer, india)
        assert customer.orders.count() == 1
        made = [row["id"] for row in served.ledger() if row["receipt"] == payment.receipt]
        assert made == [payment.razorpay_order_id]
        seen = served.steer("pay", order_id=payment.razorpay_order_id)
        verify_result(seen["result"], customer)
        assert_placed_once(order)
    assert_all_invariants_hold()
    figure(f"killed {rounds} times, each made good", "0 of 50 on each database")


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("step", PAYMENT_STEPS, ids=str)
@pytest.mark.parametrize("then", ["the customer tries again", "nobody comes back"])
def test_a_payment_that_was_killed_is_settled_once(served, india, make_variant, new_buyer, step, then, rounds, figure):
    for _ in range(rounds):
        customer = new_buyer({make_variant(price="250", units=10): 1})
        order, payment = check_out_of(customer, india)
        result = served.steer("pay", order_id=payment.razorpay_order_id)["result"]
        killed_at(PAYMENT_STEPS[step], partial(verify_result, result, customer))
        if then == "the customer tries again":
            verify_result(result, customer)
        else:
            jobs.reconcile_everything()
        assert_placed_once(order)
    assert_all_invariants_hold()
    figure(f"killed {rounds} times, each made good", "0 of 50 on each database")


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("step", REFUND_STEPS, ids=str)
def test_a_refund_that_was_killed_is_given_once(served, india, make_variant, new_buyer, step, rounds, figure):
    for _ in range(rounds):
        customer = new_buyer({make_variant(price="250", units=10): 1})
        order, payment = check_out_of(customer, india)
        verify_result(served.steer("pay", order_id=payment.razorpay_order_id)["result"], customer)
        cancel(order, actor="customer")
        killed_at(REFUND_STEPS[step], refunds.issue_due_refunds)
        refunds.issue_due_refunds()
        jobs.follow_refunds()
        [refund] = Refund.objects.filter(payment=payment)
        [row] = [row for row in served.ledger() if row["id"] == payment.razorpay_order_id]
        given = [one["amount"] for money in row["payments"] for one in money["refunds"]]
        assert given == [refund.amount_paise] == [payment.amount_paise]
        assert refund.status in ("pending", "processed")
    assert_all_invariants_hold()
    figure(f"killed {rounds} times, each made good", "0 of 50 on each database")


def test_a_payment_kept_in_many_steps_would_be_half_done(served, india, make_variant, new_buyer, monkeypatch):
    """Negative control: without the transaction around it, the order stays without its invoice."""
    customer = new_buyer({make_variant(price="250", units=10): 1})
    order, payment = check_out_of(customer, india)
    result = served.steer("pay", order_id=payment.razorpay_order_id)["result"]
    without_write_lock(monkeypatch)
    monkeypatch.setattr(settlement, "transaction", SimpleNamespace(atomic=nullcontext))
    monkeypatch.setattr(settlement, "record_money", settlement.record_money.__wrapped__)
    monkeypatch.setattr(settlement, "confirm_order", orders.confirm_order.__wrapped__)
    killed_at((orders, "issue_invoice", INSTEAD), partial(verify_result, result, customer))
    with suppress(ShopError):
        verify_result(result, customer)
    with pytest.raises(AssertionError):
        assert_placed_once(order)
