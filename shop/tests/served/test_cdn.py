"""Varnish in front of a served shop, with the configuration that comes with it: shoppers share copies whether they
have a cart or not, and no price is older than two seconds."""

import random
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import kill
from pathlib import Path

import pytest
import urllib3
from django.conf import settings

from shop.bench.cdn import VCL, varnish_command
from shop.catalog.models import Variant
from shop.invalidation.models import PurgeState
from shop.invalidation.services import invalidate

from ..conftest import WAIT_SECONDS, Shop, await_true, free_port, is_listening, serving
from ..support.needs import lack

LISTING, PRODUCT = "/en-in/products/ayurveda/", "/en-in/product/product-1/"
MAX_AGE = 2.0  # seconds of a price
SHOWN = re.compile(r"₹([\d,]+)")
XKEY = "libvmod_xkey.so"
PART = {"HX-Request": "true", "HX-Target": "div#more"}


@dataclass
class Front:
    """The shop behind Varnish."""

    shop: Shop | None
    url: str
    pool: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(maxsize=8))

    def ask(self, path: str, method: str = "GET", **headers: str) -> urllib3.BaseHTTPResponse:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.pool.request(method, self.url + path, headers=given, redirect=False, retries=False, timeout=60)

    def is_hit(self, path: str, **headers: str) -> bool:
        return self.ask(path, **headers).headers["X-Cache"] == "hit"

    def await_copy(self, path: str, **headers: str) -> None:
        """A page that took long on its way, as on a busy machine, is not kept; the next is."""
        await_true(lambda: self.is_hit(path, **headers))

    def clock(self) -> int:
        return next(pid for pid, line in self.shop.processes().items() if line.endswith("manage.py clock"))


def require_varnish() -> str:
    """Its path."""
    path = shutil.which("varnishd", path="/usr/sbin:/usr/local/sbin:/usr/bin") or lack("No Varnish on this machine")
    if not any(Path("/usr/lib").glob(f"**/varnish/vmods/{XKEY}")):
        lack("No vmod xkey for Varnish on this machine (Debian: varnish-modules)")
    return path


@contextmanager
def varnish(folder: Path, *, port: int, shop: int, patience: str = "60s", **replaced: str) -> Iterator[str]:
    """Its address, in front of the shop on that port, until the block ends; `patience` is how long it waits for a page,
    `replaced` are values of lines `set beresp.… = …` of its configuration."""
    folder.mkdir()
    vcl = VCL.read_text()
    assert "first_byte_timeout = 60s" in vcl
    vcl = vcl.replace("first_byte_timeout = 60s", f"first_byte_timeout = {patience}")
    for name, value in replaced.items():
        line = "        set beresp.http.xkey = beresp.http.Surrogate-Key;\n"
        assert line in vcl
        vcl = vcl.replace(line, f"{line}        set beresp.{name.replace('__', '.').replace('_', '-')} = {value};\n")
    command = varnish_command(folder, port=port, shop=shop, vcl=vcl)
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            await_true(lambda: process.poll() is not None or is_listening(port))
            assert process.poll() is None, (folder / "log").read_text()
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(WAIT_SECONDS)


@contextmanager
def opened(tmp_path):
    require_varnish()
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        lack("The assets are not collected (make var/static/.collected)")
    port, cdn = free_port(), free_port()
    given = {"CDN": "varnish", "CDN_PURGE_URLS": f"http://127.0.0.1:{cdn}", "COUNTRY_HEADER": "X-Country"}
    with (
        serving(tmp_path, port=port, TRUSTED_PROXY_COUNT="2", **given) as shop,
        varnish(tmp_path / "varnish", port=cdn, shop=port) as url,
    ):
        front = Front(shop, url)
        await_true(lambda: front.ask("/healthz").status == 200)  # its probe knows, too
        yield front


@pytest.fixture
def variant(transactional_db, make_variant):
    return make_variant(price="100")


def test_a_shop_behind_varnish(variant, tmp_path):
    with opened(tmp_path) as front:
        check_shoppers_share_a_copy(front, variant)
        check_a_picked_currency(front)
        check_addresses_without_a_market(front)
        check_what_is_kept_apart(front)
        check_what_is_not_kept(front)
        check_who_may_purge(front)
        await_true(lambda: PurgeState.objects.filter(error="", caught_up_at__isnull=False).exists())
        check_what_is_old(front, tmp_path / "short")


