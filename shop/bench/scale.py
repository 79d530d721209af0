"""How requests grow with the catalogue: 1,000 products against 100,000, and a million where BENCH_MILLION=1.

The page cache is off. Of each kind several addresses are asked in turn; times are the server's
processor time for one request, and rounds alternate between the sizes.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

import psycopg
from django.conf import settings

from shop.ops.supervisor import WSGI

from . import changes
from .load import Figures, compose, compose_call
from .serving import environment, run_module, serve

SMALL, LARGE, MILLION = 1_000, 100_000, 1_000_000
ROUNDS = 6
ROUND_SECONDS = 0.6
MAX_TIMES, GOAL = 1.5, 1.2
MAX_TYPING_MS = 50  # of suggestions at the 95th percentile (SEARCH.md)
POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
MARKET = "/en-in"
# Names of products are made of these (filling/catalogue.py).
HERBS = ["neem", "amla", "tulsi", "ashwagandha", "brahmi", "giloy", "haldi", "moringa", "shatavari", "triphala"]
FORMS = ["oil", "soap", "capsules", "tablets", "powder", "juice", "cream", "syrup", "tea", "balm"]
WORDS = ["pure", "daily", "organic", "gentle", "classic", "strong", "fresh", "royal", "forest", "morning", "golden"]
TWO = "origin=in&attr.size=1&attr.size=2&attr.size=3&attr.size=4"
PLAN = {
    "listing": [f"{MARKET}/products/range-{n}/?page=1&sort=popular" for n in range(4)],
    "listing, by price": [f"{MARKET}/products/range-{n}/?sort=price" for n in range(4)],
    "listing, two filters": [f"{MARKET}/products/range-{n}/?{TWO}&sort=-price" for n in range(4)],
    "everything discounted": [f"{MARKET}/offers_discounts/"],
    "product": [f"{MARKET}/product/product-{n}/" for n in range(1, 9)],
    "search": [f"{MARKET}/search/{words}/" for words in ("oil", "neem%20oil", "gold", "capsules")],
    "search, first time": [f"{MARKET}/search/{first}%20{second}/" for first in WORDS for second in HERBS + FORMS],
    "suggestions": ["oil", "neem oil", "gold", "caps"],  # bodies of POST /search/
    "suggestions, first time": [f"{first} {second}" for first in HERBS for second in FORMS],
}


def compare(home: Path) -> None:
    """1,000 against 100,000 on SQLite; with BENCH_MILLION=1 also against a million, there and on PostgreSQL."""
    _compare({size: _sqlite(home, size) for size in (SMALL, LARGE)})
    if os.environ.get("BENCH_MILLION") == "1":
        for where in (_sqlite, _postgres):
            _compare({size: where(home, size) for size in (SMALL, MILLION)})


def _sqlite(home: Path, size: int) -> dict[str, str]:
    return {"SHOP_DATA_DIR": str(home / f"scale-{size}")}


def _postgres(home: Path, size: int) -> dict[str, str]:
    """A database of the bench's own on TEST_POSTGRES_URL."""
    url = os.environ.get("TEST_POSTGRES_URL", POSTGRES)
    name = f"shop_bench_{size}"
    with psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(f'CREATE DATABASE "{name}"')
    data = {"SHOP_DATA_DIR": str(home / f"scale-postgres-{size}")}
    return data | {"DATABASE_URL": f"{url.rpartition('/')[0]}/{name}"}


