"""Two app servers behind nginx, workers and clocks elsewhere, PostgreSQL with a standby behind PgBouncer, Redis and
buckets: each of them is killed, restarted, stopped or filled while customers check out and visitors read. Nothing but
the database and the shared store holds state (RELIABILITY.md 61)."""

import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import requests
from django.conf import settings as shop_settings
from django.db import connection

from shop.catalog.models import Picture, Variant
from shop.catalog.pictures.services import add_picture
from shop.catalog.pictures.tests.test_pictures import image_bytes
from shop.catalog.tasks import request_pictures

from ..buckets.server import PUBLIC, Buckets, use_buckets
from ..conftest import await_true, database_url, free_port
from ..faults.test_crashed_database import new_variants
from ..faults.test_deploy import await_checkouts
from ..faults.test_killed_workers import buy
from ..faults.test_stopped_redis import RedisServer
from ..support.buyers import Answered, new_buyers
from ..support.clusters import Cluster, own_cluster, own_pooler
from ..support.consistency import assert_ledger_matches, assert_responses_persisted, drain_queues
from ..support.nginx import require_nginx
from ..support.provider import StandIn, stand_in
from .machines import Machine, balanced, machines

pytestmark = pytest.mark.database
PAGES = (
    "/en-in/", "/en-in/products/ayurveda/", "/en-in/product/balm-0/", "/en-in/search/balm/", "/en-in/cart/",
)  # fmt: skip
READERS = 2
PATIENCE = 60.0  # seconds for one answer
MAX_AWAY = 60.0  # seconds until somebody has paid again after PostgreSQL or its pooler was restarted


@dataclass
class Readers:
    """Visitors who read one page after the other."""

    url: str
    statuses: Counter[int] = field(default_factory=Counter)
    failed: int = 0

    def read(self, over: threading.Event) -> None:
        session = requests.Session()
        session.trust_env = False
        while not over.is_set():
            status = 0
            with suppress(requests.RequestException):
                status = session.get(self.url + random.choice(PAGES), timeout=PATIENCE).status_code
            self.statuses[status] += 1
            self.failed += status != 200
            time.sleep(0.05)


@dataclass
class Load:
    """Customers and visitors, and what each blow cost them."""

    url: str
    provider: StandIn
    variants: list[Variant]
    buyers: int
    checkouts: int  # to be paid after each blow
    answered: Answered = field(default_factory=Answered)
    costs: Counter[str] = field(default_factory=Counter)
    away: dict[str, float] = field(default_factory=dict)  # seconds until somebody paid after the blow, the longest

    def __post_init__(self) -> None:
        self.readers = Readers(self.url)

    @contextmanager
    def running(self) -> Iterator[None]:
        over = threading.Event()

        def keep_buying(buyer) -> None:
            while not over.is_set():
                buy(buyer, self.provider, random.sample(self.variants, k=2), ("card",))

        with ThreadPoolExecutor(self.buyers + READERS) as pool:
            people = [pool.submit(keep_buying, one) for one in new_buyers(self.url, self.buyers, self.answered)]
            people += [pool.submit(self.readers.read, over) for _ in range(READERS)]
            try:
                await_checkouts(self.answered, self.checkouts)
                yield
            finally:
                over.set()
            for one in people:
                one.result()

    def failed(self) -> int:
        """Answers that somebody did not get, or that said "not just now"."""
        return self.answered.broken + self.answered.unable.total() + self.readers.failed

    def strike(self, name: str, blow: Callable[[], object]) -> None:
        before, began = self.failed(), time.monotonic()
        blow()
        await_checkouts(self.answered, 1)
        self.away[name] = max(self.away.get(name, 0.0), time.monotonic() - began)
        await_checkouts(self.answered, self.checkouts)
        self.costs[name] += self.failed() - before


