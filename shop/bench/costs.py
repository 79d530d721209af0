"""What a page costs as a multiple of an empty view on the same server in the same run.

The cost is the server's processor time for one request, so that it does not depend on the loader,
which runs on the same machine. Rounds alternate between the kinds, so that a busy moment of the
machine falls on all of them.

"Uncached" is a page made anew from what a process remembers (shop/invalidation): the page cache is off,
cards and menus are known. "First time" is a product page that no one asked for yet.
"""

import time
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from shop.ops.supervisor import WSGI

from .load import Figures, compose
from .serving import plan_of, serve

ROUNDS = 6
ROUND_SECONDS = 0.5
# Most queries and most times an empty view, uncached: what must hold.
LIMITS = {"home": (12, 30), "listing": (10, 30), "product": (10, 20), "search": (8, 30), "add to cart": (8, 15)}
# How many times an empty view it should become.
GOALS = {
    "home": 10,
    "listing": 10,
    "listing, filtered": 10,
    "product": 8,
    "product, first time": 20,
    "search": 10,
    "add to cart": 8,
}
CACHED_LIMIT, CACHED_GOAL = 1.5, 1.1
CACHED = ", cached"
# Kept pages are compressed again (shop/http/recompression.py) a few at a time, while no request wants the processor.
SETTLING_ROUNDS = 8
EMPTY = "an empty view"


def compare(title: str, data: Path, *, kinds: list[str]) -> None:
    plan = {kind: asked for kind, asked in plan_of(data).items() if kind in kinds}
    with ExitStack() as stack:
        shop = stack.enter_context(serve(WSGI, data, PAGE_CACHE_MB="0"))
        keeping = stack.enter_context(serve(WSGI, data, PAGE_CACHE_MB="64"))
        empty = stack.enter_context(serve("shop.bench.empty:application", data))
        requests = {EMPTY: (empty, cycle([compose(empty.port, "GET", "/")]))}
        for kind, asked in plan.items():
            if asked["method"] == "GET" and kind in LIMITS:
                requests[f"{kind}{CACHED}"] = keeping, _requests(keeping.port, asked)
            requests[kind] = shop, _requests(shop.port, asked)
        figures = {kind: Figures() for kind in requests}
        for kind, (server, asked) in requests.items():
            if "first time" not in kind:
                server.ask(asked, Figures(), seconds=ROUND_SECONDS, least=3 * _paths(plan, kind))
        for _ in range(SETTLING_ROUNDS):
            for kind in (kind for kind in requests if kind.endswith(CACHED)):
                keeping.ask(requests[kind][1], Figures(), seconds=0, least=_paths(plan, kind))
            time.sleep(1)
        for _ in range(ROUNDS):
            for kind, (server, asked) in requests.items():
                server.ask(asked, figures[kind], seconds=ROUND_SECONDS)
    _show(title, plan, figures)


def _paths(plan: dict, kind: str) -> int:
    return len(plan[kind.removesuffix(CACHED)]["paths"]) if kind != EMPTY else 1


def _requests(port: int, asked: dict) -> "cycle[bytes]":
    return cycle([compose(port, asked["method"], path, asked["form"]) for path in asked["paths"]])


def _show(title: str, plan: dict, figures: dict[str, Figures]) -> None:
    base = figures[EMPTY].cost_ms
    measured = f"{'queries':>9}{'most':>5}{'cost ms':>10}{'median ms':>11}{'p95 ms':>9}{'times empty':>13}"
    print(f"\n{title:<28}{measured}{'most':>6}{'goal':>6}")
    for kind, figure in figures.items():
        queries, most, limit, goal = "", "", "", GOALS.get(kind, "")
        if kind.endswith(CACHED):
            limit, goal = CACHED_LIMIT, CACHED_GOAL
        elif kind in plan:
            queries = plan[kind]["queries"]
            most, limit = LIMITS.get(kind, ("", ""))
        print(
            f"{kind:<28}{queries:>9}{most:>5}{figure.cost_ms:>10.2f}{figure.percentile_ms(50):>11.2f}"
            f"{figure.percentile_ms(95):>9.2f}{figure.cost_ms / base:>13.2f}{limit:>6}{goal:>6}"
        )
