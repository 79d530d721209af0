"""Running several people at once against the real database."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, connections
from django.db.models import QuerySet

WORKERS = 40  # below the connections that a PostgreSQL takes by default


def together(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run the jobs in threads that start at one moment; each gives its result or its exception."""
    workers = min(WORKERS, len(jobs))
    start = threading.Barrier(workers)
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
    """Take away what keeps writers apart: row locks, and SQLite's lock at the start of a transaction."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, *args, **kwargs: rows.all())
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connections.settings["default"]["OPTIONS"], "transaction_mode", "DEFERRED")


def of_kind(results: list[Any], kind: type) -> list[Any]:
    return [result for result in results if isinstance(result, kind)]
