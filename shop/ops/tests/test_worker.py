"""The worker ends when it is told to, and not because the database was away."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django_tasks import task

from shop.markets.models import Location

from ..management.commands import worker

WRITE_SECONDS = 5  # a lock left behind holds for 20


def test_a_worker_that_was_told_to_stop_during_a_task_ends_after_it(monkeypatch):
    """db_worker comes back then, instead of ending the process."""
    runs = []

    def db_worker(name, **options):
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

    def stopped_right_after_begin(name, **options):
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


done: list[str] = []


@task(queue_name="imports", priority=0)
def some_import():
    done.append("import")


@task(priority=60)
def some_payment():
    done.append("payment")


@task(queue_name="pictures", priority=-50)
def some_pictures():
    done.append("pictures")


@pytest.fixture
def waiting(transactional_db):
    done.clear()
    for each in (some_pictures, some_import, some_payment):
        each.enqueue()


def test_one_worker_takes_the_most_urgent_of_all_queues_first(waiting):
    call_command("db_worker", "--batch", "--no-startup-delay", queue_name=",".join(worker.settings.TASK_QUEUES))
    assert done == ["payment", "import", "pictures"]


def test_a_worker_of_one_queue_leaves_the_others_alone(waiting, monkeypatch):
    monkeypatch.setattr(worker, "call_command", partial(call_command, batch=True, startup_delay=False))
    worker._run_tasks(["imports"])
    assert done == ["import"]


def test_what_an_earlier_release_queued_is_done(transactional_db):
    """There was one queue then."""
    done.clear()
    some_pictures.using(queue_name="default").enqueue()
    call_command("db_worker", "--batch", "--no-startup-delay", queue_name="default")
    assert done == ["pictures"]


def test_a_queue_that_there_is_not_is_refused():
    with pytest.raises(CommandError, match="no queue mails, only messages, default, pictures, imports"):
        worker.Command().handle(queues="messages,mails")
