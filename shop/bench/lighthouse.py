"""Lighthouse's four scores and what people feel, on a phone as it simulates one: the median of five runs.

Of pages that others opened before, as nearly always in a shop that is visited: by then they are kept, and in their
fewest bytes (shop/http/recompression.py).
"""

import json
import os
import statistics
import subprocess
import tempfile
import time
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from playwright.sync_api import sync_playwright

from shop.ops.supervisor import WSGI

from .first_load import CHROMIUM_OPTIONS, PAGES, chromium
from .serving import MARKET, PHONE_LANGUAGE, plan_of, serve

RUNS = 5
TRIES = 4
OPENED_BEFORE = 10
PLAIN_STORE = "--password-store=basic"  # of cookies: each start of the browser reads them
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
    with serve(WSGI, data) as shop, tempfile.TemporaryDirectory() as visitor, tempfile.TemporaryDirectory() as buyer:
        cookies = _fill_cart(shop.port, paths["add to cart"], asked["add to cart"]["form"])
        _keep(cookies, Path(buyer), f"http://127.0.0.1:{shop.port}")
        for page in (*PAGES, "cart"):
            address = f"http://127.0.0.1:{shop.port}{paths[page]}"
            is_cart = page == "cart"
            _open(shop.port, paths[page], {"Cookie": "; ".join("=".join(pair) for pair in cookies)} if is_cart else {})
            more = ["--skip-audits=is-crawlable"] if is_cart else []  # no index may hold it
            profile = buyer if is_cart else visitor
            _show(page, [_run(address, profile, reports / f"{page}.json", *more) for _ in range(RUNS)])
    print(f"{'at least; at most':<28}{100:>16}{100:>16}{100:>16}{100:>16}{'':>9}{100:>9}{0.02:>9}")


def _install() -> None:
    """Lighthouse, as the lock file has it; for this part alone."""
    if not (HERE / "node_modules" / ".package-lock.json").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE, check=True)


def _fill_cart(port: int, path: str, form: dict) -> list[tuple[str, str]]:
    """The cookies of a visitor with one line in the cart."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    connection.request("POST", path, urlencode(form), headers)
    answer = connection.getresponse()
    given = SimpleCookie("; ".join(value.partition(";")[0] for value in answer.headers.get_all("Set-Cookie", [])))
    return [(name, cookie.coded_value) for name, cookie in given.items()]


def _keep(cookies: list[tuple[str, str]], profile: Path, url: str) -> None:
    """Put them where Chromium finds them: a header reaches the page, and not what its scripts ask for."""
    with sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            profile, executable_path=chromium(), args=[*CHROMIUM_OPTIONS, PLAIN_STORE]
        )
        until = time.time() + 24 * 60 * 60
        context.add_cookies([{"name": name, "value": value, "url": url, "expires": until} for name, value in cookies])
        context.close()


def _open(port: int, path: str, headers: dict[str, str]) -> None:
    for _ in range(OPENED_BEFORE):
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path, headers={"Accept-Encoding": "br"} | headers)
        connection.getresponse().read()
        connection.close()
    time.sleep(SETTLING)


def _run(address: str, profile: str, report: Path, *more: str) -> dict:
    """A run now and then cannot record its trace on a busy machine: it is made again. Lighthouse empties the profile's
    cache before each, and leaves its cookies."""
    command = ["node", str(HERE / "node_modules/lighthouse/cli/index.js"), address, "--quiet", "--output=json", *more]
    flags = ["--headless=new", *CHROMIUM_OPTIONS, PLAIN_STORE, f"--user-data-dir={profile}"]
    flags.append(f"--accept-lang={PHONE_LANGUAGE}")  # else the page offers another language
    command += [f"--output-path={report}", f"--chrome-flags={' '.join(flags)}"]
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
