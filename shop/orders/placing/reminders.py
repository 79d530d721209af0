"""Reminders of an order that waits for its payment: while its items are still reserved, and once they no longer are."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone

from shop.jobs.services import for_each
from shop.messaging.models import Message

from ..models import Order
from ..notifications import queue_payment_reminder

REMIND_BEFORE = timedelta(minutes=10)
MIN_AGE = timedelta(minutes=10)  # who has just checked out is still paying


def remind_of_payment() -> int:
    """Scheduled job: one message for each order whose reservation ends soon. Whoever was told of a failed payment
    has had the same link."""
    return for_each("remind_of_payment", _ending_soon(), _remind)


def _ending_soon() -> QuerySet[Order]:
    now = timezone.now()
    sent = Message.objects.filter(
        key__in=[Concat(Value(f"{kind}:"), OuterRef("number")) for kind in ("payment_reminder", "payment_failed")]
    )
    soon = Order.objects.held().filter(
        ~Exists(sent),
        status=Order.Status.PENDING,
        hold_expires_at__gt=now,
        hold_expires_at__lte=now + REMIND_BEFORE,
        created_at__lte=now - MIN_AGE,
    )
    return soon.order_by("hold_expires_at")


@transaction.atomic
def _remind(order: Order) -> bool:
    """Under the order's lock, so that nobody who has just paid is asked to pay."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    if locked.status != Order.Status.PENDING or not locked.is_held():
        return False
    queue_payment_reminder(locked)
    return True
