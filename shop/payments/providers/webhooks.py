"""What the provider tells us unasked: stored as it came, worked on afterwards.

A webhook is a hint. Whatever follows from it is decided from a fresh question to the provider.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from shop.errors import VerificationFailed
from shop.http.api import storable_text
from shop.messaging.services import queue_mail
from shop.money import INR, display, from_paise

from ..models import Payment, ProviderEvent, Refund
from ..queries import ProviderEventQuerySet
from ..reconciliation.settlement import settle
from ..refunds.services import follow_refund
from .base import is_no_answer
from .registry import verified_event_id

PAYMENT_EVENTS = {"payment.authorized", "payment.captured", "payment.failed", "order.paid"}
REFUND_EVENTS = {"refund.created", "refund.processed", "refund.failed", "refund.speed_changed"}
DISPUTE_EVENTS = "payment.dispute."
MAX_ATTEMPTS = 10  # then an event is left to the staff
UNANSWERED_FOR = timedelta(days=1)  # so long an event waits for a provider that does not answer

logger = logging.getLogger(__name__)


def store_event(*, body: bytes, headers: Mapping[str, str]) -> str:
    """Keep a webhook call, once by its event id, which it returns where there is anything to do about it now.

    There is not where it is known, where the payment was captured already, or where an event of the same payment
    waits: that one's work is this one's. Raises VerificationFailed where no provider signed it and for a body that
    is no JSON object in UTF-8, before anything is written.
    """
    event_id = verified_event_id(body, headers)
    if not event_id or len(event_id) > 80:
        raise VerificationFailed("The call could not be verified.")
    content = _read(body)
    if _is_known(event_id, body):
        return ""
    money = _entity(content, "payment")
    event = ProviderEvent(
        event_id=event_id,
        event=_short(content.get("event"), 60),
        body=body.decode(),
        razorpay_order_id=_short(money.get("order_id"), 40),
        razorpay_payment_id=_short(money.get("id"), 40),
    )
    is_news = True
    if event.event in PAYMENT_EVENTS:
        if _is_captured(event):
            event.handled_at = event.received_at
        is_news = event.handled_at is None and not _of_the_same_payment(event).waiting().exists()
    ProviderEvent.objects.bulk_create([event], ignore_conflicts=True)
    return event_id if is_news else ""


def _is_captured(event: ProviderEvent) -> bool:
    """No event of a payment changes anything once its money is here."""
    captured = Payment.objects.filter(status=Payment.Status.CAPTURED, razorpay_payment_id=event.razorpay_payment_id)
    return captured.filter(razorpay_order_id=event.razorpay_order_id).exists()


def _of_the_same_payment(event: ProviderEvent) -> ProviderEventQuerySet:
    """Events that wait to be worked on, and that one question to the provider settles together."""
    names = {name: getattr(event, name) for name in ("razorpay_order_id", "razorpay_payment_id")}
    return ProviderEvent.objects.filter(**names, event__in=PAYMENT_EVENTS, handled_at=None)


def _is_known(event_id: str, body: bytes) -> bool:
    """Whether an event of this id is kept; one that comes again with another body is logged, and the first stays."""
    kept = ProviderEvent.objects.filter(event_id=event_id).values_list("body", flat=True).first()
    if kept is not None and kept.encode() != body:
        logger.warning("event %s came again with another body, which is ignored", event_id)
    return kept is not None


def _read(body: bytes) -> dict[str, Any]:
    """The event of a body. Given text, the parser takes no byte order mark and guesses no other encoding."""
    try:
        content = json.loads(body.decode())
        for text in _texts(content):
            storable_text(text)
    except (ValueError, RecursionError) as error:
        raise VerificationFailed("The call is no JSON.") from error
    if not isinstance(content, dict):
        raise VerificationFailed("The call is no event.")
    return content


def _texts(value: Any) -> Iterator[str]:
    """Every text inside a JSON value, the names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _entity(content: dict[str, Any], name: str) -> dict[str, Any]:
    wrapped = (content.get("payload") or {}).get(name) if isinstance(content.get("payload"), dict) else None
    entity = wrapped.get("entity") if isinstance(wrapped, dict) else None
    return entity if isinstance(entity, dict) else {}


def _short(value: Any, length: int) -> str:
    return value[:length] if isinstance(value, str) else ""


def waiting_events() -> ProviderEventQuerySet:
    """Events to handle here. Those of payments at the other provider (simulated or real) are left to processes
    that are set up for it: this one could only take them for unknown."""
    elsewhere = Payment.objects.filter(razorpay_order_id=OuterRef("razorpay_order_id")).of_the_other_gateway()
    return ProviderEvent.objects.waiting().filter(~Exists(elsewhere))


def note_failure(event: ProviderEvent, error: Exception) -> None:
    """Count a try of an event that failed; after MAX_ATTEMPTS it is given up, which staff see.

    A provider that does not answer is no fault of the event: that takes UNANSWERED_FOR as well.
    """
    logger.warning("event %s could not be handled: %s", event.event_id, error, exc_info=not is_no_answer(error))
    rows = ProviderEvent.objects.filter(pk=event.pk).waiting()
    rows.update(tries=F("tries") + 1, last_error=f"{type(error).__name__}: {error}"[:300])
    spent = rows.filter(tries__gte=MAX_ATTEMPTS)
    if is_no_answer(error):
        spent = spent.filter(received_at__lt=timezone.now() - UNANSWERED_FOR)
    spent.update(failed_at=timezone.now())


def retry_event(event: ProviderEvent) -> None:
    """Let an event that was given up be handled again, with as many tries as before."""
    ProviderEvent.objects.filter(pk=event.pk).failed().update(failed_at=None, tries=0)


def handle_event(event: ProviderEvent) -> bool:
    """Do what follows from an event, once; unknown kinds and orders are done with by being seen.

    Raises ProviderDown or ProviderError when the provider does not answer; the clock comes back.
    """
    if event.event in PAYMENT_EVENTS:
        return _handle_payment(event)
    if event.event in REFUND_EVENTS:
        _handle_refund(event)
    if event.event.startswith(DISPUTE_EVENTS):
        _notify_of_dispute(event)
    return _close(ProviderEvent.objects.filter(pk=event.pk))


def _close(events: QuerySet[ProviderEvent]) -> bool:
    return bool(events.filter(handled_at=None).update(handled_at=timezone.now()))


def _handle_payment(event: ProviderEvent) -> bool:
    status_so_far = list(_of_the_same_payment(event).values_list("pk", flat=True))
    ours = Payment.objects.of_this_gateway().filter(razorpay_order_id=event.razorpay_order_id)
    if not _is_captured(event) and event.razorpay_payment_id and event.razorpay_order_id and ours.exists():
        settle(event.razorpay_order_id, event.razorpay_payment_id)
    if _is_captured(event):
        return _close(_of_the_same_payment(event))
    return _close(ProviderEvent.objects.filter(pk__in=[event.pk, *status_so_far]))


def _handle_refund(event: ProviderEvent) -> None:
    refund_id = _entity(json.loads(event.body), "refund").get("id")
    refund = Refund.objects.filter(razorpay_refund_id=refund_id).select_related("payment").first()
    if refund_id and refund:
        follow_refund(refund)


def _notify_of_dispute(event: ProviderEvent) -> None:
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
