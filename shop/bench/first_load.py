"""What a first visit fetches before anyone touches the page.

On a phone 360 px wide with nothing cached, a slow network and a slow processor. `SHOW_REQUESTS=1` lists them.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from shop.ops.supervisor import WSGI

from .serving import MARKET, PHONE_LANGUAGE, plan_of, serve

PAGES = ("home", "listing", "product")
LIMITS = {"requests": 25, "script": 25 * 1024, "style": 20 * 1024, "html": 30 * 1024}  # bytes as they travel
KINDS = {"Document": "html", "Stylesheet": "style", "Script": "script", "Image": "pictures", "Font": "fonts"}
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOWER_PROCESSOR = 4
QUIET_MS = 5000  # after the page has loaded: what comes when the browser is idle


def measure(data: Path) -> None:
    paths = {kind: asked["paths"][0] for kind, asked in plan_of(data).items()}
    kinds = [*dict.fromkeys(KINDS.values()), "other"]
    print(
        f"\n{f'first load of {MARKET}, 360 px':<28}{'requests':>9}" + "".join(f"{kind + ' kB':>13}" for kind in kinds)
    )
    with serve(WSGI, data) as shop, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=CHROMIUM_OPTIONS)
        for page in PAGES:
            for when, (requests, sizes) in _visit(browser, f"http://127.0.0.1:{shop.port}{paths[page]}").items():
                print(f"{page + when:<28}{requests:>9}" + "".join(f"{sizes[kind] / 1024:>13.1f}" for kind in kinds))
    most = "".join(f"{LIMITS[kind] / 1024 if kind in LIMITS else '':>13}" for kind in kinds)
    print(f"{'at most':<28}{LIMITS['requests']:>9}{most}")


@contextmanager
def slow_phone(browser: Browser) -> Iterator[Page]:
    """A page of a phone that was never here, 360 px wide, with a slow network and a slow processor."""
    phone = browser.new_context(
        viewport={"width": 360, "height": 740},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        locale=PHONE_LANGUAGE,
    )
    try:
        page = phone.new_page()
        session = phone.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_4G)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
        yield page
    finally:
        phone.close()


def _visit(browser: Browser, address: str) -> dict[str, tuple[int, Counter[str]]]:
    """Number of requests, and bytes by kind: of the first load, and with the islands that start when idle."""
    with slow_phone(browser) as page:
        kind_of: dict[str, str] = {}  # by request
        sizes: Counter[str] = Counter()
        _listen(page.context.new_cdp_session(page), kind_of, sizes)
        page.goto(address, wait_until="load")
        loaded = len(kind_of), sizes.copy()
        page.wait_for_timeout(QUIET_MS)
        return {"": loaded, ", then idle": (len(kind_of), sizes)}


def _listen(session: CDPSession, kind_of: dict[str, str], sizes: Counter[str]) -> None:
    session.send("Network.enable")

    def sent(event: dict) -> None:
        if event["request"]["url"].startswith("http"):
            kind_of[event["requestId"]] = KINDS.get(event.get("type", ""), "other")
            if os.environ.get("SHOW_REQUESTS"):
                print(f"    {kind_of[event['requestId']]:<10}{event['request']['url'].split('/', 3)[3]}")

    def finished(event: dict) -> None:
        if event["requestId"] in kind_of:
            sizes[kind_of[event["requestId"]]] += event["encodedDataLength"]

    session.on("Network.requestWillBeSent", sent)
    session.on("Network.loadingFinished", finished)


def chromium() -> str:
    """CHROMIUM names the browser; else a Chromium or Chrome of the system."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)
    if not found:
        raise SystemExit("No Chromium found: name one in CHROMIUM.")
    return found


CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--accept-lang={PHONE_LANGUAGE}",  # of whoever reads that market: another is offered a change of language
]
