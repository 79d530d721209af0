"""Visitors' pages from a streaming standby that is held back, stopped and started again: no page is older than a second
more than the standby, nobody is refused, and who wrote something reads the primary."""

import os
import shutil
import signal
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings as shop_settings
from django.db import OperationalError, connection, connections
from django.test import Client

from shop.cart.coupons import standing_offers
from shop.cart.models import Coupon
from shop.catalog.models import Product, Variant
from shop.catalog.services import refresh_products
from shop.content.models import HomeRow
from shop.invalidation import replica as replica_module
from shop.invalidation import replica_timeouts, subscriptions
from shop.invalidation.replica import ALIAS, Replica, replica
from shop.markets.caching.replica_reads import WROTE_COOKIE, WROTE_SECONDS, WroteMiddleware
from shop.prepared import PreparedQuery

from ..conftest import await_true
from ..faults.test_crashed_database import new_variants
from ..support.clusters import own_cluster

pytestmark = [pytest.mark.database]
WROTE = f"{WroteMiddleware.__module__}.{WroteMiddleware.__name__}"
OLD, NEW = "₹100", "₹77"
SEEN_WITHIN = 2.0  # seconds after the standby has it
HANGS_SECONDS = 6.0  # until nobody waits for a standby that hangs


@pytest.fixture(scope="module")
def standby(django_db_blocker):
    """A cluster of the module's own, whose database is the default one, and a standby of it."""
    if shop_settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("SQLite has no standby")
    folder = Path("/tmp") / f"shop-replica-{os.getpid()}"
    folder.mkdir()
    try:
        with django_db_blocker.unblock(), own_cluster(folder) as primary:
            new_variants(6, units=50)
            standby = primary.create_standby(folder / "standby")
            own = {"PORT": standby.port, "OPTIONS": shop_settings.REPLICA_OPTIONS}
            connections.databases[ALIAS] = connections.databases["default"] | own
            try:
                yield standby
            finally:
                connections[ALIAS].close()
                with suppress(Exception):
                    standby.stop()
                del connections[ALIAS], connections.databases[ALIAS]
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def held_back(standby):
    """held_back(): the standby receives and does not replay until the block ends."""

    @contextmanager
    def hold():
        _on_standby("SELECT pg_wal_replay_pause()")
        await_true(lambda: _on_standby("SELECT pg_get_wal_replay_pause_state()") == "paused")
        try:
            yield
        finally:
            _on_standby("SELECT pg_wal_replay_resume()")

    return hold


def _on_standby(sql):
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


@pytest.fixture
def ask(standby, settings, monkeypatch):
    """ask("balm-1"): the page of a product, as a web process with a replica and kept pages answers it."""
    settings.HAS_REPLICA = True
    settings.DATABASE_ROUTERS = ["shop.invalidation.replica.ReplicaRouter"]
    settings.MIDDLEWARE = [WROTE, *settings.MIDDLEWARE]
    settings.PAGE_CACHE_BYTES = 4 * 2**20
    monkeypatch.setattr(subscriptions, "EVERY_SECONDS", 1.0)
    monkeypatch.setattr(replica_module, "BACKOFF_SECONDS", 0.5)
    replica.__init__()  # type: ignore[misc]
    Variant.objects.update(selling_price=100, actual_price=100)
    refresh_products(Product.objects.values_list("pk", flat=True))
    subscriptions.reset()

    def ask(slug, client=None):
        answer = (client or Client()).get(f"/en-in/product/{slug}/" if slug else "/en-in/products/ayurveda/")
        assert answer.status_code == 200, answer
        return answer.content.decode()

    await_true(lambda: ask("balm-5") and replica.is_usable)
    yield ask
    replica.__init__()  # type: ignore[misc]
    subscriptions.reset()


def change_price(slug):
    Variant.objects.filter(product__slug=slug).update(selling_price=77, actual_price=77)
    refresh_products(Product.objects.filter(slug=slug).values_list("pk", flat=True))


def seconds_until(fact):
    began = time.monotonic()
    await_true(fact)
    return time.monotonic() - began


def test_a_page_is_no_older_than_a_second_more_than_the_standby(ask, held_back, figure):
    assert OLD in ask("balm-0")
    with held_back():
        change_price("balm-0")
        time.sleep(2.5)
        assert OLD in ask("balm-0") and replica.is_usable
    took = seconds_until(lambda: NEW in ask("balm-0"))
    assert took < SEEN_WITHIN
    assert replica.is_usable
    figure(f"the new price {took:.1f} s after the standby had it", f"{SEEN_WITHIN:.0f} s")


def test_without_reading_changes_where_pages_are_read_the_old_price_would_be_kept(ask, held_back, monkeypatch):
    assert OLD in ask("balm-0")
    monkeypatch.setattr(subscriptions._Subscriptions, "_ask_where_pages_are_read", subscriptions._Subscriptions._ask)
    with held_back():
        change_price("balm-0")
        assert OLD in ask("balm-0")  # made anew of old rows
    time.sleep(SEEN_WITHIN + 1)
    assert OLD in ask("balm-0")


