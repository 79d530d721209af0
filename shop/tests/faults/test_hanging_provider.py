"""While the provider hangs, the others go on putting things in their carts (RELIABILITY.md 2.4)."""

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from ..conftest import free_port, serving
from ..support.buyers import Answered, Buyer, Unanswered, fill_carts, new_buyers
from ..support.consistency import assert_ledger_matches, drain_queues
from ..support.provider import stand_in

pytestmark = [pytest.mark.database, pytest.mark.full, pytest.mark.alone]
SHOPPERS = 600  # who put one thing in their cart, one after the other
PAYERS = 16  # who check out all the while, and again
LONGER = 1.2


def add_one(buyer: Buyer, variant_id: int) -> float:
    start = time.monotonic()
    status, _ = buyer.call("/add-to-cart/", {"product": variant_id, "quantity": 1, "deliver_to": 1, "currency": "INR"})
    assert status == 200
    return time.monotonic() - start


def p95(buyers: list[Buyer], variant_id: int) -> float:
    with ThreadPoolExecutor(2) as pool:
        seconds = list(pool.map(lambda buyer: add_one(buyer, variant_id), buyers))
    return statistics.quantiles(seconds, n=20)[-1]


def test_a_provider_that_hangs_slows_nobody_else(transactional_db, tmp_path, make_variant, figure):
    """The same crowd pays in both cases, so that what differs is the provider alone."""
    variant, paid_for = make_variant(units=5000), make_variant(units=5000)
    port, answered = free_port(), Answered()
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, LOG_LEVEL="CRITICAL", **provider.settings) as shop,
    ):

        def p95_beside_payers(status: int) -> float:
            shoppers, payers = (new_buyers(shop.url, count, answered) for count in (SHOPPERS, PAYERS))
            fill_carts(payers, [paid_for])
            over = threading.Event()
            with ThreadPoolExecutor(PAYERS) as pool:
                paying = [pool.submit(keep_paying, payer, status, over) for payer in payers]
                time.sleep(2)
                found = p95(shoppers, variant.pk)
                over.set()
                assert all(one.result() > 0 for one in paying)
            return found

        p95(new_buyers(shop.url, 50, answered), variant.pk)  # warm
        alone = p95(new_buyers(shop.url, SHOPPERS, answered), variant.pk)
        well = p95_beside_payers(200)
        for method in ("GET", "POST"):
            provider.control("faults", method=method, path="/v1/.*", name="lost_answer", times=1_000_000)
        hanging = p95_beside_payers(503)
        figure(
            f"add to cart p95: alone {alone * 1000:.0f} ms, beside payers {well * 1000:.0f} ms, "
            f"if their provider hangs {hanging * 1000:.0f} ms",
            f"at most {LONGER} times",
        )
        provider.control("faults", clear=True)
        drain_queues(shop, provider)
        shop.manage("check_shop")
        assert_ledger_matches(provider)
    assert hanging < well * LONGER


def keep_paying(payer: Buyer, status: int, over: threading.Event) -> int:
    """Check out again and again, as one does who is told that the provider does not answer; how often it
    ended with this status."""
    ended = 0
    _, cart = payer.insist("/get-cart/", {"deliver_to": 1, "currency": "INR"})
    while not over.is_set():
        with suppress(Unanswered):
            ended += payer.call("/save-orders/", payer.checkout_of(cart))[0] == status
        over.wait(2)
    return ended
