"""The worker ends when it is told to, and not because the database was away."""

from django.db import DatabaseError

from ..management.commands import worker


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