def test_who_wrote_something_reads_the_primary_for_a_while(ask, held_back):
    writer = Client(headers={"sec-fetch-site": "same-origin"})
    with held_back():
        for slug in ("balm-0", "balm-1", "balm-2"):
            change_price(slug)
        assert OLD in ask("balm-0")
        searched = writer.post("/search/", {"query": "balm", "deliver_to": 1}, content_type="application/json")
        assert searched.status_code == 200 and WROTE_COOKIE not in writer.cookies  # it only reads
        assert OLD in ask("balm-2", writer)
        variant = Variant.objects.get(product__slug="balm-3")
        added = writer.post("/add-to-cart/", {"product": variant.pk, "quantity": 1, "deliver_to": 1, "currency": "INR"},
                            content_type="application/json")  # fmt: skip
        assert added.status_code == 200 and added.cookies[WROTE_COOKIE]["max-age"] == WROTE_SECONDS
        assert NEW in ask("balm-1", writer)
        assert WROTE_COOKIE not in Client().get("/en-in/product/balm-4/").cookies


def test_a_product_that_the_standby_does_not_have_yet_is_left_out(ask, held_back):
    """Also where the index of who wrote something knows it already."""
    brothers = Product.objects.get(slug="balm-0")
    with held_back():
        new = Product.objects.create(
            name="Zinc Balm", slug="zinc-balm", brand=brothers.brand, category=brothers.category, is_published=True
        )
        Variant.objects.create(product=new, sku="Z1", selling_price=100, actual_price=100)
        refresh_products([new.pk])
        subscriptions.reset()
        await_true(lambda: ask("balm-5") and replica.is_usable)
        subscriptions.reset()  # the index is gone; the replica is read as before
        writer = Client()
        writer.cookies[WROTE_COOKIE] = "1"
        shown = writer.get("/en-in/products/ayurveda/?sort=newest").content.decode()
        assert "Zinc Balm" in shown
        seen = Client().get("/en-in/products/ayurveda/?sort=price")
        assert seen.status_code == 200
        assert Client().get("/en-in/product/zinc-balm/").status_code == 404
    await_true(lambda: "Zinc Balm" in ask(""))
    new.delete()


def test_a_standby_that_is_stopped_refuses_nobody(ask, standby, figure):
    slugs = [f"balm-{number}" for number in range(5)]
    standby.stop()
    began = time.monotonic()
    for slug in slugs:
        change_price(slug)  # pages are made anew
        assert ask(slug)
    said = Client().get("/readyz").json()
    assert said["ready"] and "The read replica is not responding" in said["read replica"]
    took = seconds_until(lambda: all(NEW in ask(slug) for slug in slugs))
    assert time.monotonic() - began < 10
    standby.start()
    back = seconds_until(lambda: ask("balm-5") and replica.is_usable)
    assert back < 5 and all(NEW in ask(slug) for slug in slugs)
    assert Client().get("/readyz").json()["read replica"] == "ok"
    figure(f"0 refused; new prices within {took:.1f} s, read again {back:.1f} s after its start", "0 refused")


def test_changes_that_could_not_be_read_there_end_its_use(ask, held_back):
    """A query is cancelled, as replaying may do, and its connection goes on."""
    assert OLD in ask("balm-0") and replica.is_usable
    with held_back():
        change_price("balm-0")
        subscriptions.check_at_once()
        with cancelled_query():
            subscriptions.catch_up()
        assert not replica.is_usable
        time.sleep(1.1)
        assert NEW in ask("balm-0") and not replica.is_usable
    await_true(lambda: ask("balm-5") and replica.is_usable)
    assert NEW in ask("balm-0")


@contextmanager
def cancelled_query():
    """Queries of changes end in the block, at their time limit."""
    connections[ALIAS].ensure_connection()
    _on_standby("SELECT set_config('statement_timeout', '50', false)")
    ask = subscriptions._Subscriptions._ask

    def slow(self, now, source="default"):
        if source == ALIAS:
            _on_standby("SELECT pg_sleep(1)")
        ask(self, now, source)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subscriptions._Subscriptions, "_ask", slow)
        yield
    _on_standby("SELECT set_config('statement_timeout', '5000', false)")


def test_what_orders_are_reckoned_by_does_not_follow_the_standby(ask, held_back):
    assert standing_offers() == () and replica.is_usable
    with held_back():
        Coupon.objects.create(code="LATE", kind="percent", percent=10, is_automatic=True)
        assert [coupon.code for coupon, _ in standing_offers()] == ["LATE"]
        Coupon.objects.all().delete()
        await_true(lambda: standing_offers() == ())
        assert not replica.is_usable
    await_true(lambda: ask("balm-5") and replica.is_usable)