SHORT = {"ttl": "1s", "http__X_While_Revalidated": '"1s"'}


def check_shoppers_share_a_copy(front, variant):
    """With a cart and without: the same bytes from the same copy, whose own headers stay with Varnish."""
    cart = front.pool.request(
        "POST", f"{front.url}/en-in/cart/add/", fields={"variant": str(variant.pk), "quantity": "1"},
        encode_multipart=False, headers={"Sec-Fetch-Site": "same-origin"}, redirect=False,
    )  # fmt: skip
    cookies = "; ".join(cookie.partition(";")[0] for cookie in cart.headers.getlist("Set-Cookie"))
    assert cart.status in (200, 302) and "cart" in cookies
    for path in (LISTING, PRODUCT, "/en-in/", "/en-in/categories/"):
        front.await_copy(path, Accept_Encoding="br")
        first = front.ask(path, Accept_Encoding="gzip, br")
        with_cart = front.ask(path, Accept_Encoding="br", Cookie=cookies)
        assert (first.status, with_cart.headers["X-Cache"]) == (200, "hit"), path
        assert first.data == with_cart.data and with_cart.headers["Content-Encoding"] == "br"
        assert with_cart.headers["Cache-Control"] == "public, max-age=0"
        assert with_cart.headers["Vary"] == "Accept-Encoding, HX-Request, HX-Target"
        assert not {"Surrogate-Key", "Surrogate-Control", "xkey"} & {*with_cart.headers}
        known = front.ask(path, Accept_Encoding="br", If_None_Match=first.headers["ETag"])
        assert (known.status, known.data) == (304, b"")
    assert front.ask("/api/me/", Cookie=cookies).data != front.ask("/api/me/").data


def check_a_picked_currency(front):
    picked = front.ask(LISTING, Cookie="session=x; currency=IN-USD")
    assert picked.headers["X-Cache"] == "miss" and "₹" not in picked.data.decode().partition("<main")[2]
    assert picked.headers["Cache-Control"] == "private, no-store"
    assert "₹100" in front.ask(LISTING).data.decode()
    front.await_copy(LISTING)


def check_addresses_without_a_market(front):
    """By the country that the proxy in front names, for whoever picked nothing; without one nothing is kept."""
    for path in ("/", "/products/ayurveda/"):
        indian, american = front.ask(path, X_Country="IN"), front.ask(path, X_Country="US")
        assert 'href="/en-in/' in indian.data.decode() and 'href="/en-us/' in american.data.decode()
        front.await_copy(path, X_Country="IN", Cookie="session=x")
        front.await_copy(path, X_Country="US")
        assert front.ask(path, X_Country="US").data == american.data
        for cookie in ("deliver_to=IN", "language=en", "currency=IN-USD"):
            own = front.ask(path, X_Country="US", Cookie=cookie)
            assert (own.headers["X-Cache"], own.headers["Cache-Control"]) == ("miss", "private, no-store")
        for _ in range(2):
            assert not front.is_hit(path) and not front.is_hit(path, X_Country="XX")
    assert "₹100" in indian.data.decode() and "₹100" not in american.data.decode()


def check_what_is_kept_apart(front):
    whole, part = front.ask(LISTING), front.ask(LISTING, **PART)
    assert b"<html" in whole.data and b"<html" not in part.data
    front.await_copy(LISTING, **PART)
    assert front.ask(LISTING, **PART).data == part.data
    assert front.ask(LISTING, HX_Target="div#more").data == whole.data  # without scripts it is no part
    plain, zipped = front.ask(LISTING), front.ask(LISTING, Accept_Encoding="gzip;q=0.5, br;q=0")
    assert "Content-Encoding" not in plain.headers and zipped.headers["Content-Encoding"] == "gzip"
    assert zipped.data != plain.data or b"<html" in zipped.data
    for path, status in (("/en-in/nothing-here/", 404), ("/en-in/brand/Vanamitra/", 301)):
        assert front.ask(path).status == front.ask(path).status == status
        front.await_copy(path)


