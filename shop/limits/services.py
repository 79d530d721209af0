"""Atomic counters in the database, shared by every worker on every machine."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from django.db.models import F
from django.utils import timezone

from shop.errors import TooMany

from .models import Counter


def take(purpose: str, subject: str, *, limit: int, period: timedelta) -> None:
    """Count one `purpose` by `subject` and raise TooMany once `limit` in this window is passed.

    The subject (an address, a phone, a client address) is stored hashed. The counter is raised
    before anything is evaluated, so parallel callers cannot share one place. Call it in autocommit:
    inside a transaction that is rolled back, the count would be lost with it.
    """
    now = timezone.now()
    seconds = int(period.total_seconds())
    window = int(now.timestamp()) // seconds
    ends = datetime.fromtimestamp((window + 1) * seconds, UTC)
    key = f"{purpose}:{sha256(subject.encode()).hexdigest()[:40]}"
    Counter.objects.bulk_create([Counter(key=key, window=window, expires_at=ends)], ignore_conflicts=True)
    allowed = Counter.objects.filter(key=key, window=window, count__lt=limit).update(count=F("count") + 1)
    if not allowed:
        raise TooMany("Too many tries. Please wait and try again.", int((ends - now).total_seconds()) + 1)


def forget_expired() -> int:
    """Delete counters whose window is over; a chore of the clock."""
    return Counter.objects.filter(expires_at__lt=timezone.now()).delete()[0]
