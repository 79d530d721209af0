"""Filters of a listing in Chromium: by thumb on a phone, with back and reload, and without scripts."""

import re
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from shop.catalog.models import Brand, Category, Product
from shop.catalog.services import refresh_products

pytestmark = pytest.mark.browser


@pytest.fixture
def shelf(make_product, make_variant):
    """Forty oils of two brands, ₹100 to ₹490."""
    herbal = Category.objects.create(name="Herbal", slug="herbal")
    brands = [Brand.objects.create(name=name, slug=name.lower()) for name in ("Neemveda", "Hara")]
    for number in range(40):
        product = make_product(f"Oil {number:02}", category=herbal, brand=brands[number % 4 == 0])
        make_variant(str(Decimal(100 + number * 10)), product=product)
    refresh_products(Product.objects.values_list("pk", flat=True))


def names(page: Page) -> list[str]:
    return page.locator("#grid .card__name").all_text_contents()


def test_choices_apply_at_once_and_back_forward_and_reload_bring_them_again(shelf, open_phone):
    page = open_phone()
    page.goto("/en-in/products/herbal/?sort=price")
    page.get_by_role("link", name=re.compile("^Filters")).click()
    panel = page.get_by_role("dialog", name="Filters")
    panel.get_by_label("Hara").check()
    expect(panel.get_by_role("button", name="Show 10 products")).to_be_visible()
    expect(panel.get_by_label("Hara")).to_be_focused()
    panel.get_by_label("Lowest price").focus()
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("button", name="Show 9 products")).to_be_visible()
    panel.get_by_role("button", name="Show 9 products").click()
    expect(panel).to_be_hidden()
    expect(page).to_have_url(re.compile(r"\?brand=hara&price_min=110&sort=price$|brand=hara.*price_min=110"))
    expect(page.get_by_label("Chosen filters").get_by_role("link", name="from ₹110")).to_be_visible()
    page.reload()
    assert names(page) == [f"Oil {number:02}" for number in range(4, 40, 4)]
    page.go_back()
    expect(page.get_by_text("Showing 10 out of 10")).to_be_visible()
    expect(page.get_by_label("Chosen filters").get_by_role("link", name="from ₹110")).to_have_count(0)
    page.go_forward()
    expect(page.get_by_text("Showing 9 out of 9")).to_be_visible()
    page.get_by_role("link", name="Clear all").click()
    expect(page.get_by_text("Showing 12 out of 40")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/en-in/products/herbal/\?sort=price$"))


def test_load_more_twice_appends_and_the_way_back_shows_all_of_it_where_it_was(shelf, open_phone):
    page = open_phone()
    page.goto("/en-in/products/herbal/?sort=price")
    for shown in (24, 36):
        page.get_by_role("link", name="Load More").click()
        expect(page.get_by_text(f"Showing {shown} out of 40")).to_be_visible()
    assert names(page) == [f"Oil {number:02}" for number in range(36)]
    expect(page).to_have_url(re.compile("page=3"))
    card = page.get_by_role("link", name="Oil 30").first
    card.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    card.click()
    expect(page.get_by_role("heading", name="Oil 30", level=1)).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Showing 36 out of 40")).to_be_visible()
    page.wait_for_function("before => Math.abs(scrollY - before) < 200", arg=before)
    page.reload()
    assert names(page) == [f"Oil {number:02}" for number in range(36)]


def test_the_listing_s_search_waits_for_three_letters_and_a_pause(shelf, open_phone):
    page = open_phone()
    page.goto("/en-in/products/herbal/")
    field = page.get_by_role("searchbox", name="Search in Herbal")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "q=" in request.url else None)
    field.press_sequentially("oil 07", delay=60)
    expect(page.get_by_text("Showing 1 out of 1")).to_be_visible()
    assert len(asked) == 1
    expect(field).to_be_focused()
    field.fill("no such thing")
    expect(page.get_by_text("Product not found")).to_be_visible()
    page.get_by_role("link", name="Clear all filters").click()
    expect(page.get_by_text("Showing 12 out of 40")).to_be_visible()
    expect(field).to_have_value("")


def test_without_scripts_the_form_is_sent_by_its_button(shelf, open_phone):
    page = open_phone(scripts=False)
    page.goto("/en-in/products/herbal/")
    page.get_by_role("link", name=re.compile("^Filters")).click()
    page.get_by_label("Hara").check()
    page.get_by_label("Highest, ₹").fill("200")
    page.get_by_role("button", name=re.compile("^Show")).click()
    expect(page.get_by_text("Showing 3 out of 3")).to_be_visible()
    page.get_by_label("Sort").select_option("-price")
    page.get_by_role("button", name="Go").click()
    assert names(page) == ["Oil 08", "Oil 04", "Oil 00"]
    page.get_by_label("Chosen filters").get_by_role("link", name="Hara").click()
    expect(page.get_by_text("Showing 11 out of 11")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_with_filters_open_chosen_and_without_result(shelf, open_phone, barriers, width):
    page = open_phone(width=width)
    found = {}
    for address in ("?brand=hara&price_min=150", "?price_min=90000", "?q=no+such+thing"):
        page.goto(f"/en-in/products/herbal/{address}")
        page.wait_for_load_state("networkidle")
        found[address] = barriers(page)
    page.goto("/en-in/products/herbal/?brand=hara")
    page.wait_for_load_state("networkidle")
    if width < 1024:
        page.get_by_role("link", name=re.compile("^Filters")).click()
        expect(page.get_by_role("dialog", name="Filters")).to_be_visible()
        found["open"] = barriers(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Filters")).to_be_hidden()
    assert {state: what for state, what in found.items() if what} == {}
