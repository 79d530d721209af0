"""`make bench`: what a page costs as a multiple of an empty view on the same server in the same run.

The cost is the server's processor time for one request, so that it does not depend on the loader,
which runs on the same machine. Rounds alternate between the kinds, so that a busy moment of the
machine falls on all of them.
"""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")

from django.conf import settings

from shop.running.processes import WSGI, manage_command, web_command

from .load import Figures, Server, compose

ROUNDS = 6
ROUND_SECONDS = 0.5
# SPEED.md: most queries, and times an empty view
AIMS = {"home": (12, 25), "listing": (10, 25), "product": (10, 15), "search": (8, 25), "add to cart": (8, 15)}
EMPTY = "an empty view"
REAL_FILE = "wellness/bigbasket-products-27k.csv.gz"


def main() -> None:
    home = settings.DATA_DIR / "bench"
    demo = home / "demo"
    _prepare_demo(demo)
    _compare("the demo shop", demo, kinds=list(AIMS))
    if real := os.environ.get("SHOP_TEST_DATA"):
        imported = home / "imported"
        _prepare_import(imported, Path(real).resolve() / REAL_FILE)
        _compare("27,000 imported products", imported, kinds=["listing", "product", "search"])


def _prepare_demo(data: Path) -> None:
    """A copy of the shop that is here, so that no cart of the bench is left in it; else a new demo."""
    here = settings.DATA_DIR / "shop.sqlite3"
    data.mkdir(parents=True, exist_ok=True)
    if here.exists() and _has_products(here):
        with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(data / "shop.sqlite3")) as copy:
            source.backup(copy)
    _manage(data, "migrate", "--verbosity", "0")
    _manage(data, "demo")


def _has_products(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as connection:
        try:
            return connection.execute("SELECT 1 FROM catalog_product").fetchone() is not None
        except sqlite3.OperationalError:
            return False


def _prepare_import(data: Path, file: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    _manage(data, "migrate", "--verbosity", "0")
    if not _has_products(data / "shop.sqlite3"):
        _manage(data, "import_products", str(file), "--format", "table")


def _compare(title: str, data: Path, *, kinds: list[str]) -> None:
    plan = {kind: asked for kind, asked in _plan(data).items() if kind in kinds}
    figures = {kind: Figures() for kind in [EMPTY, *plan]}
    with ExitStack() as stack:
        shop = stack.enter_context(_serve(WSGI, data))
        empty = stack.enter_context(_serve("shop.bench.empty:application", data))
        requests = {EMPTY: (empty, compose(empty.port, "GET", "/"))}
        for kind, asked in plan.items():
            requests[kind] = shop, compose(shop.port, asked["method"], asked["path"], asked["form"])
        for server, request in requests.values():
            server.ask(request, Figures(), seconds=ROUND_SECONDS)
        for _ in range(ROUNDS):
            for kind, (server, request) in requests.items():
                server.ask(request, figures[kind], seconds=ROUND_SECONDS)
    _show(title, plan, figures)


def _plan(data: Path) -> dict:
    command = [sys.executable, "-m", "shop.bench.plan"]
    done = subprocess.run(command, env=_environment(data), cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


@contextmanager
def _serve(app: str, data: Path) -> Iterator[Server]:
    """One worker of the production server."""
    port = _free_port()
    command = web_command(host="127.0.0.1", port=port, app=app, workers=1)
    with subprocess.Popen(command, env=_environment(data), cwd=settings.BASE_DIR) as process:
        try:
            _wait_for(port)
            yield Server(process, port)
        finally:
            process.terminate()


def _manage(data: Path, *words: str) -> None:
    subprocess.run(manage_command(*words), env=_environment(data), cwd=settings.BASE_DIR, check=True)


def _environment(data: Path) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SHOP_URL")}
    return ours | {"SHOP_DATA_DIR": str(data), "SHOP_DEMO": "1", "LOG_LEVEL": "WARNING"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(port: int) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def _show(title: str, plan: dict, figures: dict[str, Figures]) -> None:
    base = figures[EMPTY].cost_ms
    columns = f"{'queries':>9}{'aim':>5}{'cost ms':>10}{'median ms':>11}{'p95 ms':>9}{'times empty':>13}{'aim':>5}"
    print(f"\n{title:<28}{columns}")
    for kind, figure in figures.items():
        queries, most = (plan[kind]["queries"], AIMS[kind][0]) if kind in plan else ("", "")
        times, aim = (f"{figure.cost_ms / base:.1f}", AIMS[kind][1]) if kind in plan else ("1", "")
        print(
            f"{kind:<28}{queries:>9}{most:>5}{figure.cost_ms:>10.2f}{figure.percentile_ms(50):>11.2f}"
            f"{figure.percentile_ms(95):>9.2f}{times:>13}{aim:>5}"
        )


if __name__ == "__main__":
    main()
