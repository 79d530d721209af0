"""The worker ends when it is told to, and not because the database was away."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection

from shop.markets.models import Location

from ..management.commands import worker

WRITE_SECONDS = 5  # a lock left behind holds for 20


def test_a_worker_that_was_told_to_stop_during_a_task_ends_after_it(monkeypatch):
    """db_worker comes back then, instead of ending the process."""
    runs = []

    def db_worker(name):
        runs.append(name)
        if len(runs) == 1:
            raise DatabaseError("away")

    monkeypatch.setattr(worker, "call_command", db_worker)
    monkeypatch.setattr(worker, "PAUSE_SECONDS", 0)
    worker._run_tasks()
    assert runs == ["db_worker", "db_worker"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_worker_told_to_stop_right_after_begin_leaves_no_lock_behind(monkeypatch):
    """db_worker exits where the signal meets it, mostly where it waits for a transaction to begin, and no block
    ends that one. Its sending thread, which still notes what was sent, would wait for the lock."""

    def stopped_right_after_begin(name):
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        Location.objects.filter(code="IN").update(name="India")
        raise SystemExit

    monkeypatch.setattr(worker, "call_command", stopped_right_after_begin)
    with pytest.raises(SystemExit):
        worker._run_tasks()
    with ThreadPoolExecutor(1) as sending_thread:
        assert sending_thread.submit(_write).result(timeout=WRITE_SECONDS) == 1


def _write():
    try:
        return Location.objects.filter(code="IN").update(name="India")
    finally:
        connection.close()
