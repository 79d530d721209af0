"""What the provider tells us unasked: stored as it came, worked on afterwards.

A webhook is a hint. Whatever follows from it is decided from a fresh question to the provider.
"""

import json
from typing import Any

from django.utils import timezone

from shop.errors import BadProof

from .keys import is_webhook_signature
from .models import Payment, ProviderEvent, Refund
from .refunds import follow_refund
from .settling import settle

PAYMENT_EVENTS = {"payment.authorized", "payment.captured", "payment.failed", "order.paid"}
REFUND_EVENTS = {"refund.created", "refund.processed", "refund.failed", "refund.speed_changed"}


def store_event(*, body: bytes, signature: str, event_id: str) -> None:
    """Keep a webhook call, once by its event id.

    Raises BadProof for a wrong or missing signature or id, before anything is written.
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
    ProviderEvent.objects.bulk_create([event], ignore_conflicts=True)


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
        _handle_payment(event)
    elif event.event in REFUND_EVENTS:
        _handle_refund(event)
    return bool(ProviderEvent.objects.filter(pk=event.pk, handled_at=None).update(handled_at=timezone.now()))


def _handle_payment(event: ProviderEvent) -> None:
    ours = Payment.objects.of_this_gateway().filter(razorpay_order_id=event.razorpay_order_id)
    if event.razorpay_payment_id and event.razorpay_order_id and ours.exists():
        settle(event.razorpay_order_id, event.razorpay_payment_id)


def _handle_refund(event: ProviderEvent) -> None:
    refund_id = _entity(json.loads(event.body), "refund").get("id")
    refund = Refund.objects.filter(razorpay_refund_id=refund_id).select_related("payment").first()
    if refund_id and refund:
        follow_refund(refund)