def _compare(places: dict[int, dict[str, str]]) -> None:
    small, large = places
    for size, place in places.items():
        data = Path(place["SHOP_DATA_DIR"])
        data.mkdir(parents=True, exist_ok=True)
        run_module(data, "filling.catalogue", str(size), **place)
    inside = {size: _inside(place) for size, place in places.items()}
    figures = {(kind, size): Figures() for kind in PLAN for size in places}
    with ExitStack() as stack:
        servers = {
            size: stack.enter_context(serve(WSGI, Path(place["SHOP_DATA_DIR"]), **place | {"PAGE_CACHE_MB": "0"}))
            for size, place in places.items()
        }
        requests = {(kind, size): cycle(_requests(servers[size].port, kind)) for kind, size in figures}
        for (_, size), asked in requests.items():
            servers[size].ask(asked, Figures(), seconds=ROUND_SECONDS)
        for _ in range(ROUNDS):
            for (kind, size), asked in requests.items():
                servers[size].ask(asked, figures[kind, size], seconds=ROUND_SECONDS)
    print(f"\n{'products':<28}{small:>14,} ms{large:>14,} ms{'times':>8}{'most':>6}{'goal':>6}{'queries':>12}")
    for kind in PLAN:
        few, many = figures[kind, small].cost_ms, figures[kind, large].cost_ms
        counts = f"{inside[small]['queries'][kind]}, {inside[large]['queries'][kind]}"
        print(f"{kind:<28}{few:>17.2f}{many:>17.2f}{many / few:>8.2f}{MAX_TIMES:>6}{GOAL:>6}{counts:>12}")
    for size, found in inside.items():
        print(
            f"{size:,} products: suggestions while typing {found['typing_ms']:.1f} ms at p95 (most {MAX_TYPING_MS}); "
            f"word index {found['index_mb']:.1f} MB, read in {found['read_s']:.2f} s"
        )
        changes.measure(size, places[size], PLAN["listing"], PLAN["product"][0])


def _requests(port: int, kind: str) -> list[bytes]:
    if kind.startswith("suggestions"):
        return [compose_call(port, "/search/", {"query": words, "deliver_to": 1}) for words in PLAN[kind]]
    return [compose(port, "GET", path) for path in PLAN[kind]]


def _inside(place: dict[str, str]) -> dict:
    """What only a process of the shop can measure."""
    command = [sys.executable, "-m", "shop.bench.scale"]
    variables = environment(Path(place["SHOP_DATA_DIR"]), **place | {"PAGE_CACHE_MB": "0"})
    done = subprocess.run(command, env=variables, cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def _measure_inside() -> None:
    import django

    django.setup()
    from django.test import Client

    from shop.search.text.store import current_words

    began = time.perf_counter()
    index = current_words()
    read = time.perf_counter() - began
    if index is None:
        sys.exit("There is no word index.")
    client = Client(headers={"host": settings.SHOP_HOST, "sec-fetch-site": "same-origin"})
    found = {"read_s": read, "index_mb": index.base.size / 1e6}
    json.dump(found | {"queries": _count_queries(client), "typing_ms": _typing_ms(client)}, sys.stdout)


def _typing_ms(client) -> float:
    """The 95th percentile of words and pairs of words that are typed letter by letter, each for the first time."""
    phrases = [*HERBS, *(f"{word} {form}" for word in WORDS for form in FORMS)]
    typed = dict.fromkeys(phrase[:letters] for phrase in phrases for letters in range(3, len(phrase) + 1))
    took = []
    for words in typed:
        began = time.perf_counter()
        answer = client.post("/search/", {"query": words, "deliver_to": 1}, content_type="application/json")
        took.append(1000 * (time.perf_counter() - began))
        if answer.status_code != 200:
            sys.exit(f"{words} answers {answer.status_code}")
    return statistics.quantiles(took, n=20)[-1]


def _count_queries(client) -> dict[str, int]:
    """Queries of the last address of each kind, once everything is remembered."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts = {}
    for kind, asked in PLAN.items():
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                if kind.startswith("suggestions"):
                    body = {"query": asked[-1], "deliver_to": 1}
                    answer = client.post("/search/", body, content_type="application/json")
                else:
                    answer = client.get(asked[-1])
            if answer.status_code != 200:
                sys.exit(f"{asked[-1]} answers {answer.status_code}")
        counts[kind] = len(queries)
    return counts


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
    _measure_inside()
