"""Money that goes back. What is due is read from the rows; nothing remembers it elsewhere.

A refund's key names what it is for, so that it is written once; one that failed is tried again under
a key of its own. Each refund of an invoiced order has its credit note, written in one transaction.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Concat
from django.dispatch import receiver
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.errors import Invalid
from shop.jobs.services import for_each
from shop.messaging.languages import LazyText
from shop.money import INR, display, from_paise, to_paise
from shop.orders.invoices.services import credit, credit_rest
from shop.orders.models import Invoice, Order, OrderEvent, ReturnRequest
from shop.orders.notifications import notify_staff_of_failed_refund, queue_refund_notification
from shop.orders.payment_methods import names_of_collected
from shop.orders.returns.refundable import credits_of
from shop.orders.returns.services import close_refunded
from shop.orders.shipping.event_notes import (
    NOT_COLLECTED,
    REFUND_RETRIED,
    REFUNDED,
    REFUNDED_BY_HAND,
    UNITS_CANCELLED,
    UNITS_RETURNED,
)
from shop.orders.shipping.services import CANCELLED_UNITS, REFUSED_ON_DELIVERY
from shop.orders.signals import order_delivered
from shop.orders.states import WrongState

from ..models import Payment, Refund, StrayCapture
from ..providers.base import NoAnswer, ProviderRefund, Refused
from ..providers.registry import provider_named, provider_of

logger = logging.getLogger(__name__)
COUNTED = (Refund.Status.PENDING, Refund.Status.PROCESSED)
CANCELLED, REFUSED = gettext_noop("The order was cancelled."), gettext_noop("The order was refused at the door.")
TO_THE_PAYER = gettext_lazy("It goes back to the card or account it came from. Banks take up to seven working days.")
BY_TRANSFER = gettext_lazy("It was transferred to you (reference {reference}); banks take up to seven working days.")
AGAIN = "_again"
GOODWILL_KEY = "goodwill_"  # begins the key of an amount that was refunded by the shop's own decision
UNCOLLECTED = (REFUSED_ON_DELIVERY, CANCELLED_UNITS)
NEVER_COLLECTED = gettext_noop("Never collected")  # the reference of what nobody paid at the door


@dataclass(frozen=True, slots=True)
class DueRefund:
    """What is to be given back of one capture."""

    payment: Payment
    capture: str
    key: str
    paise: int
    reason: str
    request: ReturnRequest | None = None
    ends_order: bool = False


def issue_due_refunds() -> int:
    """Write a refund for all that is due, then ask the provider for each that was not handed over
    yet. Says how many were handed over."""
    for_each("record_cash", _collected_to_record(), record_collected)
    due: dict[Payment, list[DueRefund]] = {}
    for one in _due_refunds():
        due.setdefault(one.payment, []).append(one)
    for_each("write_refunds", due, lambda payment: _write_all(due[payment]))
    for_each("credit_ended", _ended_without_money(), _credit_ended)
    requested = Refund.objects.filter(
        payment__in=Payment.objects.of_this_gateway().able("can_refund"), status=Refund.Status.REQUESTED
    ).select_related("payment")
    submitted = 0

    def submit(refund: Refund) -> None:
        nonlocal submitted
        submitted += _submit_refund(refund)

    try:
        # In any order, so that one which is never answered does not keep the same others waiting.
        for_each("hand_over_refunds", requested.order_by("?"), submit, stop_on=(NoAnswer,))
    except NoAnswer as error:
        logger.warning("refunds wait: %s", error)
    return submitted


def _write_all(due: list[DueRefund]) -> None:
    for one in due:
        _write(one)


# --- What is due -------------------------------------------------------------------------------


def _due_refunds() -> Iterator[DueRefund]:
    yield from _full_refunds_due()
    yield from _return_refunds_due()
    yield from _unmatched_refunds_due()


def has_ended() -> Q:
    """Of orders: cancelled, or refused at the door."""
    return Q(status=Order.Status.CANCELLED) | Q(status=Order.Status.RETURNED, delivered_at=None)


def _full_refunds_due() -> Iterator[DueRefund]:
    """Captures that did not fit, and those of orders that ended before they were delivered."""
    ended = Exists(Order.objects.filter(has_ended(), pk=OuterRef("order")))
    payments = (
        Payment.objects.that_count()
        .select_related("order")
        .filter(
            Q(status=Payment.Status.REFUSED) | Q(ended, status=Payment.Status.CAPTURED),
            ~Exists(
                Refund.objects.filter(
                    razorpay_payment_id=OuterRef("razorpay_payment_id"), idempotency_key__startswith="full_"
                )
            ),
        )
    )
    for payment in payments:
        is_refused = payment.status == Payment.Status.REFUSED
        if not is_refused and _is_given_back(payment):
            continue
        was_cancelled = is_refused or payment.order.status == Order.Status.CANCELLED
        yield DueRefund(
            payment=payment,
            capture=payment.capture_id,
            key=f"full_{payment.capture_id}",
            paise=payment.captured_paise,
            reason=CANCELLED if was_cancelled else REFUSED,
            ends_order=not is_refused,
        )


def _is_given_back(payment: Payment) -> bool:
    """Whether single refunds gave back everything before the order ended, and its papers say that it did."""
    is_whole = going_back(payment, payment.capture_id) >= payment.captured_paise
    return is_whole and payment.order.invoices.filter(reference=f"end:{payment.order.number}").exists()


def _return_refunds_due() -> Iterator[DueRefund]:
    """Units that were received back."""
    requests = ReturnRequest.objects.filter(
        status=ReturnRequest.Status.RECEIVED, kind=ReturnRequest.Kind.REFUND, refund_inr__gt=0
    ).select_related("line", "reason")
    for request in requests:
        captured = Payment.objects.that_count().filter(order=request.line.order_id, status=Payment.Status.CAPTURED)
        payment = captured.select_related("order").first()
        if payment is None or Refund.objects.filter(idempotency_key=key_of(request)).exists():
            continue
        yield DueRefund(
            payment=payment,
            capture=payment.capture_id,
            key=key_of(request),
            paise=to_paise(request.refund_inr or Decimal(0)),
            reason=_reason_of(request),
            request=request,
        )


def _reason_of(request: ReturnRequest) -> str:
    what = UNITS_CANCELLED if request.reason.slug == CANCELLED_UNITS else UNITS_RETURNED
    return (what % {"units": request.quantity, "name": request.line.product_name})[:200]


def _unmatched_refunds_due() -> Iterator[DueRefund]:
    strays = StrayCapture.objects.filter(
        ~Exists(Refund.objects.filter(razorpay_payment_id=OuterRef("razorpay_payment_id"))),
        payment__in=Payment.objects.of_this_gateway(),
    ).select_related("payment")
    for stray in strays:
        capture = stray.razorpay_payment_id
        yield DueRefund(stray.payment, capture, f"full_{capture}", stray.amount_paise, stray.reason)


def key_of(request: ReturnRequest) -> str:
    return f"return_{request.pk:08}"


def request_of(refund: Refund) -> ReturnRequest | None:
    """The return that a refund is for."""
    kind, _, number = base_key(refund.idempotency_key).partition("_")
    return ReturnRequest.objects.filter(pk=int(number)).first() if kind == "return" else None


def base_key(key: str) -> str:
    """What a refund is for, whether it is the first try or a later one."""
    return key.partition(AGAIN)[0]


# --- Writing it down ----------------------------------------------------------------------------


@transaction.atomic
def _write(due: DueRefund) -> Refund | None:
    """The refund with what follows from it, once. It never gives back more than came in."""
    order = Order.objects.select_for_update().get(pk=due.payment.order_id)
    payment = Payment.objects.select_for_update().get(pk=due.payment.pk)
    if Refund.objects.filter(idempotency_key=due.key).exists():
        return None
    wanted, left = due.paise, _left_of(payment, due)
    if due.ends_order:  # units that were cancelled before have their own refunds
        wanted = left = left - refund_due_for_units(order)
    paise = min(wanted, left)
    if paise < wanted:
        logger.error("refund %s: %s paise are owed, only %s are left", due.key, wanted, paise)
    if paise <= 0:
        if due.ends_order:  # single refunds gave back everything; units may be left on the invoice
            credit_rest(order, reason=due.reason)
        return None
    refund = Refund.objects.create(
        payment=payment,
        razorpay_payment_id=due.capture,
        idempotency_key=due.key,
        amount_paise=paise,
        reason=due.reason,
    )
    is_of_order, provider = due.ends_order or due.request is not None, provider_of(payment)
    if is_of_order and provider.can_refund:
        _conclude(order, refund, TO_THE_PAYER)
    elif provider.is_collected_on_delivery and due.request and due.request.reason.slug in UNCOLLECTED:
        _note_uncollected(order, payment, refund, due.request)
    # The credit note comes last: from there on its series is locked.
    if due.ends_order:
        credit_rest(order, reason=due.reason)
    elif due.request is not None:
        credits = credits_of(due.request, order)
        credit(order, credits, reference=f"return:{due.request.pk}", reason=due.reason)
    return refund


def _left_of(payment: Payment, due: DueRefund) -> int:
    """What came in through this capture and is not going back yet."""
    came_in = payment.captured_paise if due.capture == payment.capture_id else due.paise
    return came_in - going_back(payment, due.capture)


def going_back(payment: Payment, capture: str) -> int:
    """Paise of a capture that refunds were written for. What failed is among them, once: it is tried again, or
    transferred by hand."""
    return _sum(payment.refunds.filter(razorpay_payment_id=capture).exclude(idempotency_key__contains=AGAIN))


def refund_due_for_units(order: Order) -> int:
    """Paise that are due for units of an order and not written down yet."""
    requests = ReturnRequest.objects.filter(
        line__order=order, kind=ReturnRequest.Kind.REFUND, status=ReturnRequest.Status.RECEIVED
    )
    known = set(Refund.objects.filter(payment__order=order).values_list("idempotency_key", flat=True))
    return sum(to_paise(request.refund_inr or Decimal(0)) for request in requests if key_of(request) not in known)


def _sum(refunds: QuerySet[Refund]) -> int:
    return refunds.aggregate(sum=Sum("amount_paise"))["sum"] or 0


def _conclude(order: Order, refund: Refund, where: str | LazyText, *, by: str = "") -> None:
    """Tell customer and desk, and close the return that it is for."""
    amount, key = from_paise(refund.amount_paise), f"refunded:{base_key(refund.idempotency_key)}"
    OrderEvent.objects.create(order=order, note=f"{REFUNDED % {'amount': display(amount, INR)}} {refund.reason}"[:300])
    reason = refund.reason if refund.idempotency_key.startswith(GOODWILL_KEY) else ""
    queue_refund_notification(order, amount=amount, key=f"{key}:{by}" if by else key, where=where, reason=reason)
    request = request_of(refund)
    if request is not None and request.status == ReturnRequest.Status.RECEIVED:
        close_refunded(request)


def _ended_without_money() -> QuerySet[Order]:
    """Invoiced orders that ended before any money came (cash), or cost nothing; their invoice is taken back."""
    said = Invoice.objects.filter(reference=Concat(Value("end:"), OuterRef("number")))
    billed = Invoice.objects.filter(order=OuterRef("pk"), kind=Invoice.Kind.INVOICE)
    captured = Payment.objects.filter(order=OuterRef("pk"), status=Payment.Status.CAPTURED)
    return Order.objects.filter(has_ended(), Exists(billed), ~Exists(said), ~Exists(captured), placed_at__isnull=False)


@transaction.atomic
def _credit_ended(order: Order) -> None:
    locked = Order.objects.select_for_update().get(pk=order.pk)
    cancelled = ReturnRequest.objects.filter(line__order=locked, reason__slug=CANCELLED_UNITS)
    open_ones = cancelled.filter(status=ReturnRequest.Status.RECEIVED)
    open_ones.update(status=ReturnRequest.Status.REFUNDED, refund_inr=0, closed_at=timezone.now())
    credit_rest(locked, reason=CANCELLED if locked.status == "cancelled" else "Refused at the door.")


# --- Collected on delivery ----------------------------------------------------------------------


def _collected_to_record() -> QuerySet[Order]:
    """Orders to be paid on delivery that were delivered, and whose money is not written down yet."""
    known = Payment.objects.filter(order=OuterRef("pk")).able("is_collected_on_delivery")
    return Order.objects.filter(
        ~Exists(known), payment_method__in=names_of_collected(), delivered_at__isnull=False, total_inr__gt=0
    )


@receiver(order_delivered)
def _collect(sender: type, order: Order, **kwargs: Any) -> None:
    if order.method.is_collected_on_delivery and order.total_inr:
        record_collected(order)


def record_collected(order: Order) -> Payment:
    """The courier collected it; once an order."""
    paise, provider = to_paise(order.total_inr), provider_named(order.payment_method)
    facts = {
        "order": order,
        "method": provider.recorded_as,
        "status": Payment.Status.CAPTURED,
        "amount_paise": paise,
        "captured_paise": paise,
        "captured_at": order.delivered_at or timezone.now(),
        "check_at": None,
    }
    return Payment.objects.get_or_create(receipt=f"{provider.name}-{order.number}", defaults=facts)[0]


def _note_uncollected(order: Order, payment: Payment, refund: Refund, request: ReturnRequest) -> None:
    """Nobody paid for a parcel that was refused at the door: there is nothing to transfer."""
    refund.status, refund.processed_at, refund.reference = Refund.Status.PROCESSED, timezone.now(), NEVER_COLLECTED
    refund.save(update_fields=["status", "processed_at", "reference"])
    _add_up(payment)
    amount = display(from_paise(refund.amount_paise), INR)
    OrderEvent.objects.create(order=order, note=f"{NOT_COLLECTED % {'amount': amount}} {refund.reason}"[:300])
    close_refunded(request)


@transaction.atomic
def mark_paid_back(refund: Refund, *, reference: str, actor: str) -> None:
    """What no provider gives back (cash), or refuses to, was paid back by hand; `reference` names the transfer.
    Once: raises WrongState otherwise."""
    if not reference.strip():
        raise Invalid(gettext("Enter the transfer reference."))
    order = Order.objects.select_for_update().get(payments=refund.payment_id)
    payment = Payment.objects.select_for_update().get(pk=refund.payment_id)
    refund.refresh_from_db()
    can_refund = provider_of(payment).can_refund
    if not can_refund and refund.status != Refund.Status.REQUESTED:
        raise WrongState(gettext("This has already been refunded."))
    if can_refund and any(row.status != Refund.Status.FAILED for row in _tries(refund)):
        raise WrongState(gettext("The provider is handling this refund."))
    refund.status, refund.processed_at = Refund.Status.PROCESSED, timezone.now()
    refund.reference = reference.strip()[:60]
    refund.save(update_fields=["status", "processed_at", "reference"])
    _add_up(payment)
    OrderEvent.objects.create(order=order, actor=actor, note=REFUNDED_BY_HAND % {"reference": refund.reference})
    _conclude(order, refund, format_lazy(BY_TRANSFER, reference=refund.reference), by="hand")


# --- The provider -------------------------------------------------------------------------------


@transaction.atomic
def retry_refund(refund: Refund, *, actor: str = "shop", reason: str = "") -> Refund:
    """Ask again for a refund that failed, under a new key: the provider keeps its answer to the old one.
    The order's history says who did, and why. Raises WrongState where it did not fail, or was tried again already."""
    payment = Payment.objects.select_for_update().get(pk=refund.payment_id)
    refund.refresh_from_db()
    first, same = base_key(refund.idempotency_key), _tries(refund)
    if any(row.status != Refund.Status.FAILED for row in same):
        raise WrongState(gettext("Only a failed refund can be tried again."))
    amount = display(from_paise(refund.amount_paise), INR)
    note = f"{REFUND_RETRIED % {'amount': amount}} {reason}".strip()
    OrderEvent.objects.create(order_id=payment.order_id, actor=actor, note=note[:300])
    return Refund.objects.create(
        payment=payment,
        razorpay_payment_id=refund.razorpay_payment_id,
        idempotency_key=f"{first}{AGAIN}{len(same)}",
        amount_paise=refund.amount_paise,
        reason=refund.reason,
    )


