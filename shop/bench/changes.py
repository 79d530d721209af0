"""A process of a shop of that many products: its memory, its first listing, and what one changed price does to it.

`python -m shop.bench.changes` changes a price for each line that it reads, of the product and to the price that the
line says, and prints when that was committed, in seconds since 1970.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path

from django.conf import settings

from shop.ops.supervisor import WSGI

from .load import Figures, Server, compose
from .serving import environment, serve

CHANGES = 5
WATCHED_SECONDS = 3.0  # after a change: every process has taken it up
MAX_MB, MAX_TIMES, MAX_SEEN_SECONDS = 250, 2, 1


def measure(size: int, place: dict[str, str], listings: list[str], product: str) -> None:
    """`listings` are asked for without the page cache, `product`, the page of product 1, with it."""
    data = Path(place["SHOP_DATA_DIR"])
    with (
        serve(WSGI, data, **place | {"PAGE_CACHE_MB": "0"}) as server,
        serve(WSGI, data, **place) as keeping,
        _writer(data, place) as write,
    ):
        requests = cycle([compose(server.port, "GET", path) for path in listings])
        first, usual, changed = Figures(), Figures(), Figures()
        for one in (server, keeping):
            one.ask(iter([compose(one.port, "GET", "/healthz")]), Figures(), seconds=0, least=1)  # it has started
        server.ask(requests, first, seconds=0, least=1)
        server.ask(requests, Figures(), seconds=1)
        server.ask(requests, usual, seconds=CHANGES * WATCHED_SECONDS)
        seen = []
        for number in range(CHANGES):
            write(1, 7001 + number)
            server.ask(requests, changed, seconds=WATCHED_SECONDS)
            _seen_after(keeping, product, time.time(), f"₹{7001 + number:,}")  # which is kept
            seen.append(_seen_after(keeping, product, write(1, 8001 + number), f"₹{8001 + number:,}"))
        megabytes = server.largest_mb()
    median = usual.percentile_ms(50)
    print(
        f"{size:,} products: a web process has {megabytes:.0f} MB (most {MAX_MB}); its first listing took "
        f"{first.percentile_ms(50):.1f} ms, later ones {median:.1f} (99th percentile {usual.percentile_ms(99):.1f}, "
        f"slowest {usual.percentile_ms(100):.1f}); after a change of a price {changed.percentile_ms(50):.1f} "
        f"(99th percentile {changed.percentile_ms(99):.1f}, slowest {changed.percentile_ms(100):.1f}; most "
        f"{MAX_TIMES * median:.1f}); a kept page shows it after {statistics.median(seen):.2f} s, at most "
        f"{max(seen):.2f} (goal {MAX_SEEN_SECONDS})"
    )


def _seen_after(server: Server, product: str, committed: float, price: str) -> float:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    while True:
        asked = time.time()
        connection.request("GET", product)
        if price in connection.getresponse().read().decode():
            return asked - committed
        if asked > committed + 30:
            raise SystemExit(f"{product} does not show {price}")
        time.sleep(0.01)


@contextmanager
def _writer(data: Path, place: dict[str, str]) -> Iterator:
    """A function that changes a price in another process, which is ready, and returns when it was committed."""
    command = [sys.executable, "-m", "shop.bench.changes"]
    variables = environment(data, **place)
    with subprocess.Popen(
        command, env=variables, cwd=settings.BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def write(product: int, price: int) -> float:
            process.stdin.write(f"{product} {price}\n")
            process.stdin.flush()
            return float(process.stdout.readline())

        process.stdout.readline()
        try:
            yield write
        finally:
            process.stdin.close()
            process.wait(30)


def _write() -> None:
    import django

    django.setup()
    from shop.catalog.models import Variant
    from shop.invalidation.services import invalidate

    Variant.objects.first()
    print("ready", flush=True)
    for line in sys.stdin:
        product, price = line.split()
        [variant] = Variant.objects.filter(product_id=product)[:1]
        variant.selling_price = variant.actual_price = price
        variant.save(update_fields=["selling_price", "actual_price"])
        invalidate("product", [variant.product_id])
        print(time.time(), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
    _write()