def check_what_is_not_kept(front):
    for path in ("/en-in/cart/", "/en-in/signin/", "/api/me/", "/admin/login/", "/en-in/orders/", "/feeds/blog.xml"):
        for _ in range(2):
            answer = front.ask(path)
            assert answer.headers["X-Cache"] == "miss", path
    assert front.ask(LISTING, "POST").headers["X-Cache"] == "miss"
    front.await_copy(LISTING)
    assert front.ask(LISTING, "HEAD").headers["X-Cache"] == "hit"
    front.await_copy("/robots.txt")


def check_who_may_purge(front):
    """Nobody from outside, whose request nginx hands on with their address."""
    assert front.ask("/", "PURGE", Purge_Keys="shop", X_Forwarded_For="203.0.113.9").status == 403
    assert front.ask("/", "PURGE").status == 400
    front.await_copy(LISTING)
    assert front.ask("/", "PURGE", Purge_Keys="products").status == 200
    assert not front.is_hit(LISTING)


def check_what_is_old(front, folder):
    """Asked for anew while the shop answers, and shown while it does not."""
    shop = urllib3.util.parse_url(front.shop.url).port
    with varnish(folder, port=free_port(), shop=shop, **SHORT) as url:
        short = Front(front.shop, url)
        short.await_copy(LISTING)
        time.sleep(2.1)
        assert not short.is_hit(LISTING)
        front.shop.parent.send_signal(signal.SIGINT)
        front.shop.parent.wait(60)
        time.sleep(2.1)
        stale = short.ask(LISTING)
        assert (stale.status, stale.headers["X-Cache"]) == (200, "hit") and int(stale.headers["Age"]) >= 2
        assert short.ask("/en-in/brands/").status == 503, "what nobody asked for cannot be shown"


class Failing(ThreadingHTTPServer):
    """A shop whose only page is fresh for a second and fails while `status` says so."""

    status = 200
    takes = 0.0  # seconds
    knew = "0.1"  # seconds before each answer

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", free_port()), FailingHandler)


class FailingHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status = 200 if self.path == "/healthz" else self.server.status
        time.sleep(0 if self.path == "/healthz" else self.server.takes)
        self.send_response(status)
        self.send_header("Cache-Control", "public, max-age=0" if status == 200 else "no-store")
        if status == 200:
            self.send_header("Surrogate-Control", "max-age=1, stale-while-revalidate=1, stale-if-error=60")
            self.send_header("Surrogate-Key", "shop products")
            self.send_header("Surrogate-Age", self.server.knew)
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"page")

    def log_message(self, *words):
        pass


@contextmanager
def failing(tmp_path: Path, **how: str) -> Iterator[tuple[Front, Failing]]:
    """Such a shop behind Varnish."""
    require_varnish()
    with Failing() as shop, ThreadPoolExecutor(1) as pool:
        pool.submit(shop.serve_forever, 0.05)
        try:
            with varnish(tmp_path / "varnish", port=free_port(), shop=shop.server_port, **how) as url:
                yield Front(None, url), shop
        finally:
            shop.shutdown()


@pytest.mark.parametrize("wait", [1.2, 2.5], ids=["while it is revalidated", "after that"])
def test_a_page_that_fails_is_shown_as_it_was_until_it_is_purged(tmp_path, wait):
    with failing(tmp_path) as (front, shop):
        await_true(lambda: front.ask(LISTING).status == 200)
        shop.status = 500
        time.sleep(wait)
        for _ in range(3):
            assert (front.ask(LISTING).status, front.ask("/en-in/other/").status) == (200, 500)
        assert front.ask("/", "PURGE", Purge_Keys="products").status == 200
        assert front.ask(LISTING).status == 500
        shop.status = 200
        assert front.ask(LISTING).status == 200


@pytest.mark.parametrize(("knew", "takes", "is_kept"), [(0.3, 0.2, True), (0.1, 1.2, False), (1.2, 0, False)])
def test_a_page_that_comes_too_late_to_be_purged_in_time_is_not_kept(tmp_path, knew, takes, is_kept):
    with failing(tmp_path) as (front, shop):
        await_true(lambda: front.ask("/healthz").status == 200)
        shop.knew, shop.takes = str(knew), takes
        first = front.ask(LISTING)
        assert (first.status, "Surrogate-Age" in first.headers) == (200, False)
        assert front.is_hit(LISTING) == is_kept
        shop.knew, shop.takes = "0.1", 0.0
        front.await_copy(LISTING)


