"""Money that goes back. What is owed is read from the rows; nothing remembers it elsewhere."""

import logging
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Sum
from django.utils import timezone

from shop.orders.models import Order

from . import gateway
from .gateway import ProviderRefund
from .models import Payment, Refund, StrayCapture

logger = logging.getLogger(__name__)
COUNTED = (Refund.Status.PENDING, Refund.Status.PROCESSED)


def give_back_what_is_owed() -> int:
    """Write a refund for each capture that is owed in full, then ask the provider for each that was
    not handed over yet. Says how many were handed over."""
    for payment, razorpay_payment_id, amount, reason in _owed():
        Refund.objects.get_or_create(
            idempotency_key=f"full_{razorpay_payment_id}",
            defaults={
                "payment": payment,
                "razorpay_payment_id": razorpay_payment_id,
                "amount_paise": amount,
                "reason": reason,
            },
        )
    requested = Refund.objects.filter(
        payment__in=Payment.objects.of_this_gateway(), status=Refund.Status.REQUESTED
    ).select_related("payment")
    return sum(_hand_over(refund) for refund in requested)


def _owed() -> Iterator[tuple[Payment, str, int, str]]:
    """(payment, provider's payment id, paise, reason) of every capture without a refund."""
    payments = Payment.objects.of_this_gateway().filter(
        Q(status=Payment.Status.REFUSED) | Q(status=Payment.Status.CAPTURED, order__status=Order.Status.CANCELLED),
        ~Exists(Refund.objects.filter(razorpay_payment_id=OuterRef("razorpay_payment_id"))),
    )
    for payment in payments:
        yield payment, str(payment.razorpay_payment_id), payment.captured_paise, "The order was cancelled."
    strays = StrayCapture.objects.filter(
        ~Exists(Refund.objects.filter(razorpay_payment_id=OuterRef("razorpay_payment_id"))),
        payment__in=Payment.objects.of_this_gateway(),
    ).select_related("payment")
    for stray in strays:
        yield stray.payment, stray.razorpay_payment_id, stray.amount_paise, stray.reason


def _hand_over(refund: Refund) -> bool:
    """Ask the provider for one refund; the key, stored before, makes repeating it safe."""
    try:
        done = gateway.refund(
            razorpay_payment_id=refund.razorpay_payment_id, amount=refund.amount_paise, key=refund.idempotency_key
        )
    except gateway.Refused as error:
        return _look_again(refund, str(error))
    except gateway.NoAnswer as error:
        logger.warning("refund %s waits: %s", refund.idempotency_key, error)
        return False
    record_refund(refund, done)
    return True


def _look_again(refund: Refund, why: str) -> bool:
    """The provider refused: it may be at work on it, or have given the money back by itself."""
    try:
        given = gateway.refunds_of(refund.razorpay_payment_id)
    except gateway.ProviderError as error:
        logger.warning("refund %s waits: %s", refund.idempotency_key, error)
        return False
    known = {key for key in Refund.objects.values_list("razorpay_refund_id", flat=True) if key}
    fitting = [row for row in given if row.amount == refund.amount_paise and row.id not in known]
    if fitting:
        record_refund(refund, fitting[0])
        return True
    if "still in progress" not in why:
        logger.error("refund %s was refused by the provider: %s", refund.idempotency_key, why)
        Refund.objects.filter(pk=refund.pk, status=Refund.Status.REQUESTED).update(status=Refund.Status.FAILED)
    return False


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
    given = payment.refunds.filter(razorpay_payment_id=payment.razorpay_payment_id, status__in=COUNTED)
    payment.refunded_paise = given.aggregate(sum=Sum("amount_paise"))["sum"] or 0
    payment.save(update_fields=["refunded_paise"])


def follow_refund(refund: Refund) -> None:
    """Ask how far the provider is with a refund that it has."""
    for found in gateway.refunds_of(refund.razorpay_payment_id):
        if found.id == refund.razorpay_refund_id:
            record_refund(refund, found)
