"""Lighthouse's four scores and what people feel, on a phone as it simulates one: the median of five runs.

Of pages that others opened before, as nearly always in a shop that is visited: by then they are kept, and in their
fewest bytes (shop/http/recompression.py).
"""

import json
import os
import statistics
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings

from shop.ops.supervisor import WSGI

from .first_load import CHROMIUM_OPTIONS, PAGES, chromium
from .serving import MARKET, plan_of, serve

RUNS = 5
TRIES = 4
OPENED_BEFORE = 10
SETTLING = 2  # seconds, for a page that is compressed again
HERE = Path(__file__).parent
SCORES = ("performance", "accessibility", "best-practices", "seo")
NUMBERS = {
    "largest-contentful-paint": ("LCP ms", 0),
    "total-blocking-time": ("TBT ms", 0),
    "cumulative-layout-shift": ("CLS", 3),
}


def measure(data: Path) -> None:
    _install()
    reports = data.parent / "lighthouse"
    reports.mkdir(exist_ok=True)
    asked = plan_of(data)
    paths = {kind: requests["paths"][0] for kind, requests in asked.items()} | {"cart": f"{MARKET}/cart/"}
    columns = "".join(f"{name:>16}" for name in SCORES) + "".join(f"{name:>9}" for name, _ in NUMBERS.values())
    print(f"\n{f'Lighthouse of {MARKET}, median of {RUNS}':<28}{columns}")
    with serve(WSGI, data) as shop:
        cookie = _fill_cart(shop.port, paths["add to cart"], asked["add to cart"]["form"])
        for page in (*PAGES, "cart"):
            address = f"http://127.0.0.1:{shop.port}{paths[page]}"
            headers = {"Cookie": cookie} if page == "cart" else {}
            _open(shop.port, paths[page], headers)
            _show(page, [_run(address, headers, reports / f"{page}.json") for _ in range(RUNS)])
    print(f"{'at least; at most':<28}{100:>16}{100:>16}{100:>16}{100:>16}{'':>9}{100:>9}{0.02:>9}")


def _install() -> None:
    """Lighthouse, as the lock file has it; for this part alone."""
    if not (HERE / "node_modules" / ".package-lock.json").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE, check=True)


def _fill_cart(port: int, path: str, form: dict) -> str:
    """The cookies of a visitor with one line in the cart."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    connection.request("POST", path, urlencode(form), headers)
    answer = connection.getresponse()
    return "; ".join(value.partition(";")[0] for value in answer.headers.get_all("Set-Cookie", []))


def _open(port: int, path: str, headers: dict[str, str]) -> None:
    for _ in range(OPENED_BEFORE):
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path, headers={"Accept-Encoding": "br"} | headers)
        connection.getresponse().read()
        connection.close()
    time.sleep(SETTLING)


def _run(address: str, headers: dict[str, str], report: Path) -> dict:
    """A run now and then cannot record its trace on a busy machine: it is made again."""
    command = ["node", str(HERE / "node_modules/lighthouse/cli/index.js"), address, "--quiet", "--output=json"]
    if headers:  # the cart, which no index may hold
        command += [f"--extra-headers={json.dumps(headers)}", "--skip-audits=is-crawlable"]
    command += [f"--output-path={report}", f"--chrome-flags=--headless=new {' '.join(CHROMIUM_OPTIONS)}"]
    environment = os.environ | {"CHROME_PATH": chromium()}
    for _ in range(TRIES):
        done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(report.read_text())
    raise SystemExit(done.stderr)


def _show(page: str, runs: list[dict]) -> None:
    scores = [statistics.median(run["categories"][name]["score"] * 100 for run in runs) for name in SCORES]
    numbers = [
        (statistics.median(run["audits"][name]["numericValue"] for run in runs), NUMBERS[name][1]) for name in NUMBERS
    ]
    print(f"{page:<28}" + "".join(f"{score:>16.0f}" for score in scores) + "".join(f"{n:>9.{d}f}" for n, d in numbers))
    for name, audit in runs[-1]["audits"].items():
        counted = any(
            name == ref["id"] and ref["weight"] for c in SCORES[1:] for ref in runs[-1]["categories"][c]["auditRefs"]
        )
        if counted and audit["score"] is not None and audit["score"] < 1:
            print(f"    {audit['title']}")