def test_feeds_and_the_back_office_may_take_longer_than_pages(tmp_path):
    with failing(tmp_path, patience="0.5s") as (front, shop):
        await_true(lambda: front.ask(LISTING).status == 200)
        shop.takes = 1.5
        asked = {path: front.ask(path).status for path in ("/feeds/a.xml", "/admin/", "/en-in/other/")}
        assert asked == {"/feeds/a.xml": 200, "/admin/": 200, "/en-in/other/": 503}


# --- How old a price is -----------------------------------------------------------------------------


class Readers:
    """Threads that read a product's page and a listing without a pause, and how long after its end a price was shown.

    Each price is one more than the one before. A reading is as old as its price had been replaced for when it was
    asked for.
    """

    def __init__(self, front: Front) -> None:
        self._front = front
        self._ended: dict[int, float] = {}  # a price, and when the transaction that replaced it was over
        self._stop = threading.Event()
        self.ages: list[tuple[float, float]] = []  # when, how old
        self.newest: dict[str, int] = {}  # the price that was read last, by path

    @contextmanager
    def reading(self):
        threads = [threading.Thread(target=self._read, args=[path]) for path in (LISTING, PRODUCT) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()

    def _read(self, path: str) -> None:
        while not self._stop.is_set():
            asked_at = time.monotonic()
            page = self._front.ask(path).data.decode().partition("<main")[2]
            price = int(SHOWN.search(page)[1].replace(",", ""))
            self.newest[path] = price
            self.ages.append((asked_at, asked_at - self._ended.get(price, asked_at)))
            time.sleep(0.01)

    def change(self, variant: Variant) -> float:
        old = int(variant.selling_price)
        variant.selling_price = variant.actual_price = Decimal(old + 1)
        variant.save(update_fields=["selling_price", "actual_price"])
        invalidate("product", [variant.product_id])
        self._ended[old] = time.monotonic()
        return self._ended[old]

    def await_price(self, price: int) -> None:
        await_true(lambda: self.newest == {LISTING: price, PRODUCT: price})

    def oldest(self, since: float = 0.0) -> float:
        return max((age for at, age in self.ages[:] if at >= since), default=0.0)


@pytest.mark.parametrize("changes", [8, pytest.param(100, marks=pytest.mark.full)], ids=["short", "long"])
def test_no_price_is_older_than_two_seconds(variant, tmp_path, figure, changes):
    with opened(tmp_path) as front, Readers(front).reading() as readers:
        readers.await_price(100)
        readers.change(variant)
        readers.await_price(101)  # the clock purges
        began = time.monotonic()
        for _ in range(changes):
            readers.change(variant)
            time.sleep(random.choice((0.05, 0.3, 0.7)))
        time.sleep(MAX_AGE + 0.2)
        figure(f"{readers.oldest(began):.2f} s in {len(readers.ages)} readings", f"{MAX_AGE} s")
        assert readers.oldest(began) <= MAX_AGE
        readers.await_price(101 + changes)
        check_without_purges(front, readers, variant)
        check_with_a_purge_that_is_too_early(front, readers, variant)


def check_without_purges(front: Front, readers: Readers, variant: Variant) -> None:
    """Negative control: while no clock runs, an old price stays; once it runs again, it goes within two seconds."""
    with stopped(front.clock()):
        began = readers.change(variant)
        time.sleep(MAX_AGE + 0.3)
        assert readers.oldest(began) > MAX_AGE
    again = time.monotonic()
    time.sleep(MAX_AGE + 0.3)
    assert readers.oldest(again + MAX_AGE) <= 0


def check_with_a_purge_that_is_too_early(front: Front, readers: Readers, variant: Variant) -> None:
    """Negative control: purged at the commit, the old page is fetched again from a process that looked for changes just
    before and knows of nothing."""
    with stopped(front.clock()):
        began = time.monotonic()
        for _ in range(5):  # else both look at the first page that they are asked for
            for _ in range(20):
                urllib3.request("GET", front.shop.url + PRODUCT)
            readers.change(variant)
            assert front.ask("/", "PURGE", Purge_Keys="shop").status == 200
        time.sleep(MAX_AGE + 0.3)
        assert readers.oldest(began) > MAX_AGE


@contextmanager
def stopped(pid: int):
    kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        kill(pid, signal.SIGCONT)
