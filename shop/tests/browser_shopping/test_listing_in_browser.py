"""A listing on phone and desktop: products first, filters and sort in reach, more on request, a footer that ends."""

import pytest
from playwright.sync_api import expect

from shop.catalog.models import Brand, Category, HealthConcern

pytestmark = pytest.mark.browser


@pytest.fixture
def shelf(make_product, make_variant, picture):
    tint = picture("#e7f0ea")
    category = Category.objects.create(
        name="Ayurveda", slug="ayurveda", tagline="Classical recipes and single herbs.", img_banner=tint
    )
    concerns = [HealthConcern.objects.create(name=f"Concern {number}", slug=f"concern-{number}") for number in range(4)]
    brands = [Brand.objects.create(name=f"Brand {number}", slug=f"brand-{number}") for number in range(2)]
    for number in range(30):
        product = make_product(f"Neem Soap {number}", category=category, brand=brands[number % 2])
        product.health_concerns.add(concerns[number % 4])
        make_variant(price=str(100 + number), product=product, net_quantity=100, net_unit="ml")


@pytest.mark.parametrize("width", [360, 1280])
def test_products_are_seen_first_and_filters_stay_in_reach(shelf, open_phone, barriers, width):
    page = open_phone(width=width)
    page.goto("/en-in/products/ayurveda/")
    height = page.viewport_size["height"]
    assert page.locator("#grid .card").first.bounding_box()["y"] < 0.75 * height
    page.evaluate("scrollTo(0, 900)")
    header = page.locator("header.top").bounding_box()
    reach = page.locator(".toolbar__bar" if width == 360 else ".filter-panel")
    expect(reach).to_be_in_viewport()
    place = reach.bounding_box()
    assert header["y"] + header["height"] - 1 <= place["y"] <= header["y"] + header["height"] + 20
    assert barriers(page) == []


def test_load_more_says_how_many_there_are_now_and_the_focus_goes_to_the_first_of_them(shelf, open_phone):
    page = open_phone(width=1280)
    page.goto("/en-in/products/ayurveda/")
    page.get_by_role("link", name="Load More").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-more-shown]")).to_have_text("24 out of 30 products are shown.")
    assert page.evaluate("[...document.querySelectorAll('#grid .card__link')].indexOf(document.activeElement)") == 12


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_footer_is_no_longer_than_a_screen(shelf, open_phone, barriers, width):
    page = open_phone(width=width)
    page.goto("/en-in/products/ayurveda/")
    foot = page.locator("footer.foot")
    foot.scroll_into_view_if_needed()
    assert foot.bounding_box()["height"] <= {360: page.viewport_size["height"], 768: 1024, 1280: 800}[width]
    if width == 360:
        expect(foot.get_by_role("link", name="Returns & replacement")).to_be_hidden()
        foot.get_by_text("Help", exact=True).click()
    expect(foot.get_by_role("link", name="Returns & replacement")).to_be_visible()
    assert barriers(page) == []


HEIGHTS = """() => [...document.querySelectorAll("#grid .card")].map((card) => card.getBoundingClientRect().height)"""

LAY_OUT_ALL = """() => document.querySelectorAll("#grid .card").forEach(
  (card) => card.style.setProperty("content-visibility", "visible"))"""


@pytest.mark.parametrize("width", [360, 480])
def test_cards_below_the_screen_have_the_height_that_they_get_when_they_are_laid_out(shelf, open_phone, width):
    page = open_phone(width=width)
    page.goto("/en-in/products/ayurveda/")
    skipped = page.evaluate(HEIGHTS)
    page.evaluate(LAY_OUT_ALL)
    laid_out = page.evaluate(HEIGHTS)
    assert len(skipped) == 12 and max(abs(a - b) for a, b in zip(skipped, laid_out, strict=True)) <= 2
