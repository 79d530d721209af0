"""The line that offers another country: under the header, over nothing, gone with one tap."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def honey(make_product, make_variant):
    """There before the shop is served: an empty one would load the demo."""
    return make_variant(price="250", units=9, product=make_product("Forest Honey"))


@pytest.mark.parametrize("width", [360, 1280])
def test_the_country_line_covers_nothing_and_goes_with_one_tap(honey, running_shop, chromium, barriers, width):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": width, "height": 740}, locale="en-IN")
    context.add_cookies([{"name": "deliver_to", "value": "IN", "url": running_shop.url}])
    page = context.new_page()
    page.goto("/en-us/product/forest-honey/")
    line = page.get_by_role("complementary", name="Country")
    expect(line.get_by_role("button", name="Deliver to India instead?")).to_be_visible()
    assert "Prices for USA." in line.inner_text()
    header, main = page.locator("header.top").bounding_box(), page.locator("main").bounding_box()
    place = line.bounding_box()
    assert header["y"] + header["height"] <= place["y"] + 1 and place["y"] + place["height"] <= main["y"] + 1
    assert place["height"] <= 96 and barriers(page) == []
    line.get_by_role("button", name="Stay with USA").click()
    expect(line).to_have_count(0)
    page.wait_for_timeout(300)
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(line).to_have_count(0)
    assert page.url.endswith("/en-us/product/forest-honey/")
    context.close()
