"""How long a shopper's tap waits for the next picture of the page (INP), on a slow phone: the median of five visits.

Each figure is the longest event of one tap, as the browser's Event Timing counts it: from the finger to the frame
after its handlers, in steps of 8 ms. What the server answers comes later and does not count.
"""

import statistics
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from shop.ops.supervisor import WSGI

from .first_load import CHROMIUM_OPTIONS, chromium, slow_phone
from .serving import MARKET, plan_of, serve

VISITS = 5
LIMIT_MS = 200
SETTLED_MS = 1500  # after a tap: its frames are painted, what it asked the server for is shown
LISTEN = """
window.longestEvent = 0;
new PerformanceObserver(list => {
  for (const event of list.getEntries())
    if (event.interactionId) window.longestEvent = Math.max(window.longestEvent, event.duration);
}).observe({type: 'event', durationThreshold: 16, buffered: true});
"""

Step = tuple[str, Callable[[Page], None]]


def measure(data: Path) -> None:
    paths = {kind: asked["paths"][0] for kind, asked in plan_of(data).items()}
    print(f"\n{f'INP of {MARKET}, median of {VISITS}':<44}{'ms':>6}{'worst':>8}{'at most':>9}")
    with serve(WSGI, data) as shop, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=CHROMIUM_OPTIONS)
        visits = []
        for _ in range(VISITS):
            with slow_phone(browser) as page:
                page.add_init_script(LISTEN)
                visits.append(_visit(page, f"http://127.0.0.1:{shop.port}", paths))
    for step in visits[0]:
        taken = [visit[step] for visit in visits]
        print(f"{step:<44}{statistics.median(taken):>6.0f}{max(taken):>8.0f}{LIMIT_MS:>9}")


def _visit(page: Page, shop: str, paths: dict[str, str]) -> dict[str, float]:
    """Milliseconds by step."""
    taken = {}
    for path, steps in ((paths["listing"], ON_LISTING), (paths["product"], ON_PRODUCT), (f"{MARKET}/cart/", IN_CART)):
        page.goto(shop + path, wait_until="load")
        for name, step in steps:
            page.wait_for_timeout(SETTLED_MS)
            page.evaluate("window.longestEvent = 0")
            step(page)
            page.wait_for_timeout(SETTLED_MS)
            taken[name] = page.evaluate("window.longestEvent")
    return taken


def _tap(selector: str) -> Callable[[Page], None]:
    """The first that is seen; by its class, which is the same in every language."""
    return lambda page: page.locator(f"#main {selector}").locator("visible=true").first.tap()


def _open_filters(page: Page) -> None:
    page.locator(".toolbar__filters").tap()
    expect(page.locator("#filters input:visible").first).to_be_visible()


def _tick_filter(page: Page) -> None:
    page.locator("#filters input[type=checkbox]:visible").first.tap()


def _choose_more(page: Page) -> None:
    """By a key: the list of quantities is the system's own, which no finger of a test reaches."""
    page.locator("#main select:visible").first.press("ArrowDown")


MORE = ".stepper > output + button"
ON_LISTING: list[Step] = [
    ("add, on a card", _tap("button.card__action")),
    ("stepper, on a card", _tap(MORE)),
    ("filters, opened", _open_filters),
    ("filter, ticked", _tick_filter),
]
ON_PRODUCT: list[Step] = [
    ("add, on the product page", _tap("[data-replay=add]")),
    ("stepper, on the product page", _tap(MORE)),
]
IN_CART: list[Step] = [("quantity, in the cart", _choose_more), ("remove, in the cart", _tap("[data-replay^=remove-]"))]
