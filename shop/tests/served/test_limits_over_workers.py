"""Limits of a shop with three web workers, asked by many at once: as much as is allowed is done and all else refused,
whichever worker is asked (RELIABILITY.md 26, C4 and C19 over workers)."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
import requests

from shop.accounts.models import Customer

from ..conftest import Shop
from .test_guesses_over_workers import watched_shop
from .visitors import PATIENCE, Visitor

pytestmark = pytest.mark.database
EMAIL = "asha@example.com"
MORE = 30  # than are allowed
numbers = count(10_000)


def sign_in(visitor: Visitor) -> requests.Response:
    return visitor.ask("/user-login/", email_id=EMAIL, password=f"a guess {next(numbers)}")


def track(visitor: Visitor) -> requests.Response:
    return visitor.submit("/trackorders/", number="ORD-AAAAAAAAA", phone=f"98765{next(numbers)}")


def use_coupon(visitor: Visitor) -> requests.Response:
    return visitor.ask("/apply-coupon/", coupon_code=f"GUESS{next(numbers)}")


def count_search(visitor: Visitor) -> requests.Response:
    return visitor.ask("/api/searches/", query=f"soap {next(numbers)}")


# How often each is answered at all, and with what.
LIMITS: dict[Callable[[Visitor], requests.Response], tuple[int, int]] = {
    sign_in: (5, 400),
    track: (10, 404),
    use_coupon: (20, 422),
    count_search: (60, 204),
}


@pytest.fixture
def variant(transactional_db, make_variant, real_passwords):
    Customer.objects.create_user(EMAIL, "correct horse battery", name="Asha Rao")
    return make_variant()


def answers(shop: Shop, ask: Callable[[Visitor], requests.Response], variant_id: int) -> Counter:
    """Statuses of what is asked at once over connections of their own, for one cart."""
    guest = Visitor(shop.url)
    assert guest.ask("/add-to-cart/", product=variant_id).status_code == 200
    many = LIMITS[ask][0] + MORE
    together = threading.Barrier(many, timeout=PATIENCE)

    def one(_: int) -> int:
        visitor = Visitor(shop.url)
        visitor.cookies.update(guest.cookies)
        together.wait()
        return ask(visitor).status_code

    with ThreadPoolExecutor(many) as pool:
        return Counter(pool.map(one, range(many)))


def allowed(ask: Callable[[Visitor], requests.Response]) -> Counter:
    limit, status = LIMITS[ask]
    return Counter({status: limit, 429: MORE})


def test_limits_hold_over_three_workers(tmp_path, variant):
    with watched_shop(tmp_path) as shop:
        assert {ask: answers(shop, ask, variant.pk) for ask in LIMITS} == {ask: allowed(ask) for ask in LIMITS}


def test_counted_carelessly_more_would_be_allowed(tmp_path, variant):
    with watched_shop(tmp_path, GUESSES_MISCOUNTED="1") as shop:
        assert answers(shop, track, variant.pk) != allowed(track)
