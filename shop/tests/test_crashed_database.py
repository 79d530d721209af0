"""PostgreSQL is stopped as by a power cut, and its backends are killed, under shoppers: what was
answered stays, and the shop serves again by itself (RELIABILITY.md 2.4). The embedded database lives in
the web workers: killing those is its crash (test_killed_workers.py)."""

import os
import random
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection, connections

from shop.catalog import stock
from shop.catalog.models import Brand, Category, Product, Variant
from shop.catalog.services import refresh_products

from .aftermath import assert_answers_are_kept, assert_ledger_matches, come_to_rest
from .conftest import free_port, serving
from .needs import lack
from .provider import stand_in
from .test_killed_workers import run_checkouts

pytestmark = [pytest.mark.database, pytest.mark.full]
CHECKOUTS, STOPS, KILLS = 500, 5, 20  # for each of the two
SERVES_AGAIN = 10.0  # seconds


@dataclass
class Cluster:
    """A PostgreSQL of this test, in a folder of its own."""

    tools: Path
    data: Path
    port: int

    def run(self, tool: str, *words: str) -> None:
        command = [str(self.tools / tool), *words]
        if os.geteuid() == 0:  # which PostgreSQL refuses to be
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def create(self) -> None:
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--encoding=UTF8")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.data}"
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.data / "log"), "-w", "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")


@pytest.fixture
def cluster(django_db_blocker, tmp_path_factory):
    """The default database is a fresh one in a cluster that may be hurt."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("SQLite has no server to crash")
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = tools[-1].parent if tools else lack("No PostgreSQL server of its own (initdb)")
    folder = Path("/tmp") / f"shop-cluster-{os.getpid()}"
    folder.mkdir()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    own = Cluster(found, folder / "data", free_port())
    kept = connections.databases["default"]
    try:
        own.create()
        with django_db_blocker.unblock():
            _use(kept | {"HOST": "127.0.0.1", "PORT": own.port, "USER": "postgres", "NAME": "postgres", "PASSWORD": ""})
            call_command("migrate", verbosity=0)
            yield own
            _use(kept)
    finally:
        own.stop()
        shutil.rmtree(folder)


def _use(database: dict) -> None:
    connection.close()
    del connections["default"]
    connections.databases["default"] = database


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
        serving(tmp_path, port=port, SECRET_KEY=settings.SECRET_KEY, **provider.settings) as shop,
    ):
        answered = run_checkouts(shop, provider, variants, checkouts=CHECKOUTS, blows=blows, strike=strike)
        come_to_rest(shop, provider)
        shop.manage("check_shop")
        assert_answers_are_kept(answered)
        assert_ledger_matches(provider)
    assert len(answered.paid) > CHECKOUTS / 3