def test_without_reading_changes_to_the_shop_from_the_primary_they_would(ask, held_back, monkeypatch):
    monkeypatch.setattr(subscriptions._Subscriptions, "_lacks_shop_changes", lambda self: False)
    assert standing_offers() == () and replica.is_usable
    with held_back():
        Coupon.objects.create(code="LATE", kind="percent", percent=10, is_automatic=True)
        for _ in range(3):
            assert standing_offers() == ()
            time.sleep(0.6)
        Coupon.objects.all().delete()


def test_a_standby_that_hangs_is_left_and_read_again(ask, standby, figure):
    """Its processes are stopped: connections stay, and nothing answers."""
    assert OLD in ask("balm-0") and replica.is_usable
    processes = standby.processes()
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        change_price("balm-0")
        took = seconds_until(lambda: NEW in ask("balm-0"))
        assert not replica.is_usable and took < HANGS_SECONDS
        said = Client().get("/readyz").json()
        assert said["ready"] and "The read replica is not responding" in said["read replica"]
        longest = max(seconds_until(lambda slug=slug: ask(slug)) for slug in ("balm-1", "balm-2", "balm-3"))
    finally:
        for pid in processes:
            os.kill(pid, signal.SIGCONT)
    back = seconds_until(lambda: ask("balm-5") and replica.is_usable)
    assert back < HANGS_SECONDS and longest < HANGS_SECONDS and NEW in ask("balm-0")
    figure(f"left after {took:.1f} s, read again after {back:.1f} s", f"{HANGS_SECONDS:.0f} s")


def test_a_page_that_was_being_read_there_when_it_hung_is_answered(ask, standby):
    assert OLD in ask("balm-0")
    processes = standby.processes()
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        subscriptions.reset()
        subscriptions._subscriptions.due_at = time.monotonic() + 60  # nobody has noticed yet
        began = time.monotonic()
        assert OLD in ask("balm-0") and not replica.is_usable
        assert time.monotonic() - began < HANGS_SECONDS + replica_timeouts.QUERY_SECONDS
    finally:
        for pid in processes:
            os.kill(pid, signal.SIGCONT)


def test_a_query_there_ends_at_its_limit(ask, monkeypatch):
    connections[ALIAS].close()
    monkeypatch.setattr(replica_timeouts, "QUERY_SECONDS", 0.2)
    with pytest.raises(OperationalError, match="statement timeout"):
        _on_standby("SELECT pg_sleep(3)")
    connections[ALIAS].close()


def test_a_part_of_a_page_that_met_an_error_is_not_left_out(ask, standby):
    """The home page leaves out a row that it cannot fill; one that the replica failed is asked of the primary."""
    HomeRow.objects.create(kind=HomeRow.Kind.HOT_SELLING, is_published=True)
    subscriptions.reset()
    standby.stop()
    replica.is_usable = True
    subscriptions._subscriptions.due_at = time.monotonic() + 60  # nobody has noticed yet
    try:
        assert "balm-0" in Client().get("/en-in/").content.decode()
        assert not replica.is_usable
    finally:
        standby.start()


def test_one_that_is_late_is_left_and_comes_back_with_all_that_was_read(ask, held_back, monkeypatch):
    monkeypatch.setattr(replica_module, "MAX_LAG_SECONDS", 1.5)
    assert OLD in ask("balm-0")
    with held_back():
        change_price("balm-0")
        await_true(lambda: NEW in ask("balm-0"))
        assert not replica.is_usable
        change_price("balm-1")
        await_true(lambda: NEW in ask("balm-1"))
        assert "seconds behind" in Client().get("/readyz").json()["read replica"]
    seen = set()
    await_true(lambda: seen.update(price for slug in ("balm-0", "balm-1") for price in (OLD, NEW) if price in ask(slug))
               or replica.is_usable)  # fmt: skip
    assert NEW in ask("balm-0") and NEW in ask("balm-1") and seen == {NEW}


def test_a_prepared_query_reads_there_too(ask, held_back):
    find = PreparedQuery(lambda pk: Variant.objects.filter(pk=pk))
    variant = Variant.objects.get(product__slug="balm-0")
    with held_back():
        change_price("balm-0")
        assert [row.selling_price for row in find(variant.pk)] == [77]
        token = replica_module.is_visitors_read.set(True)
        try:
            assert [row.selling_price for row in find(variant.pk)] == [100]
        finally:
            replica_module.is_visitors_read.reset(token)


def test_the_figures_tell_of_it(ask, settings):
    settings.METRICS_TOKEN = "token"
    said = Client().get("/metrics", headers={"Authorization": "Bearer token"}).content.decode()
    assert "shop_replica_in_use 1.0" in said and "shop_replica_lag_seconds" in said


def test_a_process_of_its_own_starts_without_it():
    assert not Replica().is_usable and connection.alias == "default"
