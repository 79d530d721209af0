"""Atomic counters in the database, shared by every worker on every machine."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.errors import TooMany

from .models import Counter

TOO_MANY = gettext_noop("Too many attempts. Please wait and try again.")


def consume(purpose: str, subject: str, *, limit: int, period: timedelta, message: str = "") -> None:
    """Count one `purpose` by `subject` and raise TooMany once `limit` in this window is passed.

    A window begins with the first count and lasts one period, so a limit of 1 keeps counts a whole
    period apart. The subject (an address, a phone, a client) is stored hashed. The counter is
    raised before anything is evaluated, so parallel callers cannot share one place. Call it outside
    any transaction: in one that is rolled back, the count would be lost with it.
    """
    key = _key(purpose, subject)
    with transaction.atomic(durable=True):
        taken = _consume(key, limit, period)
    if not taken:
        raise TooMany(message or gettext(TOO_MANY), max(1, seconds_left(purpose, subject)))


def _consume(key: str, limit: int, period: timedelta) -> bool:
    now = timezone.now()
    counter = Counter.objects.filter(key=key)
    if counter.filter(expires_at__gt=now, count__lt=limit).update(count=F("count") + 1):
        return True
    # Whoever turns an old window into a new one, or writes the first, has counted himself with it.
    if counter.filter(expires_at__lte=now).update(count=1, expires_at=now + period):
        return True
    Counter.objects.bulk_create([Counter(key=key, expires_at=now + period)], ignore_conflicts=True)
    return bool(counter.filter(expires_at__gt=now, count__lt=limit).update(count=F("count") + 1))


def seconds_left(purpose: str, subject: str) -> int:
    """Until the window of a counter ends; 0 where none is open."""
    ends = Counter.objects.filter(key=_key(purpose, subject)).values_list("expires_at", flat=True).first()
    return max(0, ceil((ends - timezone.now()).total_seconds())) if ends else 0


def count_of(purpose: str, subject: str) -> int:
    """What was counted in the window that is open."""
    return counts_of(purpose, [subject])[0]


def counts_of(purpose: str, subjects: Sequence[str]) -> list[int]:
    """The same of several subjects, in one query."""
    keys = [_key(purpose, subject) for subject in subjects]
    open_now = Counter.objects.filter(key__in=keys, expires_at__gt=timezone.now())
    counted = dict(open_now.values_list("key", "count"))
    return [counted.get(key, 0) for key in keys]


def reset(purpose: str, subject: str) -> None:
    """Forget what was counted, after a success that shows who the subject is."""
    Counter.objects.filter(key=_key(purpose, subject)).delete()


def release(purpose: str, subject: str) -> None:
    """Take back the last count of a subject whose others stay: a client's that many people share."""
    Counter.objects.filter(key=_key(purpose, subject), count__gt=0).update(count=F("count") - 1)


def client_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 that one IPv6 subscriber has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, 64), strict=False))
    return str(parsed)


def _key(purpose: str, subject: str) -> str:
    return f"{purpose}:{sha256(subject.encode()).hexdigest()[:40]}"


def delete_expired_counters() -> int:
    """Delete counters whose window is over; a scheduled job."""
    return Counter.objects.filter(expires_at__lt=timezone.now()).delete()[0]
