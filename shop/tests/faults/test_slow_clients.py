"""Clients that send a byte now and then, that say nothing at all, or that send 100 MB and bombs: everybody else is
answered as before, and the web server does not grow (RELIABILITY.md 45, slow and huge clients of 2.4)."""

import gzip
import itertools
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ..conftest import Shop, serving
from ..served.visitors import Visitor

SLOW, IDLE = 200, 1000
EVERY = 2.0  # seconds from byte to byte
MAX_SECONDS = 1.0  # seconds, of 99 in 100 answers
MAX_GROWTH = 200 * 2**20
HUGE, PIECE = 100 * 2**20, b" " * 2**16
READERS = 2
CUT_OFF_WITHIN = 60  # seconds, on a machine that has much else to do
PAGES = ("/en-in/", "/en-in/cart/", "/en-in/signin/")
LENGTHS = [
    pytest.param(8, id="short"),
    pytest.param(60, id="long", marks=[pytest.mark.full, pytest.mark.alone, pytest.mark.database]),
]  # seconds


@pytest.fixture
def shop(transactional_db, make_variant, tmp_path):
    variant = make_variant(units=1000)
    with serving(tmp_path, WEB_WORKERS="2", LOG_LEVEL="ERROR") as shop:
        look_around(shop, variant.pk, time.monotonic() + 1)  # whatever is loaded the first time
        yield shop, variant.pk


@pytest.mark.parametrize("seconds", LENGTHS)
def test_slow_and_silent_clients_hold_up_nobody(shop, seconds, figure):
    shop, variant_id = shop
    before = memory_of(shop)
    with ExitStack() as there:
        there.enter_context(dripping(shop))
        there.enter_context(silent(shop))
        until = time.monotonic() + seconds
        with ThreadPoolExecutor(READERS) as pool:
            looking = [pool.submit(look_around, shop, variant_id, until) for _ in range(READERS)]
            times = [took for one in looking for took in one.result()]
        grown = memory_of(shop) - before
    slowest = statistics.quantiles(times, n=100)[-1]
    figure(f"{len(times)} answers beside {SLOW} slow and {IDLE} silent clients: p99 {slowest * 1000:.0f} ms", "1 s")
    figure(f"web server grown by {grown / 2**20:.0f} MB", "200 MB")
    assert slowest < MAX_SECONDS and grown < MAX_GROWTH


def test_huge_bodies_are_refused_unread(shop, figure):
    shop, variant_id = shop
    before = memory_of(shop)
    bomb = gzip.compress(b"\0" * HUGE)
    with ThreadPoolExecutor(6) as pool:
        refused = [
            *[pool.submit(send, shop, f"Content-Length: {HUGE}", pieces(HUGE)) for _ in range(2)],
            *[pool.submit(send, shop, "Transfer-Encoding: chunked", chunks(HUGE)) for _ in range(2)],
            pool.submit(send, shop, f"Content-Encoding: gzip\r\nContent-Length: {len(bomb)}", iter([bomb])),
        ]
        times = look_around(shop, variant_id, time.monotonic() + 2)
        statuses = [one.result() for one in refused]
    grown = memory_of(shop) - before
    figure(f"100 MB bodies: {sorted(set(statuses))}, web server grown by {grown / 2**20:.0f} MB", "200 MB")
    assert all(400 <= status < 500 for status in statuses), statuses
    assert grown < MAX_GROWTH and statistics.quantiles(times, n=100)[-1] < MAX_SECONDS


def test_a_refusal_cuts_off_nobody_who_still_sends(shop):
    """What is left unread would end the connection, at times before the refusal has arrived."""
    shop, _ = shop
    with connected(shop) as client:
        for _ in range(3):
            head = (
                f"POST /user-orders/ HTTP/1.1\r\nHost: {urlsplit(shop.url).netloc}\r\nSec-Fetch-Site: same-origin\r\n"
            )
            client.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n".encode())
            time.sleep(0.3)
            client.sendall(b"{}")
            assert b" 401 " in client.recv(65536).splitlines()[0]


STALLED = b"POST /add-to-cart/ HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
READ = b"GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n"


