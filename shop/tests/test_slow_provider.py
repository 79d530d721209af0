"""While the provider hangs, the others go on putting things in their carts (RELIABILITY.md 2.4)."""

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from .aftermath import assert_ledger_matches, come_to_rest
from .buyers import Answered, Buyer, Unanswered, fill_carts, new_buyers
from .conftest import free_port, serving
from .provider import stand_in

pytestmark = [pytest.mark.database, pytest.mark.full]
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


def test_a_provider_that_hangs_slows_nobody_else(transactional_db, tmp_path, make_variant, capsys):
    variant, paid_for = make_variant(units=5000), make_variant(units=5000)
    port, answered = free_port(), Answered()
    url = f"http://127.0.0.1:{port}"
    first, then, payers = (new_buyers(url, count, answered) for count in (SHOPPERS, SHOPPERS, PAYERS))
    fill_carts(payers, [paid_for])
    over = threading.Event()
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, SECRET_KEY=settings.SECRET_KEY, LOG_LEVEL="CRITICAL", **provider.settings) as shop,
        ThreadPoolExecutor(PAYERS) as pool,
    ):
        p95(new_buyers(url, 50, answered), variant.pk)  # warm
        undisturbed = p95(first, variant.pk)
        for method in ("GET", "POST"):
            provider.control("faults", method=method, path="/v1/.*", name="lost_answer", times=1_000_000)
        paying = [pool.submit(keep_paying, payer, over) for payer in payers]
        time.sleep(2)
        disturbed = p95(then, variant.pk)
        over.set()
        assert all(one.result() > 0 for one in paying)
        with capsys.disabled():
            figures = f"{undisturbed * 1000:.0f} ms, beside a provider that hangs {disturbed * 1000:.0f} ms"
            print(f"\nadd to cart, p95: {figures}")  # noqa: T201 (the figures of the proof)
        provider.control("faults", clear=True)
        come_to_rest(shop, provider)
        shop.manage("check_shop")
        assert_ledger_matches(provider)
    assert disturbed < undisturbed * LONGER


def keep_paying(payer: Buyer, over: threading.Event) -> int:
    """Check out as a person does who is told that the provider does not answer; how often that was."""
    told = 0
    _, cart = payer.insist("/get-cart/", {"deliver_to": 1, "currency": "INR"})
    while not over.is_set():
        try:
            status, _ = payer.call("/save-orders/", payer.checkout_of(cart))
            told += status == 503
        except Unanswered:
            pass
        over.wait(2)
    return told
