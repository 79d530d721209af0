"""Every page of visitors and customers in the pseudo language, longer by 40 % and once from right to left: all of it is
marked, nothing is cut off, lies over something else or stands outside, and no page is wider than its window."""

import pytest

from shop.orders.models import Order

from ..support.access import Who, all_entries
from .conftest import BUYER, LANGUAGES, MISFITS, WIDTHS

pytestmark = pytest.mark.browser
ON_THE_WAY = ("/", "/products/ayurveda/", "/product/neem-soap/", "/cart/", "/signin/")
STATES = (
    "/products/ayurveda/?sort=newest", "/products/ayurveda/?q=nothing", "/search/soap/", "/search/nothing%20matches/",
    "/product/face-oil/", "/product/balm/", "/signin/?by=mobile", "/signup/?by=mobile", "/nothing/",
    "/orders/?q=nothing",
    "/orders/?tab=ended", "/contactus/?looked_for=soap", "/profile/address/?by=email", "/profile/address/?by=mobile",
)  # fmt: skip
FORMS = (
    "/signin/", "/signin/code/", "/signup/", "/forgot-password/", "/contactus/", "/complaint/", "/complaint/state/",
    "/newsletter/", "/trackorders/",
)  # fmt: skip
SENT = "document.querySelector('main form[method=post]').noValidate = true"


def paths(who, own):
    """Of the routes that are pages, or lead to one."""
    entries = [entry for entry in all_entries() if entry.who is who and "GET" in entry.methods and not entry.is_api]
    return list(dict.fromkeys(entry.path_for(own) for entry in entries if "sign-out" not in entry.route))


def test_the_way_to_an_order_is_marked_and_fits(reader):
    found = []
    for language in LANGUAGES:
        page = reader(language)
        for path in ON_THE_WAY:
            assert page.open(path, (320, 1280))
        found += page.found
    assert not found, "\n".join(found)


def test_misfits_are_found(chromium):
    """Each kind of them, and what only looks like one."""
    page = chromium.new_page(viewport={"width": 320, "height": 740})
    page.set_content(
        """<style>body { margin: 0; font: 16px/20px monospace } div { position: relative; height: 40px }
        .cut { width: 40px; overflow: hidden; white-space: nowrap } .dots { text-overflow: ellipsis }</style>
        <div class=cut>Cut off here</div><div class="cut dots">Meant to be so</div>
        <p><b style="position:absolute;left:0">Wide words</b><i style="position:absolute;left:30px">Over them</i></p>
        <div><button style="position:absolute;left:300px;width:90px">Out</button></div>"""
    )
    kinds = [what.split(" <")[0] for what in page.evaluate(MISFITS)]
    page.close()
    wanted = ["page: 390 px wide", "cut off: Cut off here in", "outside: Out", "overlap: Wide words"]
    assert sorted(kinds) == sorted(wanted)


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_visitors_is_marked_and_fits(reader, asha, language):
    page = reader(language)
    for path in [*ON_THE_WAY, *STATES, *paths(Who.ANYONE, asha)]:
        page.open(path, WIDTHS)
    for path in FORMS:
        page.page.goto(path)
        page.page.evaluate(SENT)
        page.page.locator("main form[method=post]").first.locator("[type=submit], button:not([type])").first.click()
        page.look(f"{path} sent empty", WIDTHS)
    assert page.read > 60
    assert not page.found, "\n".join(page.found)


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_customers_is_marked_and_fits(reader, asha, language):
    page = reader(language, asha.email)
    for path in ["/cart/", "/checkout/", "/wishlist/", *STATES, *paths(Who.CUSTOMER, asha)]:
        page.open(path, WIDTHS)
    assert page.read > 40
    assert not page.found, "\n".join(page.found)


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_in_every_status_are_marked_and_fit(reader, asha, language):
    page = reader(language, BUYER)
    orders = Order.objects.filter(customer__email=BUYER)
    assert {order.status for order in orders} == set(Order.Status)
    for path in ["/orders/", "/checkout/", *(f"/order-detail/{order.number}/" for order in orders)]:
        page.open(path, WIDTHS)
    assert not page.found, "\n".join(page.found)
