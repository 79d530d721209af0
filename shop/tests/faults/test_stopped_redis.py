"""Redis is killed, comes back with wrong data, hangs and is full while customers check out: nobody notices, and
limits hold, for they are counted in the database (RELIABILITY.md 44 and 2.4)."""

import pickle
import random
import shutil
import signal
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from redis import Redis
from redis.exceptions import ConnectionError

from shop.accounts.models import Customer

from ..conftest import Shop, await_true, free_port, serving
from ..served.test_guesses_over_workers import REFUSED, guess, sign_up
from ..served.visitors import PATIENCE, Visitor
from ..support.buyers import Answered, new_buyers
from ..support.codes import other_code
from ..support.consistency import assert_ledger_matches, assert_responses_persisted
from ..support.needs import lack
from ..support.provider import stand_in
from .test_killed_workers import buy

pytestmark = pytest.mark.database
PAGES = ("/sitemap.xml", "/en-in/", "/search/product/", "/en-in/cart/", "/readyz", "/admin/")
KEPT = {"sitemap-index", "waiting", "readyz"}
WRONG = [b"7", b"\x80\x05 no pickle", pickle.dumps({"pack": None}), b"\xff" * 10_000]
WRONG_PASSWORD = {"email_id": "owner@example.com", "password": "wrong one"}


@dataclass
class RedisServer:
    """A Redis of this test, which keeps nothing on disk."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def ask(self) -> Redis:
        return Redis.from_url(self.url)

    def start(self) -> None:
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen(["redis-server", *words], stdout=subprocess.DEVNULL)
        await_true(self._answers)

    def _answers(self) -> bool:
        try:
            return self.ask().ping()
        except ConnectionError:
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def come_back_wrong(self) -> None:
        self.start()
        for key, wrong in zip(KEPT, random.sample(WRONG, k=len(KEPT)), strict=True):
            self.ask().set(f":1:{key}", wrong)

    def hang(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def be_full(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        self.ask().config_set("maxmemory-policy", "noeviction")
        self.ask().config_set("maxmemory", 1)

    def recover(self) -> None:
        self.ask().config_set("maxmemory", 0)

    def holds_what_the_shop_keeps(self) -> bool:
        return {key.decode().rpartition(":")[2] for key in self.ask().scan_iter()} >= KEPT


@pytest.fixture
def redis(tmp_path):
    if shutil.which("redis-server") is None:
        lack("No redis-server on this machine")
    server = RedisServer(tmp_path, free_port())
    server.start()
    yield server
    server.kill()


class Office:
    """A member of staff, in whose browser every page that asks Redis is opened, and others."""

    def __init__(self, shop: Shop) -> None:
        (member,) = new_buyers(shop.url, 1, Answered())
        Customer.objects.filter(pk=member.customer_id).update(is_staff=True, is_superuser=True)
        self.browser = Visitor(shop.url)
        self.browser.cookies.set(settings.SESSION_COOKIE_NAME, member.session)
        self.answers: Counter[tuple[str, int]] = Counter()

    def open_pages(self) -> None:
        for path in PAGES:
            answer = self.browser.get(self.browser.url + path, timeout=PATIENCE)
            self.answers[path, answer.status_code] += 1

    def failed(self) -> int:
        return sum(count for (_, status), count in self.answers.items() if status != 200)


class Guesser:
    """Somebody who guesses a code and a password."""

    def __init__(self, shop: Shop) -> None:
        self.visitor, self.right = sign_up(shop)
        self.codes: list[tuple[int, str]] = []
        self.passwords: list[int] = []

    def guess(self, times: int) -> None:
        for _ in range(times):
            self.codes.append(guess(self.visitor, other_code(self.right, turn=len(self.codes) + 1)))
            self.passwords.append(self.visitor.ask("/user-login/", **WRONG_PASSWORD).status_code)

    def assert_five_were_compared(self) -> None:
        assert self.passwords == [400] * 5 + [429]
        assert self.codes == [REFUSED] * 6
        assert guess(self.visitor, self.right) == REFUSED


@pytest.mark.parametrize(
    ("shoppers", "rounds"), [(3, 1), pytest.param(20, 5, marks=pytest.mark.full)], ids=["short", "long"]
)
def test_nobody_notices(transactional_db, tmp_path, make_variant, redis, figure, shoppers, rounds):
    variants = [make_variant(price=str(100 + number), units=10 * shoppers * rounds) for number in range(3)]
    port, answered = free_port(), Answered()
    own = {"REDIS_URL": redis.url}
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, **own, **provider.settings) as shop,
        ThreadPoolExecutor(shoppers) as pool,
    ):
        office, guesser, buyers = Office(shop), Guesser(shop), new_buyers(shop.url, shoppers, answered)
        await_true(lambda: office.open_pages() or redis.holds_what_the_shop_keeps())
        guesser.guess(3)
        for blow in [redis.kill, redis.come_back_wrong, redis.hang, redis.be_full, redis.recover] * rounds:
            buying = [pool.submit(buy, buyer, provider, random.sample(variants, k=2), ("card",)) for buyer in buyers]
            blow()
            office.open_pages()
            guesser.guess(max(0, 6 - len(guesser.codes)))
            for one in buying:
                one.result()
        guesser.assert_five_were_compared()
        await_true(lambda: office.open_pages() or redis.holds_what_the_shop_keeps())
        call_command("check_shop")
        assert_responses_persisted(answered)
        assert_ledger_matches(provider)
    failed, asked = answered.unable.total() + office.failed(), answered.calls + office.answers.total()
    figure(f"{failed} of {asked} answers failed, {len(answered.paid)} orders paid, 5 guesses compared", "0 failed; 5")
    assert failed == answered.broken == 0, office.answers
    assert len(answered.paid) == shoppers * rounds * 5
