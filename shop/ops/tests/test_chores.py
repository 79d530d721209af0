import threading
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.module_loading import import_string

from .. import scheduler
from ..models import Chore
from ..scheduler import run_due_chores

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
def chores(settings):
    runs.clear()
    settings.CHORES = {f"{__name__}.sweep": timedelta(minutes=1)}
    return settings.CHORES


def test_a_chore_runs_once_and_is_due_again_after_its_interval(db):
    assert run_due_chores() == [f"{__name__}.sweep"]
    assert run_due_chores() == []
    Chore.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert run_due_chores() == [f"{__name__}.sweep"]
    assert runs == ["sweep", "sweep"]


def test_a_broken_chore_is_noted_and_keeps_nothing_else_from_running(db, settings):
    settings.CHORES = {f"{__name__}.break_down": timedelta(minutes=1), **settings.CHORES}
    run_due_chores()
    assert runs == ["break_down", "sweep"]
    assert Chore.objects.get(pk=f"{__name__}.break_down").last_error == "RuntimeError: out of soap"


def test_a_chore_that_runs_elsewhere_is_left_alone(db):
    Chore.objects.create(
        name=f"{__name__}.sweep", holder="elsewhere", held_until=timezone.now() + timedelta(seconds=20)
    )
    assert run_due_chores() == []


def test_a_chore_whose_runner_was_killed_is_taken_up_again(db):
    Chore.objects.create(name=f"{__name__}.sweep", holder="killed", held_until=timezone.now() - timedelta(seconds=1))
    assert run_due_chores() == [f"{__name__}.sweep"]


def test_a_long_chore_keeps_its_lease(transactional_db, settings, monkeypatch):
    settings.CHORES = {f"{__name__}.take_long": timedelta(0)}
    monkeypatch.setattr(scheduler, "LEASE", timedelta(seconds=0.2))
    monkeypatch.setattr(scheduler, "RENEW_SECONDS", 0.05)
    clock = threading.Thread(target=_run_and_close)
    clock.start()
    time.sleep(0.35)
    assert run_due_chores() == []
    clock.join()


@pytest.mark.database
def test_of_two_clocks_one_runs_the_chore(transactional_db, settings):
    settings.CHORES = {f"{__name__}.take_long": timedelta(minutes=1)}
    _run_at_once(2)
    assert runs == ["take_long"]


@pytest.mark.database
def test_without_the_lease_both_clocks_would_run_it(transactional_db, settings, monkeypatch):
    settings.CHORES = {f"{__name__}.take_long": timedelta(minutes=1)}
    monkeypatch.setattr(scheduler, "_claim", lambda name, holder: True)
    _run_at_once(2)
    assert runs == ["take_long", "take_long"]


def _run_and_close() -> None:
    try:
        run_due_chores()
    finally:
        connection.close()


def _run_at_once(clocks: int) -> None:
    threads = [threading.Thread(target=_run_and_close) for _ in range(clocks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_every_chore_of_the_shop_is_there():
    assert all(callable(import_string(name)) for name in settings.CHORES)


@pytest.mark.django_db(transaction=True)
def test_the_embedded_database_learns_how_its_rows_are_spread(make_variant):
    make_variant()
    scheduler.keep_statistics()
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tbl FROM sqlite_stat1 WHERE tbl = 'catalog_variant'")
        assert cursor.fetchone()
        cursor.execute("DELETE FROM sqlite_stat1")