def _tries(refund: Refund) -> list[Refund]:
    """All tries of what a refund is for, itself among them."""
    first = base_key(refund.idempotency_key)
    rows = Refund.objects.filter(payment=refund.payment_id, idempotency_key__startswith=first)
    return [row for row in rows if base_key(row.idempotency_key) == first]


def _submit_refund(refund: Refund) -> bool:
    """Ask the provider for one refund; the key, stored before, makes repeating it safe. Raises NoAnswer."""
    try:
        done = provider_of(refund.payment).refund(
            payment_id=refund.razorpay_payment_id, amount=refund.amount_paise, key=refund.idempotency_key
        )
    except Refused as error:
        return _look_again(refund, str(error))
    record_refund(refund, done)
    return True


def _look_again(refund: Refund, why: str) -> bool:
    """The provider refused: it may be at work on it, or have given the money back by itself."""
    try:
        given = provider_of(refund.payment).refunds_of(refund.razorpay_payment_id)
    except NoAnswer as error:
        logger.warning("refund %s waits: %s", refund.idempotency_key, error)
        return False
    except Refused:  # it does not know the payment at all, such as one made with other keys
        given = []
    known = {key for key in Refund.objects.values_list("razorpay_refund_id", flat=True) if key}
    others = set(refund.payment.refunds.exclude(pk=refund.pk).values_list("idempotency_key", flat=True))
    free = [row for row in given if row.id not in known and row.receipt not in others]
    fitting = [row for row in free if row.amount == refund.amount_paise]
    own = [row for row in fitting if row.receipt == refund.idempotency_key]
    if fitting:
        record_refund(refund, (own or fitting)[0])
        return True
    if "still in progress" not in why:
        logger.error("refund %s was refused by the provider: %s", refund.idempotency_key, why)
        _give_up(refund)
    return False


