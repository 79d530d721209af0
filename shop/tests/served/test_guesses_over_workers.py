"""200 guesses at once on one code of a shop with three web workers, half of them without the session that
waits for it: five are compared, before and after a restart (RELIABILITY.md 24, C18)."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from shop.accounts.models import Code, Customer
from shop.accounts.otp.services import GUESSES, WRONG_OTP
from shop.tests.support.codes import other_code

from ..conftest import Shop, serving
from .visitors import PATIENCE, Visitor

pytestmark = pytest.mark.database
EMAIL = "ravi.iyer@example.com"
AT_ONCE = 200
REFUSED = (400, WRONG_OTP)


@pytest.fixture(autouse=True)
def one_product(transactional_db, make_variant):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


@contextmanager
def watched_shop(folder: Path, **environment: str):
    """Three web workers that note each guess they compare."""
    environment |= {
        "DJANGO_SETTINGS_MODULE": "shop.tests.guess_watch.settings",
        "GUESSES_COMPARED": str(folder / "compared"),
        "WEB_WORKERS": "3",
    }
    with serving(folder, **environment) as shop:
        yield shop


def compared(folder: Path) -> int:
    file = folder / "compared"
    return len(file.read_text().splitlines()) if file.exists() else 0


def sign_up(shop: Shop) -> tuple[Visitor, str]:
    """The visitor whose session waits for the code, and the code."""
    visitor = Visitor(shop.url)
    answer = visitor.ask("/user-register/", user_name="Ravi Iyer", email_id=EMAIL, password="honey and amla")
    assert answer.status_code == 200, answer.text
    return visitor, shop.mailed_code(EMAIL)


def guess(visitor: Visitor, digits: str) -> tuple[int, str]:
    answer = visitor.ask("/verify-otp/", email_id=EMAIL, otp_code=digits)
    return answer.status_code, answer.json()["detail"]


def guess_at_once(shop: Shop, cookies, right: str) -> Counter:
    """The answers to wrong guesses, every second one with the session of the sign-up."""
    together = threading.Barrier(AT_ONCE, timeout=PATIENCE)

    def one(turn: int) -> tuple[int, str]:
        visitor = Visitor(shop.url)
        if turn % 2:
            visitor.cookies.update(cookies)
        together.wait()
        return guess(visitor, other_code(right, turn=turn))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(one, range(1, AT_ONCE + 1)))


def test_of_two_hundred_guesses_over_three_workers_five_are_compared_also_after_a_restart(tmp_path):
    with watched_shop(tmp_path) as shop:
        visitor, right = sign_up(shop)
        assert [guess(visitor, other_code(right, turn=turn)) for turn in (1, 2)] == [REFUSED, REFUSED]
        assert compared(tmp_path) == Code.objects.get().tries == 2
    with watched_shop(tmp_path) as shop:
        assert sum("granian" in words for words in shop.processes().values()) >= 3
        assert guess_at_once(shop, visitor.cookies, right) == {REFUSED: AT_ONCE}
        assert compared(tmp_path) == Code.objects.get().tries == GUESSES
        assert guess(Visitor(shop.url), right) == REFUSED
        visitor.url = shop.url
        assert guess(visitor, right) == REFUSED
    assert compared(tmp_path) == GUESSES
    assert not Customer.objects.exists()


def test_counted_carelessly_more_than_five_would_be_compared(tmp_path):
    with watched_shop(tmp_path, GUESSES_MISCOUNTED="1") as shop:
        visitor, right = sign_up(shop)
        guess_at_once(shop, visitor.cookies, right)
    assert compared(tmp_path) > GUESSES
