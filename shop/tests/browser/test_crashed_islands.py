"""Every island crashed on purpose, in every way: the server's page stands in its place and works."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from shop.catalog.models import Category, Product, VariantImage
from shop.catalog.services import refresh_products

pytestmark = pytest.mark.browser
ISLANDS = re.compile(r"/static/islands/islands-[A-Z0-9]{8}\.js$")
PROPS = re.compile(r'(<shop-island name="([^"]+)" when="[^"]+"><script type="application/json">)(.*?)(</script>)')
# In place of the file of all islands: each is shown by a component that crashes when it is told to.
CRASHING = """
import { islands as real } from "FILE?real";
const fail = (name, moment) => {
    const { crash } = window;
    if (crash?.name === name && crash.moment === moment) throw new Error(`on purpose: ${name}, ${moment}`);
};
const crashing = (name, island) => {
    class Crashing {
        constructor(props) { this.props = props; }
        render() {
            fail(name, "rendering");
            if (this.state?.isUsed) fail(name, "in use");
            const $$typeof = Symbol.for("react.transitional.element");
            return { $$typeof, type: island, key: null, ref: null, props: this.props };
        }
        componentDidMount() {
            fail(name, "effect");
            const use = () => this.updater.enqueueSetState(this, { isUsed: true }, null, "setState");
            document.addEventListener("crash", use);
        }
    }
    Crashing.prototype.isReactComponent = {};
    return Crashing;
};
window.registered = Object.keys(real);
export const islands = Object.fromEntries(Object.entries(real).map(([name, island]) => [name, crashing(name, island)]));
"""
# The island's markup as the server writes it, beside what stands there. What scripts mark on any page is left out, and
# the files of pictures, of which the worker may have made more meanwhile.
MARKUP = """async (island) => {
    const sameName = `shop-island[name="${island.getAttribute("name")}"]`;
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const index = [...document.querySelectorAll(sameName)].indexOf(island);
    return [island, page.querySelectorAll(sameName)[index]].map((found) => {
        const copy = found.cloneNode(true);
        copy.querySelector(":scope > script").remove();
        copy.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((token) => token.remove());
        copy.querySelectorAll("picture").forEach((picture) => picture.replaceWith("picture"));
        copy.querySelectorAll(".mega__link").forEach((link) => link.removeAttribute("aria-current"));
        return copy.innerHTML;
    });
}"""


@pytest.fixture
def shop(make_product, make_variant, picture):
    """Two sizes of a honey with two pictures, and a herb, in a category with a picture."""
    category = Category.objects.create(name="Herbal", slug="herbal")
    honey = make_product("Forest Honey", category=category)
    for price in ("250", "400"):
        variant = make_variant(price, product=honey, units=9)
        for position, colour in enumerate(("#e7f0ea", "#d7a86e")):
            VariantImage.objects.create(variant=variant, picture=picture(colour), position=position)
    make_variant("900", product=make_product("Saffron", category=category))
    refresh_products(Product.objects.values_list("pk", flat=True))


@pytest.fixture
def page(running_shop, chromium):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 1280, "height": 900}, locale="en-IN")
    page = context.new_page()
    page.route(ISLANDS, _crashing)
    yield page
    context.close()


def _crashing(route: Route) -> None:
    route.fulfill(content_type="text/javascript", body=CRASHING.replace("FILE", route.request.url))


def _leads_to(path: str) -> Callable[[Page, Locator], None]:
    def use(page: Page, island: Locator) -> None:
        island.locator(f"a[href*='{path}']").first.click()
        page.wait_for_url(f"**{path}**")

    return use


def _change_quantity(page: Page, island: Locator) -> None:
    island.get_by_label("Quantity of Forest Honey").select_option("3")
    page.wait_for_load_state("load")
    expect(page.get_by_text("₹779.00").first).to_be_visible()  # 750 and the shipping


def _narrow(page: Page, island: Locator) -> None:
    island.get_by_label("Lowest, ₹").fill("800")
    island.get_by_label("Lowest, ₹").blur()
    expect(page.get_by_text("Showing 1 out of 1")).to_be_visible()


def _buy(page: Page, island: Locator) -> None:
    island.get_by_role("button", name="ADD TO CART").click()
    page.wait_for_url("**/cart/")
    expect(page.get_by_role("link", name="Forest Honey").first).to_be_visible()


PRODUCT, LISTING, CART = "/en-in/product/forest-honey/", "/en-in/products/herbal/", "/en-in/cart/"
# Where each island is found, and what a shopper does there without it.
USES: dict[str, tuple[str, Callable[[Page, Locator], None]]] = {
    "buy-box": (PRODUCT, _buy),
    "cart": (CART, _change_quantity),
    "filters": (LISTING, _narrow),
    "gallery": (PRODUCT, _leads_to("#picture-2")),
    "mega-menu": (LISTING, _leads_to("/products/herbal/")),
    "menu-sheet": (LISTING, _leads_to("/categories/")),
    "country-picker": (LISTING, _leads_to("/deliver-to/")),
    "currency-picker": (LISTING, _leads_to("/currency/")),
}
TAKE_PROPS = ("buy-box", "cart")


def open_island(page: Page, name: str) -> Locator:
    """The page of an island, which is wanted at once."""
    address, _ = USES[name]
    page.set_viewport_size({"width": 360 if name == "menu-sheet" else 1280, "height": 900})
    page.goto(address)
    if name == "menu-sheet":
        page.locator("[data-menu-sheet] > summary").click()
    island = page.locator(f"shop-island[name='{name}']:visible").first
    island.dispatch_event("focusin", {"bubbles": True})
    return island


def fill_cart(page: Page) -> None:
    page.goto(PRODUCT)
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    page.get_by_role("link", name="Cart, 1 item").wait_for()


def is_the_servers(island: Locator) -> None:
    expect(island).not_to_have_attribute("data-react", "")
    shown, written = island.evaluate(MARKUP)
    assert shown == written


def reports(page: Page, name: str) -> AbstractContextManager:
    """Waits until the page says that the island failed. No wait for a network without requests: a link that the
    pointer rests on is fetched ahead, and Chromium does not always say when such a request is over."""
    said = re.compile(rf'The island "{name}" (crashed|did not start)')
    return page.expect_console_message(lambda line: said.match(line.text) is not None)


def renewal(page: Page, moment: str) -> AbstractContextManager:
    """Waits for the page that an island which was in use asks for when it crashed."""
    if moment != "in use":
        return nullcontext()
    return page.expect_response(lambda answer: answer.request.resource_type == "fetch" and answer.url == page.url)


def test_the_list_names_every_island_of_the_shop(shop, page):
    page.goto(PRODUCT)
    page.mouse.move(1, 1)
    page.wait_for_function("() => window.registered")
    assert set(page.evaluate("window.registered")) == set(USES)


@pytest.mark.parametrize("moment", ["rendering", "effect", "in use"])
def test_an_island_that_crashes_leaves_the_servers_page(shop, page, moment):
    fill_cart(page)
    for name, (_, use) in USES.items():
        page.add_init_script(f"window.crash = {{ name: '{name}', moment: '{moment}' }}")
        with renewal(page, moment), reports(page, name):
            island = open_island(page, name)
            if moment == "in use":
                expect(island).to_have_attribute("data-react", "")
                page.evaluate("document.dispatchEvent(new Event('crash'))")
        is_the_servers(island)
        use(page, island)


@pytest.mark.parametrize("fault", ["the file does not arrive", "no JSON", "nothing given"])
def test_an_island_that_cannot_start_leaves_the_servers_page(shop, page, fault):
    fill_cart(page)
    for name in TAKE_PROPS if fault == "nothing given" else USES:
        address, use = USES[name]
        props: dict[str, str] = {}

        def spoil(route: Route, name=name, props=props) -> None:
            answer = route.fetch()

            def other(found: re.Match) -> str:
                props[found[2]] = found[3]
                return found[1] + {"no JSON": "not JSON", "nothing given": "{}"}[fault] + found[4]

            route.fulfill(response=answer, body=PROPS.sub(other, answer.text()))

        if fault == "the file does not arrive":
            page.route(ISLANDS, lambda route: route.abort())
        else:
            page.route(f"**{address}", spoil)
        with reports(page, name):
            island = open_island(page, name)
        assert fault == "the file does not arrive" or (props[name] != "{}") == (name in TAKE_PROPS)
        is_the_servers(island)
        use(page, island)
        page.unroute_all()
        page.route(ISLANDS, _crashing)
