"""Visits: every process counts in memory (VisitMiddleware) and adds that to the rows every few seconds.

Its limits: a page answered by a cache in front of the shop or by the browser's own is not seen; a process that is
killed loses what it counted in the last WRITE_SECONDS; a program that pretends to be a browser counts; two visits
of one person on a day are two, for nobody is recognised.
"""

import atexit
import logging
import threading

from django.db import DatabaseError, connection

from shop.http.middleware import VisitMiddleware

from .models import VisitCount

logger = logging.getLogger(__name__)
WRITE_SECONDS = 15.0


def write_down() -> int:
    """Add what this process counted since the last time, in one statement; how many rows that changed.

    The database adds, so that processes do not overwrite each other's counts. What it does not take is counted on,
    to be written the next time.
    """
    counted = VisitMiddleware.take()
    if not counted:
        return 0
    table = VisitCount._meta.db_table
    values = ", ".join(["(%s, %s, %s, %s)"] * len(counted))
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} (day, kind, country, times) VALUES {values} "  # nosec B608 (names of our own)
                f"ON CONFLICT (day, kind, country) DO UPDATE SET times = {table}.times + excluded.times",
                [part for key, times in sorted(counted.items()) for part in (*key, times)],
            )
    except DatabaseError:
        VisitMiddleware.release(counted)
        raise
    return len(counted)


def keep_writing_down() -> None:
    """Start this process's writer; what is left when the process ends is written then."""
    ended = threading.Event()

    def write_until_the_end() -> None:
        while not ended.wait(WRITE_SECONDS):
            _try()

    threading.Thread(target=write_until_the_end, name="visits", daemon=True).start()
    atexit.register(_try)


def _try() -> None:
    try:
        write_down()
    except DatabaseError:
        logger.exception("visits cannot be written down")
    finally:
        connection.close()
