"""Running several people at once against the real database."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from django.db import connection, connections
from django.db.models import QuerySet

WORKERS = 40  # below the connections that a PostgreSQL takes by default
MEETING_SECONDS = 1  # for the slowest, where the lock is missing

_meeting = threading.Barrier(1)


def together(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run the jobs in threads that start at one moment; each gives its result or its exception."""
    global _meeting
    workers = min(WORKERS, len(jobs))
    start, _meeting = threading.Barrier(workers), threading.Barrier(workers)
    waiting = threading.local()

    def run(job: Callable[[], Any]) -> Any:
        if not getattr(waiting, "is_over", False):
            waiting.is_over = True
            start.wait(timeout=30)
        try:
            return job()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(run, jobs))


def without_write_lock(monkeypatch) -> None:
    """Take away what keeps writers apart: row locks, and SQLite's lock at the start of a transaction. Where each thread
    would take its first lock it waits for the others, as on a busy machine they may run one after the other."""
    have_met = threading.local()

    def unlocked(rows: QuerySet[Any], *args: Any, **kwargs: Any) -> QuerySet[Any]:
        if not getattr(have_met, "is_over", False):
            have_met.is_over = True
            with suppress(threading.BrokenBarrierError):
                _meeting.wait(MEETING_SECONDS)
        return rows.all()

    monkeypatch.setattr(QuerySet, "select_for_update", unlocked)
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connections.settings["default"]["OPTIONS"], "transaction_mode", "DEFERRED")


def of_kind(results: list[Any], kind: type) -> list[Any]:
    return [result for result in results if isinstance(result, kind)]
