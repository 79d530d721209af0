"""New releases while 20 customers check out (in short 5, whom SQLite answers on a busy machine, too): migrations, then
new processes for old ones; no checkout fails (RELIABILITY.md 2.4)."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from ..conftest import Shop, free_port, serving, wait_for
from ..support.buyers import Answered, Buyer, new_buyers
from ..support.consistency import assert_ledger_matches, assert_responses_persisted
from ..support.provider import StandIn, stand_in

pytestmark = pytest.mark.database
WORKERS = 2
PATIENCE = 300  # on a machine that has much else to do
MIGRATION = ("next_release", "0001_a_column_more")
IN_INDIA = {"deliver_to": 1, "currency": "INR"}


@contextmanager
def customers(shop: Shop, provider: StandIn, variants, answered: Answered):
    """They check out again and again until the block ends."""
    over = threading.Event()

    def keep_buying(buyer: Buyer, variant) -> None:
        while not over.is_set():
            buy(buyer, provider, variant)

    with ThreadPoolExecutor(len(variants)) as pool:
        buyers = new_buyers(shop.url, len(variants), answered)
        buying = list(map(partial(pool.submit, keep_buying), buyers, variants))
        try:
            yield
        finally:
            over.set()
        for one in buying:
            one.result()


def buy(buyer: Buyer, provider: StandIn, variant) -> None:
    buyer.insist("/add-to-cart/", {"product": variant.pk, "quantity": 1, **IN_INDIA})
    _, cart = buyer.insist("/get-cart/", IN_INDIA)
    status, answer = buyer.save_order(cart)
    assert status == 200, answer
    seen = provider.control("pay", order_id=answer["data"]["razorpay_order_id"], method="card")
    assert buyer.verify(answer["data"]["order_number"], seen["result"])


def await_checkouts(answered: Answered, more: int) -> None:
    enough, until = len(answered.paid) + more, time.monotonic() + PATIENCE
    while len(answered.paid) < enough:
        assert time.monotonic() < until, answered
        time.sleep(0.05)


def deploy(shop: Shop, releases: Path, number: int) -> None:
    """As README.md says; until nobody runs what was before."""
    (releases / "current").write_text(str(number))
    shop.manage("migrate")
    shop.parent.send_signal(signal.SIGHUP)
    until = time.monotonic() + PATIENCE
    while left := [words for pid, words in shop.processes().items() if loaded(releases).get(pid, number) != number]:
        assert time.monotonic() < until, left
        time.sleep(0.1)


def loaded(releases: Path) -> dict[int, int]:
    """The release that each process loaded last."""
    pairs = [line.split() for line in (releases / "loaded").read_text().splitlines()]
    return {int(pid): int(release) for pid, release in pairs}


def check_that_a_broken_release_is_not_taken_up(shop: Shop, releases: Path) -> None:
    before = set(shop.processes())
    (releases / "current").write_text("broken")
    shop.parent.send_signal(signal.SIGHUP)
    wait_for("The new code does not start; the old code keeps running.", shop.data / "log", shop.parent)
    assert before <= set(shop.processes())


@pytest.fixture
def releases(transactional_db, tmp_path):
    """The folder that says which release is the current one; what it migrated is taken back."""
    folder = tmp_path / "releases"
    folder.mkdir()
    (folder / "current").write_text("0")
    yield folder
    recorder = MigrationRecorder(connection)
    if MIGRATION in recorder.applied_migrations():
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE orders_order DROP COLUMN gift_note")
        recorder.record_unapplied(*MIGRATION)


@contextmanager
def shop_of_releases(data: Path, releases: Path):
    """The shop, with its provider, as one of the releases."""
    port = free_port()
    environment = {"RELEASES": str(releases), "DJANGO_SETTINGS_MODULE": "shop.tests.next_release.settings"}
    environment |= {"WEB_WORKERS": str(WORKERS)}
    with (
        stand_in(data, shop_port=port) as provider,
        serving(data, port=port, **environment, **provider.settings) as shop,
    ):
        wait_for("The web server is responding.", data / "log", shop.parent)
        yield shop, provider


@pytest.mark.parametrize(
    ("deploys", "checkouts", "buyers"),
    [(1, 10, 5), pytest.param(10, 50, 20, marks=[pytest.mark.full, pytest.mark.alone])],
    ids=["short", "long"],
)
def test_no_checkout_fails(tmp_path, releases, make_variant, figure, deploys, checkouts, buyers):
    answered, variants = Answered(), [make_variant(units=10_000) for _ in range(buyers)]
    with shop_of_releases(tmp_path, releases) as (shop, provider):
        with customers(shop, provider, variants, answered):
            check_that_a_broken_release_is_not_taken_up(shop, releases)
            for number in range(1, deploys + 1):
                await_checkouts(answered, checkouts)
                deploy(shop, releases, number)
            await_checkouts(answered, checkouts)
        assert len(shop.web_server()) == WORKERS + 1
        assert MIGRATION in MigrationRecorder(connection).applied_migrations()
        shop.manage("check_shop")
        assert_responses_persisted(answered)
        assert_ledger_matches(provider)
    failed = len(answered.refused) + answered.unable.total() + answered.cut_off
    figure(
        f"{deploys} deploys during {len(answered.paid)} checkouts: {failed} failed, "
        f"{answered.broken} connections closed between requests",
        "0 failed",
    )
    assert (answered.refused, answered.unable, answered.cut_off) == ({}, {}, 0)


@pytest.mark.full
def test_without_an_overlap_of_servers_customers_are_cut_off(tmp_path, releases, make_variant):
    answered, variants = Answered(), [make_variant(units=10_000) for _ in range(20)]
    with shop_of_releases(tmp_path, releases) as (shop, provider), customers(shop, provider, variants, answered):
        await_checkouts(answered, 10)
        os.kill(min(shop.web_server()), signal.SIGTERM)  # the watchdog starts another
        await_checkouts(answered, len(variants))
    assert answered.cut_off > 0
