"""Filters of a listing in Chromium: by thumb on a phone, with back and reload, and without scripts."""

import contextlib
import re
from decimal import Decimal

import pytest
from playwright.sync_api import Error, Page, expect

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
    expect(page.get_by_label("Selected filters").get_by_role("link", name="from ₹110")).to_be_visible()
    page.reload()
    assert names(page) == [f"Oil {number:02}" for number in range(4, 40, 4)]
    page.go_back()
    expect(page.get_by_text("Showing 10 out of 10")).to_be_visible()
    expect(page.get_by_label("Selected filters").get_by_role("link", name="from ₹110")).to_have_count(0)
    page.go_forward()
    expect(page.get_by_text("Showing 9 out of 9")).to_be_visible()
    page.get_by_role("link", name="Clear all").click()
    expect(page.get_by_text("Showing 12 out of 40")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/en-in/products/herbal/\?sort=price$"))


def test_back_pressed_while_the_page_loads_is_followed(shelf, open_phone):
    page = open_phone()
    page.goto("/en-in/products/herbal/?sort=price")
    page.get_by_role("link", name=re.compile("^Filters")).click()
    page.get_by_role("dialog", name="Filters").get_by_label("Hara").check()
    expect(page).to_have_url(re.compile("brand=hara"))
    held = []
    page.route("**/htmx.min*.js", lambda route: held.append(route))
    page.reload(wait_until="commit")
    expect(page.get_by_text("Showing 10 out of 10")).to_be_visible()
    page.evaluate("history.back()")
    expect(page).not_to_have_url(re.compile("brand=hara"))
    page.unroute("**/htmx.min*.js")
    with contextlib.suppress(Error):  # the page that asked for it may be gone
        for route in held:
            route.continue_()
    expect(page.get_by_text("Showing 12 out of 40")).to_be_visible()


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
    page.get_by_label("Selected filters").get_by_role("link", name="Hara").click()
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


FAILURES = {
    "no network": lambda route: route.abort("internetdisconnected"),
    "server error": lambda route: route.fulfill(status=500, body="<h1>Server Error</h1>"),
    "too many requests": lambda route: route.fulfill(status=429, body="<h1>Slow down</h1>"),
}


def says_what_is_shown(page: Page) -> None:
    """Every field of the listing, its chips, count and address agree with its products."""
    for brand in ("Hara", "Neemveda"):
        is_chip = page.get_by_label("Selected filters").get_by_role("link", name=brand).count() > 0
        box = page.locator("#filters").get_by_label(brand)
        assert (box.count() > 0 and box.is_checked()) == is_chip
        assert (f"brand={brand.lower()}" in page.url) == is_chip
    sort = page.get_by_label("Sort").input_value()
    assert ("sort=-price" in page.url) == (sort == "-price")
    assert page.locator("#filters [name=price_min]").input_value() == page.evaluate(
        "() => new URLSearchParams(location.search).get('price_min') ?? ''"
    )


@pytest.mark.parametrize("failure", FAILURES)
def test_a_change_that_fails_is_said_taken_back_and_tried_again(shelf, running_shop, chromium, failure):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 1280, "height": 900}, locale="en-IN")
    page = context.new_page()
    page.goto("/en-in/products/herbal/")
    page.wait_for_load_state("networkidle")
    shown = names(page)
    listing = re.compile(r"/products/herbal/\?")
    changes = {
        "Showing 10 out of 10": lambda: page.locator("#filters").get_by_label("Hara").check(),
        "Showing 12 out of 40": lambda: page.get_by_label("Sort").select_option("-price"),
        "Showing 9 out of 9": lambda: page.locator("#filters").get_by_label("Lowest, ₹").fill("410"),
        "Showing 1 out of 1": lambda: page.get_by_role("searchbox", name="Search in Herbal").fill("oil 07"),
        "Showing 24 out of 40": lambda: page.get_by_role("link", name="Load More").click(),
    }
    for result, change in changes.items():
        page.route(listing, FAILURES[failure])
        change()
        page.keyboard.press("Tab")
        notice = page.get_by_role("alert").filter(has_text="This part of the page hasn't changed.")
        expect(notice).to_be_visible()
        expect(notice).to_be_in_viewport()
        assert names(page) == shown
        says_what_is_shown(page)
        assert page.get_by_role("searchbox", name="Search in Herbal").input_value() == ""
        expect(page.get_by_text("Showing 12 out of 40")).to_be_visible()
        page.unroute(listing)
        notice.get_by_role("link", name="Try again").click()
        expect(page.get_by_text(result)).to_be_visible()
        expect(notice).to_have_count(0)
        says_what_is_shown(page)
        page.goto("/en-in/products/herbal/")
        page.wait_for_load_state("networkidle")
    context.close()


def test_a_failure_is_said_in_the_open_drawer_and_the_way_back_keeps_its_address(shelf, running_shop, chromium):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 360, "height": 740}, locale="en-IN")
    page = context.new_page()
    page.goto("/en-in/products/herbal/")
    page.get_by_role("link", name=re.compile("^Filters")).click()
    panel = page.get_by_role("dialog", name="Filters")
    panel.get_by_label("Hara").check()
    expect(panel.get_by_role("button", name="Show 10 products")).to_be_visible()
    context.set_offline(True)
    panel.get_by_label("Neemveda").check()
    notice = panel.get_by_role("alert")
    expect(notice).to_be_in_viewport()
    says_what_is_shown(page)
    context.set_offline(False)
    notice.get_by_role("link", name="Try again").click()
    expect(panel.get_by_role("button", name="Show 40 products")).to_be_visible()
    panel.get_by_role("button", name="Show 40 products").click()
    context.set_offline(True)
    page.evaluate("history.back()")
    expect(page.get_by_role("alert").filter(has_text="hasn't changed")).to_be_visible()
    says_what_is_shown(page)
    context.close()


def test_of_two_quick_changes_the_later_is_shown_whichever_answer_comes_first(shelf, running_shop, chromium):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 1280, "height": 900}, locale="en-IN")
    page = context.new_page()
    page.goto("/en-in/products/herbal/")
    page.wait_for_load_state("networkidle")
    held = []
    page.route(re.compile(r"[?&]page=2"), lambda route: held.append(route))
    page.route(re.compile(r"brand=hara$"), lambda route: held.append(route))
    page.get_by_role("link", name="Load More").click()
    page.locator("#filters").get_by_label("Hara").check()
    page.wait_for_timeout(400)
    page.locator("#filters").get_by_label("Hara").uncheck()
    page.locator("#filters").get_by_label("Neemveda").check()
    expect(page.get_by_text("Showing 12 out of 30")).to_be_visible()
    assert len(held) == 2
    shown = names(page)
    for route in held:
        with contextlib.suppress(Error):  # the browser waits for it no more
            route.continue_()
    page.wait_for_load_state("networkidle")
    assert names(page) == shown
    says_what_is_shown(page)
    context.close()
