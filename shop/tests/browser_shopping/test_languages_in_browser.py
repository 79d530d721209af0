"""Pages in Hindi and, from right to left, in Arabic: nothing too wide, and a language is changed with one tap."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATHS = ["/", "/products/ayurveda/", "/product/forest-honey/", "/brands/", "/search/honey/", "/language/", "/nothing/"]
SHAPE = """() => ({
  lang: document.documentElement.lang,
  direction: getComputedStyle(document.body).direction,
  tooWide: document.documentElement.scrollWidth - innerWidth,
  searchText: document.querySelector("#q").placeholder,
})"""


@pytest.fixture
def honey(transactional_db, make_product, make_variant):
    return make_variant(price="250", units=9, product=make_product("Forest Honey"))


def test_pages_in_other_languages_fit_and_a_tap_changes_the_language(honey, running_shop, chromium):
    shapes = {
        ("/hi-in", 360): {"lang": "hi", "direction": "ltr", "searchText": "खोजें..."},
        ("/ar-ae", 360): {"lang": "ar", "direction": "rtl", "searchText": "بحث..."},
        ("/ar-ae", 1280): {"lang": "ar", "direction": "rtl", "searchText": "بحث..."},
    }
    for (prefix, width), shape in shapes.items():
        context = chromium.new_context(base_url=running_shop.url, viewport={"width": width, "height": 740})
        page = context.new_page()
        for path in PATHS:
            page.goto(prefix + path)
            found = page.evaluate(SHAPE)
            assert found.pop("tooWide") <= 0, (prefix, path, width)
            assert found == shape, (prefix, path, width)
        context.close()
    _change_language(
        chromium.new_context(base_url=running_shop.url, viewport={"width": 1280, "height": 740}, locale="en-IN")
    )
    _change_language(
        chromium.new_context(base_url=running_shop.url, java_script_enabled=False, locale="en-IN"), scripts=False
    )


def _change_language(context, scripts=True):
    page = context.new_page()
    page.goto("/en-in/products/ayurveda/?sort=newest")
    page.locator("header").get_by_role("link", name="हिंदी").first.click()
    if not scripts:
        page.get_by_role("button", name="हिंदी").click()
    page.wait_for_url("**/hi-in/products/ayurveda/?sort=newest")
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    page.goto("/language/")  # without prefix the choice rules
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    context.close()
