"""Points whose twelve months end: a mail two weeks before, and an entry of the ledger afterwards.

The balance needs neither: points that have ended count no more from that moment (services.py).
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import lazy
from django.utils.translation import ngettext

from shop.jobs.services import for_each
from shop.markets.geography.local_time import in_zone_of
from shop.messaging.models import Message
from shop.messaging.services import queue_mail, queue_sms
from shop.rows import each_row

from ..models import Customer, PointsEntry
from .services import Lot, expire, lock, lots_of, replay

NOTICE_PERIOD = timedelta(days=14)
LOOKED_BACK = timedelta(days=60)  # a clock that stood still for longer leaves lots without an entry


def expire_points() -> int:
    """Write down what was left of the lots that have ended, each once; a scheduled job."""
    now = timezone.now()
    ended = _customers_with_ends(now - LOOKED_BACK, now)
    return for_each("expire_points", ended, lambda customer: _write_ends(customer, now))


def notify_of_expiring_points() -> int:
    """Queue a message for each lot that ends within two weeks, once; a scheduled job."""
    now = timezone.now()

    def notify(customer: Customer) -> int:
        ending = [lot for lot in lots_of(customer.points_entries.all(), now) if lot.expires_at <= now + NOTICE_PERIOD]
        return sum(_notify(customer, lot, lot.entry) for lot in ending if lot.entry)

    return for_each("notify_of_expiring_points", _customers_with_ends(now, now + NOTICE_PERIOD), notify)


def _customers_with_ends(after: datetime, until: datetime) -> Iterator[Customer]:
    """Those with a lot that ends in a span of time, whatever is left of it."""
    ending = PointsEntry.objects.filter(expires_at__gt=after, expires_at__lte=until)
    return each_row(Customer.objects.filter(pk__in=ending.values("customer")))


@transaction.atomic
def _write_ends(customer: Customer, now: datetime) -> int:
    """Under the lock of redeeming: what was redeemed in the last moment has not ended."""
    lock(customer)
    ended = [lot for lot in replay(customer.points_entries.all())[0] if lot.left and lot.expires_at <= now]
    return sum(expire(customer, lot.left, lot.entry) for lot in ended if lot.entry)


def _subject(points: int, ends_on: date) -> str:
    words = ngettext(
        "%(points)s of your points expires on %(day)s", "%(points)s of your points expire on %(day)s", points
    )
    return words % {"points": points, "day": date_format(ends_on, "j F")}


def _notify(customer: Customer, lot: Lot, entry: PointsEntry) -> bool:
    key = f"points_end:{entry.pk}"
    if not customer.is_active or Message.objects.filter(key=key).exists():
        return False
    country = customer.addresses.default_first().values_list("country", flat=True).first()
    ends_on = in_zone_of(country, lot.expires_at).date()
    context = {"name": customer.name, "points": lot.left, "ends_on": ends_on}
    about: dict[str, Any] = {"kind": "points_end", "template": "points_end", "context": context, "key": key}
    about["language"] = customer.language
    if customer.email:
        queue_mail(to=customer.email, subject=lazy(_subject, str)(lot.left, ends_on), **about)
    elif customer.phone:
        queue_sms(to=customer.phone, **about)
    return True
