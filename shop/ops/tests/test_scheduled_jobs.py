import threading
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from django.utils.module_loading import import_string

from shop import settings as shop_settings

from .. import scheduler
from ..models import Chore
from ..scheduler import run_due_jobs

runs: list[str] = []


def sweep() -> None:
    runs.append("sweep")


def break_down() -> None:
    runs.append("break_down")
    raise RuntimeError("out of soap")


def take_long() -> None:
    runs.append("take_long")
    time.sleep(0.5)


@pytest.fixture(autouse=True)
def scheduled_jobs(settings):
    runs.clear()
    settings.SCHEDULED_JOBS = {f"{__name__}.sweep": timedelta(minutes=1)}
    return settings.SCHEDULED_JOBS


def test_a_job_runs_once_and_is_due_again_after_its_interval(db):
    assert run_due_jobs() == [f"{__name__}.sweep"]
    assert run_due_jobs() == []
    Chore.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert run_due_jobs() == [f"{__name__}.sweep"]
    assert runs == ["sweep", "sweep"]


def test_a_broken_job_is_noted_and_keeps_nothing_else_from_running(db, settings):
    settings.SCHEDULED_JOBS = {f"{__name__}.break_down": timedelta(minutes=1), **settings.SCHEDULED_JOBS}
    run_due_jobs()
    assert runs == ["break_down", "sweep"]
    assert Chore.objects.get(pk=f"{__name__}.break_down").last_error == "RuntimeError: out of soap"


def test_a_job_that_runs_elsewhere_is_left_alone(db):
    Chore.objects.create(
        name=f"{__name__}.sweep", holder="elsewhere", held_until=timezone.now() + timedelta(seconds=20)
    )
    assert run_due_jobs() == []


def test_a_job_whose_runner_was_killed_is_taken_up_again(db):
    Chore.objects.create(name=f"{__name__}.sweep", holder="killed", held_until=timezone.now() - timedelta(seconds=1))
    assert run_due_jobs() == [f"{__name__}.sweep"]


def test_a_long_job_keeps_its_lease(transactional_db, settings, monkeypatch):
    settings.SCHEDULED_JOBS = {f"{__name__}.take_long": timedelta(0)}
    monkeypatch.setattr(scheduler, "LEASE", timedelta(seconds=0.2))
    monkeypatch.setattr(scheduler, "RENEW_SECONDS", 0.05)
    clock = threading.Thread(target=_run_and_close)
    clock.start()
    time.sleep(0.35)
    assert run_due_jobs() == []
    clock.join()


@pytest.mark.database
def test_of_two_clocks_one_runs_the_job(transactional_db, settings):
    settings.SCHEDULED_JOBS = {f"{__name__}.take_long": timedelta(minutes=1)}
    _run_at_once(2)
    assert runs == ["take_long"]


@pytest.mark.database
def test_without_the_lease_both_clocks_would_run_it(transactional_db, settings, monkeypatch):
    settings.SCHEDULED_JOBS = {f"{__name__}.take_long": timedelta(minutes=1)}
    monkeypatch.setattr(scheduler, "_claim", lambda name, holder: True)
    _run_at_once(2)
    assert runs == ["take_long", "take_long"]


def _run_and_close() -> None:
    try:
        run_due_jobs()
    finally:
        connection.close()


def _run_at_once(clocks: int) -> None:
    threads = [threading.Thread(target=_run_and_close) for _ in range(clocks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_every_job_of_the_shop_is_there():
    names = shop_settings.JOB_FUNCTIONS
    assert all(callable(import_string(names.get(name, name))) for name in shop_settings.SCHEDULED_JOBS)
    assert names.keys() <= shop_settings.SCHEDULED_JOBS.keys()


def test_a_job_keeps_its_name_when_its_function_is_renamed(db, settings):
    settings.SCHEDULED_JOBS = {"shop.sweep_up": timedelta(minutes=1)}
    settings.JOB_FUNCTIONS = {"shop.sweep_up": f"{__name__}.sweep"}
    assert run_due_jobs() == ["shop.sweep_up"] and runs == ["sweep"]
    assert Chore.objects.get().name == "shop.sweep_up"


@pytest.mark.django_db(transaction=True)
def test_the_embedded_database_learns_how_its_rows_are_spread(make_variant):
    make_variant()
    scheduler.keep_statistics()
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tbl FROM sqlite_stat1 WHERE tbl = 'catalog_variant'")
        assert cursor.fetchone()
        cursor.execute("DELETE FROM sqlite_stat1")