@contextmanager
def bucket_server(folder: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """Its address and its process, which can be stopped: a server that hangs."""
    port = free_port()
    program = Path(shop_settings.BASE_DIR, ".venv", "bin", "moto_server")
    with (folder / "buckets.log").open("wb") as log:
        process = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with suppress(requests.ConnectionError):
            return requests.get(f"{url}/moto-api/", timeout=PATIENCE).ok
        return False

    try:
        await_true(answers)
        yield url, process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait()


def restart(cluster: Cluster) -> None:
    connection.close()  # this process's own
    cluster.stop()
    cluster.start()


def assert_a_picture_is_completed(buckets: Buckets) -> None:
    """Kept here, completed by a worker elsewhere, and read by everybody."""
    picture = add_picture(image_bytes((900, 900), kind="PNG"))
    request_pictures()
    await_true(lambda: Picture.objects.get(pk=picture.pk).is_complete)
    folder = str(picture.file).rpartition("/")[0]
    names = {name for name in buckets.names(PUBLIC) if name.startswith(folder)}
    assert len(names) > 3 and {buckets.get(f"{buckets.url}/{name}").status_code for name in names} == {200}


@pytest.fixture
def folder():
    """PostgreSQL, which does not run as root, reads in it."""
    if shop_settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("Several machines need PostgreSQL")
    require_nginx()
    folder = Path("/tmp") / f"shop-machines-{os.getpid()}"
    folder.mkdir()
    (folder / "database").mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def site(folder, django_db_blocker, settings, monkeypatch):
    """site(apps=2): all of it, served until the test ends."""
    opened = ExitStack()
    opened.enter_context(django_db_blocker.unblock())

    def open_site(*, apps: int) -> Site:
        return opened.enter_context(_site(folder, settings, monkeypatch, apps))

    with opened:
        yield open_site


@dataclass
class Site:
    url: str
    apps: list[Machine]
    others: list[Machine]
    provider: StandIn
    buckets: Buckets
    variants: list[Variant]
    blows: dict[str, Callable[[], object]]


@contextmanager
def _site(folder: Path, settings, monkeypatch: pytest.MonkeyPatch, count: int) -> Iterator[Site]:
    redis, port = RedisServer(folder, free_port()), free_port()
    with (
        own_cluster(folder / "database") as primary,
        own_pooler() as pooler,
        bucket_server(folder) as (store, bucket_process),
        use_buckets(store, settings, monkeypatch) as buckets,
        stand_in(folder, shop_port=port) as provider,
        running(redis),
    ):
        variants = new_variants(6, units=1_000_000)
        standby = primary.create_standby(folder / "database" / "standby")
        shared = {
            "DATABASE_URL": pooler.url,
            "DATABASE_DIRECT_URL": database_url(),
            "DATABASE_REPLICA_URL": f"postgres://postgres@127.0.0.1:{standby.port}/postgres",
            "REDIS_URL": redis.url,
            "SHOP_URL": f"http://127.0.0.1:{port}",
            "TRUSTED_PROXY_COUNT": "1",
            "WEB_WORKERS": "1",
        }
        shared |= provider.settings | buckets.environment
        apps = [Machine(folder / f"app-{number}", shared, ("web",)) for number in range(count)]
        others = [Machine(folder / f"worker-{number}", shared, ("worker", "clock")) for number in range(2)]
        blows = {
            "app server lost and replaced": lambda: random.choice(apps).replace(),
            "worker and clock lost and replaced": lambda: random.choice(others).replace(),
            "Redis killed": redis.kill,
            "Redis back with wrong data": redis.come_back_wrong,
            "Redis hanging": redis.hang,
            "Redis full": redis.be_full,
            "Redis well": redis.recover,
            "standby stopped": standby.stop,
            "standby started": standby.start,
            "buckets hanging": partial(bucket_process.send_signal, signal.SIGSTOP),
            "buckets well": partial(bucket_process.send_signal, signal.SIGCONT),
            "PgBouncer restarted": pooler.restart,
            "PostgreSQL restarted": partial(restart, primary),
        }
        url = f"http://127.0.0.1:{port}"
        with machines(*apps, *others), balanced(folder / "nginx", port, *apps):
            yield Site(url, apps, others, provider, buckets, variants, blows)


@contextmanager
def running(redis: RedisServer) -> Iterator[None]:
    redis.start()
    try:
        yield
    finally:
        redis.kill()


@pytest.mark.parametrize(
    ("buyers", "checkouts", "rounds"),
    [(4, 4, 1), pytest.param(16, 40, 5, marks=[pytest.mark.full, pytest.mark.alone])],
    ids=["short", "long"],
)
def test_each_of_them_is_hurt_under_load(site, figure, buyers, checkouts, rounds):
    opened = site(apps=2)
    load = Load(opened.url, opened.provider, opened.variants, buyers, checkouts)
    with load.running():
        for name, blow in list(opened.blows.items()) * rounds:
            load.strike(name, blow)
    assert_a_picture_is_completed(opened.buckets)
    worker = opened.others[0].running[0]
    drain_queues(worker, opened.provider)
    worker.manage("check_shop")
    assert_responses_persisted(load.answered)
    assert_ledger_matches(opened.provider)
    check_costs(load, figure, clients=buyers + READERS, rounds=rounds)


@pytest.mark.full
def test_without_a_second_app_server_a_lost_one_costs_more(site):
    opened = site(apps=1)
    load = Load(opened.url, opened.provider, opened.variants, buyers=4, checkouts=4)
    with load.running():
        load.strike("app server", opened.blows["app server lost and replaced"])
    assert load.costs["app server"] > 4 + READERS


def check_costs(load: Load, figure, *, clients: int, rounds: int) -> None:
    for name, cost in load.costs.items():
        if name in ("PgBouncer restarted", "PostgreSQL restarted"):
            figure(f"{name}: {cost} answers, paid again after {load.away[name]:.1f} s", f"{MAX_AWAY:.0f} s")
            assert load.away[name] < MAX_AWAY, load.away
            continue
        in_hand = clients * rounds if name.startswith("app server") else 0
        figure(f"{name}: {cost} answers", f"{in_hand}")
        assert cost <= in_hand, (load.costs, load.readers.statuses, load.answered.unable)
    pages = load.readers.statuses
    figure(f"{pages.total()} pages, {len(load.answered.paid)} orders paid", "none lost, none doubled")
