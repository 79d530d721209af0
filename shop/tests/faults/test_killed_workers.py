"""Web workers are killed in the middle of checkouts while the provider misbehaves: nothing is lost,
nothing happens twice, and the money is where the rows say (RELIABILITY.md 2.4)."""

import itertools
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from django.db import connection

from shop.catalog.stock import services as stock
from shop.orders.models import Order
from shop.payments.simulator.faults import CALL_FAULTS, ORDER_FAULTS

from ..conftest import Shop, free_port, serving
from ..support.buyers import Answered, Buyer, new_buyers
from ..support.consistency import assert_ledger_matches, assert_responses_persisted, drain_queues
from ..support.provider import StandIn, stand_in

pytestmark = [pytest.mark.database]
BUYERS = 20
WORKERS = 2
OLD_ENOUGH = 6.0  # seconds
ENOUGH = 1 / 3  # of the checkouts, to be paid
MAX_TIMES = 4  # the checkouts, after which too few paid are a failure
METHODS = ("card", "card", "netbanking", "upi")
# A third of the orders goes well. Answers that are lost or too large take their time each.
MIX = {"none": 12.0} | dict.fromkeys([*CALL_FAULTS, *sorted(ORDER_FAULTS)], 1.0) | {"lost_answer": 0.3, "huge": 0.3}


def run_checkouts(
    shop: Shop, provider: StandIn, variants, *, checkouts: int, blows: int, strike: Callable[[], int], paid: float = 0
) -> Answered:
    """20 customers check out one after the other, `checkouts` in all or more, until `strike` did its harm
    `blows` times (it says whether it could just now) and more than `paid` are paid: how many the provider's
    faults leave of few is chance."""
    answered = Answered()
    begun = itertools.count(1)
    all_struck = threading.Event()

    def wants_more(number: int) -> bool:
        too_few = paid > 0 and len(answered.paid) <= paid and number <= checkouts * MAX_TIMES
        return number <= checkouts or not all_struck.is_set() or too_few

    def buy_until_enough(buyer: Buyer) -> None:
        while wants_more(next(begun)):
            buy(buyer, provider, random.sample(variants, k=random.choice((1, 2))))

    with ThreadPoolExecutor(BUYERS) as pool:
        buying = [pool.submit(buy_until_enough, buyer) for buyer in new_buyers(shop.url, BUYERS, answered)]
        struck = 0
        while struck < blows and not any(one.done() for one in buying):
            time.sleep(random.uniform(0.1, 0.6))
            struck += strike()
        all_struck.set()
        for one in buying:
            one.result()
    return answered


def buy(buyer: Buyer, provider: StandIn, variants, methods=METHODS) -> None:
    """Put something in the cart, check out, pay, and hand the result over, if the window gives one."""
    for variant in variants:
        buyer.insist("/add-to-cart/", {"product": variant.pk, "quantity": 1, "deliver_to": 1, "currency": "INR"})
    _, cart = buyer.insist("/get-cart/", {"deliver_to": 1, "currency": "INR"})
    status, answer = buyer.save_order(cart)
    if status != 200:
        return
    order_id, number = answer["data"]["razorpay_order_id"], answer["data"]["order_number"]
    try:
        seen = provider.control("pay", order_id=order_id, method=random.choice(methods))
    except OSError:  # the window refuses: paid already, from another try
        return
    if result := seen.get("result"):
        buyer.verify(number, result)


def assert_the_file_is_sound() -> None:
    """The embedded database lived in the workers that were killed."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def assert_a_lie_is_found(provider: StandIn) -> None:
    """The comparison itself: with one paid order less it must fail."""
    Order.objects.filter(pk=Order.objects.filter(status=Order.Status.PLACED).first().pk).update(status="cancelled")
    with pytest.raises(AssertionError):
        assert_ledger_matches(provider)


def kill_a_worker(shop: Shop) -> int:
    """kill -9 of one web worker; its parent starts another. Says whether there was one to kill.

    The web server takes a worker that dies twice within 5.5 seconds for one that cannot start, and ends;
    so each grows old enough before, and they die one after the other.
    """
    ages = {pid: _age(pid) for pid in shop.web_server()}
    workers = sorted(ages, key=ages.__getitem__)[:-1]  # the oldest is their parent
    if len(workers) < WORKERS or ages[workers[0]] < OLD_ENOUGH / WORKERS or ages[workers[-1]] < OLD_ENOUGH:
        return 0
    os.kill(workers[-1], signal.SIGKILL)
    return 1


def _age(pid: int) -> float:
    """Seconds since a process was started; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    ("checkouts", "kills"), [(50, 3), pytest.param(1000, 50, marks=pytest.mark.full)], ids=["short", "long"]
)
def test_nothing_is_lost_and_nothing_doubled(transactional_db, tmp_path, make_variant, figure, checkouts, kills):
    variants = [make_variant(price=str(100 + number), units=checkouts * 2) for number in range(6)]
    port = free_port()
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, WEB_WORKERS=str(WORKERS), **provider.settings) as shop,
    ):
        provider.control("faults", mix=MIX)
        answered = run_checkouts(
            shop,
            provider,
            variants,
            checkouts=checkouts,
            blows=kills,
            strike=partial(kill_a_worker, shop),
            paid=checkouts * ENOUGH,
        )
        drain_queues(shop, provider)
        assert_the_file_is_sound()
        shop.manage("check_shop")
        assert_responses_persisted(answered)
        assert_ledger_matches(provider)
        assert_a_lie_is_found(provider)
    assert len(answered.paid) > checkouts * ENOUGH
    assert stock.Variant.objects.filter(held__gt=0).count() == 0
    figure(
        f"{kills} kills during {checkouts} checkouts, {len(answered.paid)} of them paid: each kept, once",
        "0 lost, 0 doubled",
    )
