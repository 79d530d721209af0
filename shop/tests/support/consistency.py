"""After a proof: bring everything to its end, then hold the shop's rows against what it answered and
against the provider's own ledger."""

import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from shop.messaging.delivery import MAX_PAUSE
from shop.messaging.models import Message
from shop.orders.models import Order
from shop.orders.states import WrongState
from shop.payments.models import LostCapture, Payment, ProviderEvent, Refund
from shop.payments.refunds.services import retry_refund

from ..conftest import Shop
from .buyers import Answered
from .provider import StandIn

MAX_REST = 300  # seconds, as promised for mail
MAX_SENDING = timedelta(seconds=20)
CAME_BACK = ("processed", "pending")


def drain_queues(shop: Shop, provider: StandIn) -> None:
    """Let the provider's late answers arrive and every hold run out; reconcile until nothing moves."""
    provider.control("faults", clear=True)
    for _ in range(3):
        provider.control("clock", advance=25 * 60)
        shop.manage("reconcile_payments")
    shop.manage("reconcile_payments", "--all")
    Order.objects.held().update(hold_expires_at=timezone.now())
    until = time.monotonic() + MAX_REST
    while process_as_staff() or _is_moving():
        assert time.monotonic() < until, f"still moving: {_is_moving()}"
        _end_claims()
        provider.control("clock", advance=10 * 60)
        shop.manage("reconcile_payments", "--all")


def _end_claims() -> None:
    """A message in the hands of what was killed is sent again when its claim has run out. As with the holds,
    that time is not waited for; who sends a message now is left alone."""
    now = timezone.now()
    idle = Message.objects.pending().filter(next_try_at__lt=now + MAX_PAUSE - MAX_SENDING)
    idle.filter(next_try_at__gt=now).update(next_try_at=now)


def _is_moving() -> dict[str, int]:
    waiting = {
        "holds": Order.objects.held().count(),
        "refunds": Refund.objects.filter(status__in=["requested", "pending"]).count(),
        "lost payments": LostCapture.objects.exclude(status="processed").count(),
        "events": ProviderEvent.objects.filter(handled_at=None).count(),
        "messages": Message.objects.pending().count(),
    }
    return {name: count for name, count in waiting.items() if count}


def process_as_staff() -> int:
    """Staff retry each refund that failed; returns how many."""
    retried = 0
    for failed in Refund.objects.filter(status=Refund.Status.FAILED):
        with suppress(WrongState):  # tried again already
            retry_refund(failed)
            retried += 1
    return retried


def assert_responses_persisted(answered: Answered) -> None:
    """No order that a buyer was told of is missing, none that was answered as paid was not placed, and
    no buyer of a paid order got two confirmations."""
    numbers = set(Order.objects.values_list("number", flat=True))
    assert answered.saved <= numbers
    assert answered.paid <= set(Order.objects.exclude(placed_at=None).values_list("number", flat=True))
    placed = Order.objects.exclude(placed_at=None).count()
    assert Message.objects.filter(kind="order_placed", key__startswith="order_placed:").count() == placed


def assert_ledger_matches(provider: StandIn) -> None:
    """To the paisa: what the provider keeps for an order is what the order costs, if it is paid, or nothing."""
    payments = {payment.razorpay_order_id: payment for payment in Payment.objects.select_related("order")}
    receipts = [row["receipt"] for row in provider.control("ledger")["orders"]]
    assert len(receipts) == len(set(receipts)), "one attempt has two provider orders"
    for row in provider.control("ledger")["orders"]:
        payment = payments.get(row["id"])
        kept = sum(_kept(money) for money in row["payments"])
        if payment is None:
            assert kept == 0, f"{row['receipt']}: {kept} paise nobody knows of"
            continue
        order = payment.order
        is_sold = order.placed_at is not None and order.status != Order.Status.CANCELLED
        owed = int(order.total_inr * 100) if is_sold and payment.status == Payment.Status.CAPTURED else 0
        tries = list(payment.refunds.values_list("idempotency_key", "status"))
        assert kept == owed, f"{order.number} ({order.status}): {owed} paise are ours, {tries}, the provider has {row}"
    sold = Order.objects.exclude(placed_at=None).exclude(status=Order.Status.CANCELLED)
    ours = Payment.objects.filter(status=Payment.Status.CAPTURED, order__in=sold).aggregate(sum=Sum("captured_paise"))
    assert (ours["sum"] or 0) == sum(int(total * 100) for total in sold.values_list("total_inr", flat=True))


def _kept(money: dict[str, Any]) -> int:
    if not money["captured"]:
        return 0
    return money["amount"] - sum(row["amount"] for row in money["refunds"] if row["status"] in CAME_BACK)