def test_a_stalled_body_is_closed_and_nobody_else(transactional_db, make_variant, tmp_path):
    """Who still sends, however slowly, and who keeps a connection for later, stays."""
    make_variant()
    with serving(tmp_path, WEB_WORKERS="1", BODY_SECONDS="6") as shop:
        host = urlsplit(shop.url).netloc.encode()
        stalled, dripping, kept, unasked = (connected(shop) for _ in range(4))
        for client, said in ((stalled, STALLED), (dripping, STALLED), (kept, READ)):
            client.sendall(said % host)
        assert b" 200 " in kept.recv(65536)
        until = time.monotonic() + CUT_OFF_WITHIN
        while not is_closed(stalled):  # half a second each
            assert time.monotonic() < until
            dripping.sendall(b" ")
        kept.sendall(READ % host)
        assert b" 200 " in kept.recv(65536)
        assert not is_closed(dripping) and not is_closed(kept)
        for client in (stalled, dripping, kept, unasked):
            client.close()


def test_without_an_end_a_stalled_body_holds_its_connection(transactional_db, make_variant, tmp_path):
    make_variant()
    with serving(tmp_path, WEB_WORKERS="1", BODY_SECONDS="600") as shop, connected(shop) as stalled:
        stalled.sendall(STALLED % urlsplit(shop.url).netloc.encode())
        time.sleep(6)
        assert not is_closed(stalled)


def is_closed(client: socket.socket) -> bool:
    """Nothing comes any more."""
    client.settimeout(0.5)
    try:
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


# --- Everybody else --------------------------------------------------------------------------------


def look_around(shop: Shop, variant_id: int, until: float) -> list[float]:
    """Seconds of each page and of each call that puts one thing in the cart."""
    visitor, times = Visitor(shop.url), []
    while time.monotonic() < until:
        for page in PAGES:
            times.append(timed(lambda page=page: visitor.get(shop.url + page, timeout=60)))
        add = {"product": variant_id, "quantity": 1, "deliver_to": 1, "currency": "INR"}
        times.append(timed(lambda add=add: visitor.ask("/add-to-cart/", **add)))
        visitor.cookies.clear()
    return times


def timed(ask) -> float:
    start = time.monotonic()
    assert (answer := ask()).status_code == 200, (answer.url, answer.status_code)
    return time.monotonic() - start


def memory_of(shop: Shop) -> int:
    """Bytes that the web server holds in memory."""
    rows = [Path(f"/proc/{pid}/status").read_text().splitlines() for pid in shop.web_server()]
    return sum(int(line.split()[1]) * 1024 for row in rows for line in row if line.startswith("RssAnon"))


# --- Clients that are a burden ---------------------------------------------------------------------


def connected(shop: Shop) -> socket.socket:
    return socket.create_connection((urlsplit(shop.url).hostname, urlsplit(shop.url).port), timeout=60)


@contextmanager
def dripping(shop: Shop) -> Iterator[None]:
    """Half of them send their headers byte by byte, half a body; who is cut off comes again."""
    over = threading.Event()
    dripping = threading.Thread(target=drip, args=(shop, over), daemon=True)
    dripping.start()
    time.sleep(EVERY)  # all have come
    try:
        yield
        assert dripping.is_alive()
    finally:
        over.set()
        dripping.join()


def drip(shop: Shop, over: threading.Event) -> None:
    start = f"POST /add-to-cart/ HTTP/1.1\r\nHost: {urlsplit(shop.url).netloc}\r\n"
    begun = (start, start + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
    clients: dict[int, socket.socket] = {}
    while not over.is_set():
        for number in range(SLOW):
            try:
                if number not in clients:
                    clients[number] = connected(shop)
                    clients[number].sendall(begun[number % 2].encode())
                clients[number].sendall(b"X")
            except OSError:
                clients.pop(number).close()
            over.wait(EVERY / SLOW)
    for client in clients.values():
        client.close()


@contextmanager
def silent(shop: Shop) -> Iterator[None]:
    with ExitStack() as open_ones:
        for _ in range(IDLE):
            open_ones.enter_context(connected(shop))
        yield


def send(shop: Shop, header: str, body: Iterator[bytes]) -> int:
    """The status that a body is answered with, which may come before its end."""
    with connected(shop) as client:
        head = f"POST /search/ HTTP/1.1\r\nHost: {urlsplit(shop.url).netloc}\r\nSec-Fetch-Site: same-origin\r\n"
        client.sendall(f"{head}Content-Type: application/json\r\n{header}\r\n\r\n".encode())
        with suppress(OSError):  # it does not listen any longer
            for piece in body:
                client.sendall(piece)
        answered = client.recv(20)
    assert answered.startswith(b"HTTP/1.1 "), answered
    return int(answered.split()[1])


def pieces(size: int) -> Iterator[bytes]:
    return itertools.repeat(PIECE, size // len(PIECE))


def chunks(size: int) -> Iterator[bytes]:
    for piece in pieces(size):
        yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    yield b"0\r\n\r\n"