@transaction.atomic
def _give_up(refund: Refund) -> None:
    if Refund.objects.filter(pk=refund.pk, status=Refund.Status.REQUESTED).update(status=Refund.Status.FAILED):
        _notify_of_failure(refund)


def _notify_of_failure(refund: Refund) -> None:
    amount = from_paise(refund.amount_paise)
    notify_staff_of_failed_refund(refund.payment.order, pk=refund.pk, amount=amount, reason=refund.reason)


@transaction.atomic
def record_refund(refund: Refund, found: ProviderRefund) -> None:
    """Write down where the provider is with a refund. Only forward: what is processed stays so."""
    payment = Payment.objects.select_for_update().get(pk=refund.payment_id)
    refund.refresh_from_db()
    if refund.status == Refund.Status.PROCESSED or found.status not in Refund.Status.values:
        return
    refund.razorpay_refund_id = found.id
    refund.status = found.status
    if refund.status == Refund.Status.PROCESSED:
        refund.processed_at = timezone.now()
    refund.save(update_fields=["razorpay_refund_id", "status", "processed_at"])
    if refund.status == Refund.Status.FAILED:
        _notify_of_failure(refund)
    _add_up(payment)


def _add_up(payment: Payment) -> None:
    payment.refunded_paise = _sum(payment.refunds.filter(razorpay_payment_id=payment.capture_id, status__in=COUNTED))
    payment.save(update_fields=["refunded_paise"])


def follow_refund(refund: Refund) -> None:
    """Ask how far the provider is with a refund that it has."""
    for found in provider_of(refund.payment).refunds_of(refund.razorpay_payment_id):
        if found.id == refund.razorpay_refund_id:
            record_refund(refund, found)
