"""Pages in the pseudo language (shop/tests/pseudo), longer by 40 % and once from right to left: none is wider than its
window, nothing that is read is cut off, and no control stands outside."""

import json

import pytest

from shop.markets.models import Location

from ..conftest import serving
from ..pseudo import LEFT, texts_of_islands, write_catalogues

pytestmark = pytest.mark.browser
PLACES = {"hi": "/hi-in", "ar": "/ar-ae"}
SHORT = ("/", "/products/ayurveda/", "/product/forest-honey/", "/cart/", "/signin/")
LONG = (
    "/products/ayurveda/?sort=newest", "/brands/", "/search/honey/", "/search/nothing%20matches/",
    "/health-concerns/x/", "/signup/", "/signin/code/", "/forgot-password/", "/faq/", "/blog/", "/contactus/",
    "/complaint/", "/complaint/state/", "/newsletter/", "/offers_discounts/", "/deliver-to/", "/currency/",
    "/language/", "/wishlist/", "/refill/1.x/", "/refill/1.x/end/", "/nothing/",
)  # fmt: skip
# What a text in its box says: cut off without a sign of it, or over the edge of the window.
MISFITS = """() => {
    const found = [];
    const { clientWidth: width, scrollWidth: needed } = document.documentElement;
    if (needed > width) found.push(`page: ${needed} px wide`);
    const isSeen = (box) => box.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowX);
    for (const box of document.querySelectorAll("main *, header *, footer *")) {
        const own = [...box.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const style = getComputedStyle(box);
        if (!own || !isSeen(box) || box.clientWidth <= 1 || box.closest(".sr-only")) continue;
        const isClipped = box.scrollWidth > box.clientWidth + 1 && /hidden|clip/.test(style.overflowX);
        if (isClipped && style.textOverflow !== "ellipsis") found.push(`cut off: ${box.textContent}`);
    }
    for (const control of document.querySelectorAll("main a, main button, main input, main select")) {
        let box = control.parentElement;
        while (box && !scrolls(box)) box = box.parentElement;
        const { left, right } = control.getBoundingClientRect();
        const isOutside = right - left > 1 && (left < -1 || right > width + 1);
        if (!box && isOutside && isSeen(control)) found.push(`outside: ${control.textContent || control.name}`);
    }
    return found;
}"""


@pytest.fixture
def shop(transactional_db, make_product, make_variant, tmp_path):
    """One that speaks the pseudo language in the place of Hindi and of Arabic."""
    make_variant(price="250", actual="300", units=9, product=make_product("Forest Honey"))
    make_variant(price="250", product=make_product("Sold Out Balm"))
    Location.objects.update(languages=["en", "hi", "ar"])
    for language in PLACES:
        write_catalogues(tmp_path / "catalogues", language)
    settings = {"DJANGO_SETTINGS_MODULE": "shop.tests.pseudo.settings", "PSEUDO_LOCALE": str(tmp_path / "catalogues")}
    with serving(tmp_path, WEB_WORKERS="1", SHOP_LANGUAGES="hi,ar", **settings) as shop:
        yield shop


def misfits(shop, chromium, language, widths, paths):
    found, words = [], json.dumps(texts_of_islands(language))
    for width in widths:
        context = chromium.new_context(base_url=shop.url, viewport={"width": width, "height": 740}, locale="en-IN")
        context.route("**/texts/*.json", lambda route: route.fulfill(body=words, content_type="application/json"))
        page = context.new_page()
        for path in paths:
            page.goto(PLACES[language] + path)
            page.wait_for_load_state("networkidle")
            assert LEFT in page.locator("body").inner_text(), path
            found += [f"{language} {width} {path} {fault}" for fault in page.evaluate(MISFITS)]
        context.close()
    return found


@pytest.mark.parametrize("language", PLACES)
def test_the_way_to_an_order_fits_in_long_words(shop, chromium, language):
    found = misfits(shop, chromium, language, (320, 1280), SHORT)
    assert not found, "\n".join(found)


@pytest.mark.full
@pytest.mark.parametrize("language", PLACES)
def test_every_page_of_visitors_fits_in_long_words(shop, chromium, language):
    found = misfits(shop, chromium, language, (320, 360, 768, 1280), (*SHORT, *LONG))
    assert not found, "\n".join(found)
