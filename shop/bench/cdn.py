"""How many requests a second Varnish answers in front of the shop, on all processors that the loader leaves it.

The loader is wrk (Debian: wrk) on the same machine. A shopper with a cart and one without ask for the same pages in
turn; what Varnish had to ask the shop for meanwhile is counted, too.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from django.conf import settings

from shop.ops.supervisor import WSGI

from .serving import free_port, plan_of, serve

VCL = settings.BASE_DIR / "shop" / "ops" / "varnish.vcl"
GOAL = 20_000  # a second, on two cores
SECONDS = 8
THREADS, CONNECTIONS = 1, 64
KINDS = ("home", "listing", "product")
VISITORS = {"without a cart": "", "with a cart": "session=0123456789abcdefghij0123456789ab; cart=0123456789abcdef"}
START_SECONDS = 60


def measure(data: Path) -> None:
    """Print requests a second by page and visitor, beside the goal."""
    paths = {kind: plan_of(data)[kind]["paths"][0] for kind in KINDS}
    with (
        serve(WSGI, data, CDN="varnish", CDN_PURGE_URLS="http://127.0.0.1:1", ALLOWED_HOSTS="127.0.0.1") as shop,
        _varnish(shop.port) as (port, folder),
    ):
        print(f"\n{'behind Varnish':<28}{'requests/s':>11}{'least':>8}{'p99':>9}{'bytes':>8}{'asked the shop':>16}")
        for kind, path in paths.items():
            bodies = {name: _ask(port, path, cookie) for name, cookie in VISITORS.items()}
            if len(set(bodies.values())) != 1:
                raise SystemExit(f"{path}: who has a cart gets another page")
            size = len(next(iter(bodies.values())))
            for name, cookie in VISITORS.items():
                before = _fetches(folder)
                rate, late = _load(port, path, cookie)
                fetched = _fetches(folder) - before
                print(f"{f'{kind}, {name}':<28}{rate:>11,.0f}{GOAL:>8,}{late:>9}{size:>8,}{fetched:>16}")


def varnish_command(folder: Path, *, port: int, shop: int, vcl: str) -> list[str]:
    """Varnish with this configuration in front of the shop on that port, with its files in `folder`."""
    file = folder / "shop.vcl"
    file.write_text(vcl.replace('.port = "8000";', f'.port = "{shop}";'))
    command = [_program("varnishd"), "-F", "-n", str(folder / "work"), "-a", f"127.0.0.1:{port}", "-f", str(file)]
    command += ["-p", "http_gzip_support=off", "-s", "malloc,64m", "-T", "none"]
    return [*command, "-j", "none"] if os.geteuid() == 0 else command


def _program(name: str) -> str:
    found = shutil.which(name, path=f"/usr/sbin:/usr/local/sbin:{os.environ['PATH']}")
    if not found:
        raise SystemExit(f"No {name} found (Debian: varnish, varnish-modules, wrk).")
    return found


@contextmanager
def _varnish(shop: int) -> Iterator[tuple[int, Path]]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="shop-varnish-") as name:
        folder = Path(name)
        command = varnish_command(folder, port=port, shop=shop, vcl=VCL.read_text())
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                _await(port)
                yield port, folder / "work"
            finally:
                process.terminate()


def _await(port: int) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            if _ask(port, "/healthz", ""):
                return
        except OSError:
            if time.monotonic() > until:
                raise
        time.sleep(0.1)


def _ask(port: int, path: str, cookie: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip, br"})
    body = connection.getresponse().read()
    connection.close()
    return body


def _load(port: int, path: str, cookie: str) -> tuple[float, str]:
    """Requests a second, and the 99th percentile of how long they took; none may fail."""
    command = [_program("wrk"), f"-t{THREADS}", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency"]
    command += ["-H", "Accept-Encoding: gzip, deflate, br, zstd", "-H", f"Cookie: {cookie}"]
    done = subprocess.run([*command, f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True, check=True)
    rate, late = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout), re.search(r"99%\s+(\S+)", done.stdout)
    if rate is None or late is None or "Non-2xx" in done.stdout:
        raise SystemExit(done.stdout)
    return float(rate[1]), late[1]


def _fetches(work: Path) -> int:
    """How often Varnish asked the shop so far."""
    said = subprocess.run(
        [_program("varnishstat"), "-n", str(work), "-1", "-f", "MAIN.backend_req"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(said.stdout.split()[1])
