"""/healthz, /readyz and /metrics: what programs ask of a process."""

from contextlib import contextmanager

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from shop.catalog.tasks import work_on_import
from shop.http.redis_cache import FaultTolerantClient

from .. import health, metrics

BEARER = {"Authorization": "Bearer the token of the tests"}


@pytest.fixture
def counting(settings, client):
    settings.METRICS_TOKEN = "the token of the tests"
    return client


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setitem(health._known, "migrated", False)


@contextmanager
def without_database():
    def fail(*given, **more):
        raise DatabaseError("password=hunter2 host=10.0.0.1")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "cursor", fail)
        yield


def test_a_living_process_says_so_without_a_database(client):
    with without_database():
        answer = client.get("/healthz", headers={"Host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.content, answer["Cache-Control"]) == (200, b"ok\n", "no-store")
    assert not answer.cookies
    assert client.post("/healthz").status_code == 405


def test_a_shop_that_has_all_it_needs_is_ready(db, client):
    answer = client.get("/readyz", headers={"Host": "10.1.2.3"})
    assert answer.status_code == 200, answer.content
    fine = dict.fromkeys(["database", "cache", "data folder", "buckets", "search server", "indexes", "cdn"], "ok")
    assert answer.json() == {"ready": True, **fine}
    assert answer["Cache-Control"] == "no-store" and not answer.cookies


def test_a_database_that_is_away_is_named_and_nothing_of_its_address_is(client):
    with without_database():
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "The database is not responding (DatabaseError)."
    assert b"hunter2" not in answer.content


def test_migrations_that_wait_are_named(db, client):
    [(label, name)] = MigrationLoader(connection).graph.leaf_nodes("running")
    MigrationRecorder(connection).record_unapplied(label, name)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (
        503,
        f"Migrations not applied yet: running.{name}.",
    )


def test_a_folder_that_cannot_be_written_is_named(db, client, settings, tmp_path):
    settings.DATA_DIR = tmp_path / "gone"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["data folder"]) == (
        503,
        "The data folder is not writable (No such file or directory).",
    )


def test_redis_is_named_where_it_is_configured_and_done_without(db, client, settings, monkeypatch):
    monkeypatch.setattr(FaultTolerantClient, "retry_after", 0.0)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {
        "default": {"BACKEND": "shop.http.redis_cache.FaultTolerantCache", "LOCATION": settings.REDIS_URL}
    }
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["cache"]) == (200, "Redis isn't keeping the data written to it.")


@pytest.mark.parametrize("path", ["/en-in/healthz", "/en-in/readyz", "/en-in/metrics", "/metrics"])
def test_there_is_none_behind_a_market_and_no_figure_without_its_token(db, client, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", "Basic dGhl", "the token of the tests", "Bearer ä"])
def test_figures_are_for_who_has_the_token(db, counting, given):
    assert counting.get("/metrics", headers={"Authorization": given}).status_code == 404


def test_requests_are_counted_under_their_route(db, counting, make_variant):
    counted = metrics.requests.labels(route="home", method="GET", status="200")
    before = counted._value.get()
    assert counting.get("/en-in/").status_code == 200
    assert counted._value.get() == before + 1
    counting.get("/en-in/no-such-page-at-all/")
    said = counting.get("/metrics", headers=BEARER).content.decode()
    assert 'shop_requests_total{method="GET",route="home",status="200"}' in said
    assert "no-such-page" not in said and "/metrics" not in said
    assert 'shop_request_seconds_bucket{le="0.1",route="home"}' in said


def test_the_shop_s_rows_are_figures(db, counting):
    said = counting.get("/metrics", headers=BEARER | {"Host": "10.0.0.9"}).content.decode()
    names = {line.split()[2] for line in said.splitlines() if line.startswith("# TYPE")}
    assert names >= {
        "shop_outbox_waiting",
        "shop_outbox_oldest_seconds",
        "shop_orders_placed_total",
        "shop_payments_captured_total",
        "shop_refunds_owed",
        "shop_holds_expired_total",
        "shop_tasks_waiting",
        "shop_chore_succeeded_timestamp_seconds",
    }
    assert "shop_rows_readable 1.0" in said


def test_each_queue_has_a_figure(db, counting):
    work_on_import.enqueue(1)
    said = counting.get("/metrics", headers=BEARER).content.decode()
    waiting = [
        line for line in said.splitlines() if line.startswith(("shop_tasks_waiting", "shop_queue_tasks_waiting"))
    ]
    assert sorted(waiting) == [
        'shop_queue_tasks_waiting{queue="default"} 0.0',
        'shop_queue_tasks_waiting{queue="imports"} 1.0',
        'shop_queue_tasks_waiting{queue="pictures"} 0.0',
        "shop_tasks_waiting 1.0",
    ]


def test_without_a_database_the_other_figures_are_told(db, counting):
    with without_database():
        said = counting.get("/metrics", headers=BEARER).content.decode()
    assert "shop_rows_readable 0.0" in said and "shop_orders_placed_total" not in said


def test_errors_of_the_database_are_counted():
    import logging

    counter = metrics.database_errors.labels("DatabaseError")
    before = counter._value.get()
    handler = metrics.DatabaseErrorCounter()
    for error in (DatabaseError("gone"), ValueError("another")):
        handler.handle(logging.LogRecord("x", logging.ERROR, "", 1, "failed", (), (type(error), error, None)))
    assert counter._value.get() == before + 1


def test_nothing_is_counted_without_a_token(db, client):
    assert settings.METRICS_TOKEN == ""
    samples = [sample for family in metrics.requests.collect() for sample in family.samples]
    client.get("/en-in/no-such-page/")
    assert [sample for family in metrics.requests.collect() for sample in family.samples] == samples
