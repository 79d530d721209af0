"""The clock's scheduled jobs: each runs when it is due, in one process at a time, on any number of machines."""

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from shop.http.request_log import own_id

from .models import Chore

logger = logging.getLogger(__name__)
LEASE = timedelta(seconds=30)
RENEW_SECONDS = 10.0


def run_due_jobs() -> list[str]:
    """Run every job that is due and not running elsewhere; the names of those that ran.

    A job that raises is logged, noted on its row, and tried again when it is next due: one bad
    job does not keep the others from running.
    """
    Chore.objects.bulk_create([Chore(name=name) for name in settings.SCHEDULED_JOBS], ignore_conflicts=True)
    ran = []
    for name, every in settings.SCHEDULED_JOBS.items():
        holder = uuid.uuid4().hex
        if _claim(name, holder):
            with _renewed(name, holder), own_id():
                error = _run(name)
            _release(name, holder, every, error)
            ran.append(name)
    return ran


def _claim(name: str, holder: str) -> bool:
    """One conditional update is the lock: of two clocks exactly one changes the row."""
    now = timezone.now()
    free = Q(held_until=None) | Q(held_until__lt=now)
    return bool(Chore.objects.filter(free, name=name, due_at__lte=now).update(holder=holder, held_until=now + LEASE))


@contextmanager
def _renewed(name: str, holder: str) -> Iterator[None]:
    """Keep the lease while a long job runs."""
    done = threading.Event()

    def renew() -> None:
        try:
            while not done.wait(RENEW_SECONDS):
                Chore.objects.filter(name=name, holder=holder).update(held_until=timezone.now() + LEASE)
        finally:
            connection.close()

    thread = threading.Thread(target=renew, name=f"lease of {name}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _run(name: str) -> str:
    """The error's text, empty when all went well."""
    try:
        import_string(settings.JOB_FUNCTIONS.get(name, name))()
    except Exception as error:
        logger.exception("chore %s failed", name)
        return f"{type(error).__name__}: {error}"[:300]
    return ""


def _release(name: str, holder: str, every: timedelta, error: str) -> None:
    now = timezone.now()
    news = {"ran_at": now, "due_at": now + every, "last_error": error} | ({} if error else {"succeeded_at": now})
    Chore.objects.filter(name=name, holder=holder).update(holder="", held_until=None, **news)


def keep_statistics() -> None:
    """Scheduled job: the embedded database finds its ways well only when it knows how its rows are spread. PostgreSQL
    looks by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA analysis_limit = 1000")  # rows of an index
            cursor.execute("ANALYZE")
