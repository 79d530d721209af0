"""Money whose order was lost with the rows of a time, because the shop was restored from a copy.

The provider's own list says what was paid in that time. A captured payment that no row knows is given
back in full: what it was for, and where it should go, is not known any more. An order that was cancelled
and paid back in that time is cancelled again. Only orders that name this shop are touched: others may use
the same account.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy, gettext_noop

from shop.backoffice.actors import PROVIDER
from shop.jobs.services import for_each
from shop.messaging.services import queue_mail
from shop.money import INR, display, from_paise
from shop.orders.placing.services import cancel_order
from shop.orders.states import WrongState

from ..models import LostCapture, LostWindow, Payment, Refund
from ..providers.base import LedgerOrder, ProviderError, ProviderPayment, ProviderRefund, Refused
from ..providers.registry import online_provider
from ..queries import WATCHED_FOR
from ..refunds.services import AGAIN

logger = logging.getLogger(__name__)
CLOCKS_DIFFER = timedelta(hours=1)  # at the most, the provider's from ours; what is known is left alone anyway
MAX_TRIES = 5
LOST = gettext_noop("our record of the order was lost in a failure")
WAITS = (Refund.Status.REQUESTED, Refund.Status.PENDING, Refund.Status.FAILED)


def note_lost_window(since: datetime) -> LostWindow:
    """From now on, and for five days, the provider is asked what was paid between `since` and now."""
    return LostWindow.objects.get_or_create(since=since)[0]


def refund_lost_payments() -> dict[str, int]:
    """Find what was paid in lost times and give it back, once. Late money comes for days, so they are
    watched that long.

    Counts the captures that were `lost`, refunds that were `given_back` by now, orders that were
    `cancelled_again`, `unknown_refunds` that somebody has to look at, and what went `unanswered`.
    """
    counts = dict.fromkeys(("lost", "given_back", "cancelled_again", "unknown_refunds", "unanswered"), 0)
    try:
        for window in LostWindow.objects.filter(until__gt=timezone.now() - WATCHED_FOR):
            since, until = window.since - CLOCKS_DIFFER, window.until + CLOCKS_DIFFER
            for orders in online_provider().orders_between(since, until):
                counts["lost"] += sum(_write(order, money) for order, money in _unknown_captures(orders))
            for refunds in online_provider().refunds_between(since, until):
                _note_unknown(refunds, counts)
        given_up = Q(status=Refund.Status.FAILED, tries__gte=MAX_TRIES)
        waiting = LostCapture.objects.filter(status__in=WAITS).exclude(given_up).order_by("?")
        given_back = for_each("give_back_lost_payments", waiting, _submit_refund, stop_on=(ProviderError,))
        counts["given_back"] += given_back
    except ProviderError as error:
        logger.warning("lost payments wait: %s", error)
        counts["unanswered"] += 1
    return counts


def _unknown_captures(orders: list[LedgerOrder]) -> list[tuple[LedgerOrder, ProviderPayment]]:
    own = [order for order in orders if order.notes.get("shop") == settings.SHOP_URL]
    receipts = [order.receipt for order in own]
    known = set(Payment.objects.filter(receipt__in=receipts).values_list("receipt", flat=True))
    return [(order, money) for order in own if order.receipt not in known for money in order.payments]


def _write(order: LedgerOrder, money: ProviderPayment) -> bool:
    """The refund that is owed, before the provider is asked for it; says whether it is news."""
    if not money.is_captured:
        return False
    number = str(order.notes.get("order", ""))[:40]
    facts = {
        "razorpay_order_id": order.id,
        "order_number": number,
        "amount_paise": money.amount,
        "idempotency_key": f"full_{money.id}",
    }
    with transaction.atomic():
        _, is_new = LostCapture.objects.get_or_create(razorpay_payment_id=money.id, defaults=facts)
        if is_new:
            _notify_payer(number, money)
            _notify_staff(number, money.id, money.amount)
    return is_new


def _notify_payer(number: str, money: ProviderPayment) -> None:
    """The customer may be lost, too; the provider knows who paid."""
    with suppress(ValidationError):
        validate_email(money.payer_email)
        queue_mail(
            kind="money_returned",
            to=money.payer_email,
            subject=format_lazy(gettext_lazy("Your payment for {number} is being refunded"), number=number),
            template="money_returned",
            context={"name": "", "number": number, "amount": _in_words(money.amount), "reason": gettext_lazy(LOST)},
            key=f"money_returned:{money.id}",
        )


def _notify_staff(number: str, payment_id: str, paise: int, *, failed: bool = False) -> None:
    what = "could not be given back" if failed else "is given back"
    queue_mail(
        kind="desk_lost_payment",
        to=settings.ORDER_DESK_EMAIL,
        subject=f"The payment of lost order {number} {what}",
        template="desk_lost_payment",
        context={"number": number, "payment": payment_id, "amount": _in_words(paise), "failed": failed},
        key=f"desk_lost_payment:{payment_id}:{what}",
    )


def _in_words(paise: int) -> str:
    return display(from_paise(paise), INR)


def _submit_refund(lost: LostCapture) -> bool:
    """Ask for one refund, or how far it is; says whether the provider has it now. One that failed is
    asked for again, under a key of its own."""
    if lost.status == Refund.Status.FAILED:
        lost.tries += 1
        lost.idempotency_key = f"full_{lost.razorpay_payment_id}{AGAIN}{lost.tries}"
        lost.status, lost.razorpay_refund_id = Refund.Status.REQUESTED, None
        lost.save(update_fields=["tries", "idempotency_key", "status", "razorpay_refund_id"])
    provider = online_provider()
    if lost.status == Refund.Status.PENDING:
        given = provider.refunds_of(lost.razorpay_payment_id)
        found = next((row for row in given if row.id == lost.razorpay_refund_id), None)
        return found is not None and _record(lost, status=found.status)
    try:
        done = provider.refund(payment_id=lost.razorpay_payment_id, amount=lost.amount_paise, key=lost.idempotency_key)
    except Refused as error:
        return _look_again(lost, str(error))
    return _record(lost, status=done.status, refund_id=done.id)


def _look_again(lost: LostCapture, why: str) -> bool:
    """The provider refused: it may be at work on it, or have given the money back before."""
    given = [
        row for row in online_provider().refunds_of(lost.razorpay_payment_id) if row.status != Refund.Status.FAILED
    ]
    if sum(row.amount for row in given) >= lost.amount_paise:
        done = all(row.status == Refund.Status.PROCESSED for row in given)
        return _record(lost, status=Refund.Status.PROCESSED if done else Refund.Status.PENDING)
    if "still in progress" in why:
        return False
    logger.error("the refund of lost payment %s was refused by the provider: %s", lost, why)
    return _record(lost, status=Refund.Status.FAILED)


@transaction.atomic
def _record(lost: LostCapture, *, status: str, refund_id: str | None = None) -> bool:
    if status not in Refund.Status.values:
        return False
    lost.status, lost.razorpay_refund_id = status, refund_id or lost.razorpay_refund_id
    lost.save(update_fields=["status", "razorpay_refund_id"])
    if status == Refund.Status.FAILED and lost.tries >= MAX_TRIES:
        _notify_staff(lost.order_number, lost.razorpay_payment_id, lost.amount_paise, failed=True)
    return status in (Refund.Status.PENDING, Refund.Status.PROCESSED)


def _note_unknown(refunds: list[ProviderRefund], counts: dict[str, int]) -> None:
    """Refunds of payments that are known, while they are not: they were written in the lost time."""
    known = set(
        Refund.objects.filter(idempotency_key__in=[row.receipt for row in refunds]).values_list(
            "idempotency_key", flat=True
        )
    )
    news = [row for row in refunds if row.receipt not in known and row.status != Refund.Status.FAILED]
    payments = Payment.objects.of_this_gateway().filter(
        razorpay_payment_id__in=[row.payment_id for row in news], status=Payment.Status.CAPTURED
    )
    paid = {payment.razorpay_payment_id: payment for payment in payments.select_related("order")}
    for refund in news:
        payment = paid.get(refund.payment_id)
        if payment is None:
            continue
        # The refund's row follows by itself, under the same key (refunds/services.py).
        if refund.receipt == f"full_{refund.payment_id}" and _cancel_again(payment):
            counts["cancelled_again"] += 1
        elif payment.order.status != payment.order.Status.CANCELLED:
            logger.error("refund %s of %s is unknown; somebody has to look at it", refund.id, payment.order.number)
            counts["unknown_refunds"] += 1


def _cancel_again(payment: Payment) -> bool:
    try:
        cancel_order(
            payment.order, actor=PROVIDER, note=gettext_noop("Cancelled and paid back before the shop was restored.")
        )
    except WrongState:
        payment.order.refresh_from_db()
        return False
    return True
