"""PostgreSQL is stopped as by a power cut, and its backends are killed, under shoppers: what was
answered stays, and the shop serves again by itself (RELIABILITY.md 2.4). The embedded database lives in
the web workers: killing those is its crash (test_killed_workers.py)."""

import os
import random
import shutil
import signal
import time
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError, connection

from shop.catalog.models import Brand, Category, Product, Variant
from shop.catalog.services import refresh_products
from shop.catalog.stock import services as stock

from ..conftest import free_port, serving
from ..support.clusters import Cluster, own_cluster
from ..support.consistency import assert_ledger_matches, assert_responses_persisted, drain_queues
from ..support.provider import stand_in
from .test_killed_workers import run_checkouts

pytestmark = [pytest.mark.database, pytest.mark.full]
CHECKOUTS, STOPS, KILLS = 500, 5, 20  # for each of the two
SERVES_AGAIN = 10.0  # seconds


@pytest.fixture
def cluster(django_db_blocker):
    """The default database is a fresh one in a cluster that may be hurt."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("SQLite has no server to crash")
    folder = Path("/tmp") / f"shop-cluster-{os.getpid()}"
    folder.mkdir()
    try:
        with django_db_blocker.unblock(), own_cluster(folder) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder)


def new_variants(count: int, units: int) -> list[Variant]:
    brand = Brand.objects.create(name="Vanamitra", slug="vanamitra")
    category = Category.objects.create(name="Ayurveda", slug="ayurveda")
    made = []
    for number in range(count):
        product = Product.objects.create(
            name=f"Balm {number}", slug=f"balm-{number}", brand=brand, category=category, is_published=True
        )
        made.append(Variant.objects.create(product=product, sku=f"B{number}", selling_price=100, actual_price=100))
        stock.receive(made[-1], units)
    refresh_products([variant.product_id for variant in made])
    return made


def pull_the_plug(cluster: Cluster) -> int:
    cluster.stop()
    cluster.start()
    _let_it_recover()
    return 1


def kill_a_backend() -> int:
    """kill -9 of one server process, upon which PostgreSQL restarts all of them."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            pids = [pid for (pid,) in cursor.fetchall()]
        if not pids:
            return 0
        os.kill(random.choice(pids), signal.SIGKILL)
    except (OperationalError, ProcessLookupError):
        return 0
    finally:
        connection.close()
    time.sleep(0.2)  # until the server has seen it
    _let_it_recover()
    return 1


def _let_it_recover() -> None:
    """Wait until the database serves again, then for some checkouts in between."""
    start = time.monotonic()
    while not _answers():
        assert time.monotonic() - start < SERVES_AGAIN
        time.sleep(0.1)
    time.sleep(2)


def _answers() -> bool:
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    connection.close()
    return True


@pytest.mark.parametrize("blow", ["stop", "kill"])
def test_what_was_answered_outlives_the_database(cluster, tmp_path, blow):
    variants = new_variants(6, CHECKOUTS * 2)
    port = free_port()
    strike, blows = (partial(pull_the_plug, cluster), STOPS) if blow == "stop" else (kill_a_backend, KILLS)
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, **provider.settings) as shop,
    ):
        answered = run_checkouts(shop, provider, variants, checkouts=CHECKOUTS, blows=blows, strike=strike)
        drain_queues(shop, provider)
        shop.manage("check_shop")
        assert_responses_persisted(answered)
        assert_ledger_matches(provider)
    assert len(answered.paid) > CHECKOUTS / 3
