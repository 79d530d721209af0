"""What the provider tells us unasked: stored as it came, worked on afterwards.

A webhook is a hint. Whatever follows from it is decided from a fresh question to the provider.
"""

import json
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from shop.errors import BadProof
from shop.messaging.services import queue_mail
from shop.money import INR, display, from_paise

from .keys import is_webhook_signature
from .models import Payment, ProviderEvent, Refund
from .refunds import follow_refund
from .settling import settle

PAYMENT_EVENTS = {"payment.authorized", "payment.captured", "payment.failed", "order.paid"}
REFUND_EVENTS = {"refund.created", "refund.processed", "refund.failed", "refund.speed_changed"}
DISPUTE_EVENTS = "payment.dispute."


def store_event(*, body: bytes, signature: str, event_id: str) -> bool:
    """Keep a webhook call, once by its event id; says whether there is anything to do about it now.

    There is not where the payment was captured already, or where an event of the same payment waits:
    that one's work is this one's. Raises BadProof for a wrong or missing signature or id, before anything is written.
    """
    if not event_id or len(event_id) > 80 or not is_webhook_signature(signature, body):
        raise BadProof("The call could not be verified.")
    told = _read(body)
    money = _entity(told, "payment")
    event = ProviderEvent(
        event_id=event_id,
        event=_short(told.get("event"), 60),
        body=body.decode("utf-8", "replace"),
        razorpay_order_id=_short(money.get("order_id"), 40),
        razorpay_payment_id=_short(money.get("id"), 40),
    )
    is_news = True
    if event.event in PAYMENT_EVENTS:
        if _is_captured(event):
            event.handled_at = event.received_at
        is_news = event.handled_at is None and not _of_the_same_payment(event).exists()
    ProviderEvent.objects.bulk_create([event], ignore_conflicts=True)
    return is_news


def _is_captured(event: ProviderEvent) -> bool:
    """Nothing that is told of a payment changes anything once its money is here."""
    captured = Payment.objects.filter(status=Payment.Status.CAPTURED, razorpay_payment_id=event.razorpay_payment_id)
    return captured.filter(razorpay_order_id=event.razorpay_order_id).exists()


def _of_the_same_payment(event: ProviderEvent) -> QuerySet[ProviderEvent]:
    """Events that wait to be worked on, and that one question to the provider settles together."""
    names = {name: getattr(event, name) for name in ("razorpay_order_id", "razorpay_payment_id")}
    return ProviderEvent.objects.filter(**names, event__in=PAYMENT_EVENTS, handled_at=None)


def _read(body: bytes) -> dict[str, Any]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadProof("The call is no JSON.") from error
    if not isinstance(told, dict):
        raise BadProof("The call is no event.")
    return told


def _entity(told: dict[str, Any], name: str) -> dict[str, Any]:
    wrapped = (told.get("payload") or {}).get(name) if isinstance(told.get("payload"), dict) else None
    entity = wrapped.get("entity") if isinstance(wrapped, dict) else None
    return entity if isinstance(entity, dict) else {}


def _short(value: Any, length: int) -> str:
    return value[:length] if isinstance(value, str) else ""


def handle_event(event: ProviderEvent) -> bool:
    """Do what follows from an event, once; unknown kinds and orders are done with by being seen.

    Raises ProviderDown or ProviderError when the provider does not answer; the clock comes back.
    """
    if event.event in PAYMENT_EVENTS:
        return _handle_payment(event)
    if event.event in REFUND_EVENTS:
        _handle_refund(event)
    if event.event.startswith(DISPUTE_EVENTS):
        _tell_of_dispute(event)
    return _close(ProviderEvent.objects.filter(pk=event.pk))


def _close(events: QuerySet[ProviderEvent]) -> bool:
    return bool(events.filter(handled_at=None).update(handled_at=timezone.now()))


def _handle_payment(event: ProviderEvent) -> bool:
    told_until_now = list(_of_the_same_payment(event).values_list("pk", flat=True))
    ours = Payment.objects.of_this_gateway().filter(razorpay_order_id=event.razorpay_order_id)
    if not _is_captured(event) and event.razorpay_payment_id and event.razorpay_order_id and ours.exists():
        settle(event.razorpay_order_id, event.razorpay_payment_id)
    if _is_captured(event):
        return _close(_of_the_same_payment(event))
    return _close(ProviderEvent.objects.filter(pk__in=[event.pk, *told_until_now]))


def _handle_refund(event: ProviderEvent) -> None:
    refund_id = _entity(json.loads(event.body), "refund").get("id")
    refund = Refund.objects.filter(razorpay_refund_id=refund_id).select_related("payment").first()
    if refund_id and refund:
        follow_refund(refund)


def _tell_of_dispute(event: ProviderEvent) -> None:
    """A payer asks their bank for the money back: somebody has to answer, so the desk gets a mail."""
    dispute = _entity(json.loads(event.body), "dispute")
    payment = Payment.objects.of_this_gateway().filter(razorpay_order_id=event.razorpay_order_id).first()
    if payment is None:
        return
    amount, until = dispute.get("amount"), dispute.get("respond_by")
    queue_mail(
        kind="payment_dispute",
        to=settings.SHOP_EMAIL,
        subject=f"Dispute about the payment of {payment.order.number}",
        template="payment_dispute",
        context={
            "number": payment.order.number,
            "payment": event.razorpay_payment_id,
            "amount": display(from_paise(amount), INR) if type(amount) is int else "",
            "event": event.event,
            "reason": _short(dispute.get("reason_code"), 200).replace("_", " "),
            "respond_by": datetime.fromtimestamp(until, UTC) if type(until) is int and 0 < until < 2**33 else None,
        },
        key=f"payment_dispute:{event.event_id}",
    )
