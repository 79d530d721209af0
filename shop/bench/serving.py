"""The shop as it is served, with data of the bench's own."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.conf import settings

from shop.ops.supervisor import manage_command, web_command

from .load import Server

ORDERS, REVIEWS = 30_000, 50_000
MARKET = os.environ.get("BENCH_MARKET", "/en-in")  # language and country of the pages that are asked for
PHONE_LANGUAGE = MARKET[1:3] + MARKET[3:].upper()  # hi-IN


def prepare_demo(data: Path) -> None:
    """A copy of the shop that is here, so that no cart of the bench is left in it; else a new demo."""
    here = settings.DATA_DIR / "shop.sqlite3"
    data.mkdir(parents=True, exist_ok=True)
    if here.exists() and _has_products(here):
        with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(data / "shop.sqlite3")) as copy:
            source.backup(copy)
        if not (data / "media").exists():
            (data / "media").symlink_to(settings.MEDIA_ROOT)
    manage(data, "migrate", "--verbosity", "0")
    manage(data, "demo")


def prepare_import(data: Path, file: Path) -> None:
    """The products of a file, published, with orders, reviews and stars on every card."""
    data.mkdir(parents=True, exist_ok=True)
    manage(data, "migrate", "--verbosity", "0")
    if not _has_products(data / "shop.sqlite3"):
        import_file(data, file)
    run_module(data, "filling.orders", str(ORDERS))
    run_module(data, "filling.reviews", str(REVIEWS))
    manage(data, "clock", "--once")  # makes the snapshot of the facet index, as in a running shop


def _has_products(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as connection:
        try:
            return connection.execute("SELECT 1 FROM catalog_product").fetchone() is not None
        except sqlite3.OperationalError:
            return False


@contextmanager
def serve(app: str, data: Path, *, python: str = sys.executable, **variables: str) -> Iterator[Server]:
    """One worker of the production server, with more `variables` in its environment."""
    port = free_port()
    command = [python, *web_command(host="127.0.0.1", port=port, app=app, workers=1)[1:]]
    with subprocess.Popen(
        command, env=environment(data, PORT=str(port), **variables), cwd=settings.BASE_DIR
    ) as process:
        try:
            _wait_for(port)
            yield Server(process, port)
        finally:
            process.terminate()


def plan_of(data: Path) -> dict:
    """What is asked of the shop with this data (plan.py)."""
    command = [sys.executable, "-m", "shop.bench.plan"]
    done = subprocess.run(command, env=environment(data), cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def manage(data: Path, *words: str) -> None:
    subprocess.run(manage_command(*words), env=environment(data), cwd=settings.BASE_DIR, check=True)


def import_file(data: Path, file: Path) -> None:
    """What it says of thousands of new brands goes into a file."""
    command = manage_command("import_products", str(file), "--format", "table", "--publish")
    with (data / "import.log").open("wb") as log:
        subprocess.run(command, env=environment(data), cwd=settings.BASE_DIR, check=True, stdout=log, stderr=log)


def run_module(data: Path, name: str, *words: str, **variables: str) -> None:
    """A module of the bench, in a process of its own on the shop of that data."""
    command = [sys.executable, "-m", f"shop.bench.{name}", *words]
    subprocess.run(command, env=environment(data, **variables), cwd=settings.BASE_DIR, check=True)


def environment(data: Path, **variables: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SHOP_URL")}
    return ours | {"SHOP_DATA_DIR": str(data), "SHOP_DEMO": "1", "LOG_LEVEL": "WARNING", **variables}


def free_port() -> int:
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
