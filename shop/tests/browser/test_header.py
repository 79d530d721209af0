"""The header in a real browser: suggestions, menu and pickers by mouse, finger and keys, with and without scripts."""

import json
import time

import pytest
from playwright.sync_api import Page, expect

from shop.catalog.models import Category, HealthConcern
from shop.catalog.services import refresh_products
from shop.search.models import SearchCount

pytestmark = pytest.mark.browser
DESKTOP = 1280


@pytest.fixture
def shelf(make_product, make_variant, picture):
    """Neem Soap at ₹100 in Ayurveda / Skin / Soaps, one of three for the concern Skin care, and a tea in Unani."""
    leaf = picture("#e7f0ea")
    ayurveda = Category.objects.create(name="Ayurveda", slug="ayurveda", img_icon=leaf, img_bg=leaf)
    skin = Category.objects.create(name="Skin", slug="skin", parent=ayurveda)
    soaps = Category.objects.create(name="Soaps", slug="soaps", parent=skin)
    soap, *others = (make_product(f"{herb} Soap", category=soaps) for herb in ("Neem", "Rose", "Saffron"))
    care = HealthConcern.objects.create(name="Skin care", slug="skin-care")
    care.products.add(soap, *others)
    soap.brand.brand_image = leaf
    soap.brand.save()
    tea = make_product("Neem Tea", category=Category.objects.create(name="Unani", slug="unani"))
    for product in (soap, *others, tea):
        make_variant(price="100", actual="150", product=product)
        refresh_products([product.pk])


def type_into_search(page: Page, words: str) -> None:
    page.get_by_role("combobox", name="Search the shop").or_(page.locator("#q")).first.press_sequentially(words)


def suggestions(page: Page):
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def test_suggestions_lead_to_a_product_by_keys(shelf, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/")
    type_into_search(page, "nee")
    expect(suggestions(page)).to_have_text(["Neem Soap ₹100", "Neem Tea ₹100", "See all products"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(suggestions(page).nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(suggestions(page)).to_have_count(0)
    expect(page.locator("#q")).to_be_focused()
    type_into_search(page, "m")
    expect(suggestions(page)).to_have_count(3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/en-in/product/neem-soap/")
    _wait_for_counts([("neem", 1)])


def test_enter_and_see_all_lead_to_the_results_which_are_counted(shelf, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-us/")
    type_into_search(page, "neem")
    page.keyboard.press("Enter")
    page.wait_for_url("**/en-us/search/neem/")
    expect(page.locator("#q")).to_have_value("neem")
    _wait_for_counts([("neem", 1)])
    page.reload()
    page.locator("#q").fill("unicorn")
    expect(page.locator(".suggest__state")).to_have_text("Product not found")
    page.mouse.click(4, 700)  # beside the page's column, where nothing leads on
    expect(page.locator(".suggest")).to_be_hidden()
    page.locator("#q").click()
    page.get_by_role("option", name="See all products").click()
    page.wait_for_url("**/en-us/search/unicorn/")
    _wait_for_counts([("neem", 1), ("unicorn", 1)])


def test_a_late_answer_never_replaces_a_newer_one(shelf, open_phone):
    page = open_phone(width=DESKTOP)
    held = []
    late = [{"id": 9, "slug": "late", "name": "Late", "first_image": ""}]

    def answer(route):
        if json.loads(route.request.post_data)["query"] == "nee":
            held.append(route)
        else:
            route.continue_()

    page.route("**/search/", answer)
    page.goto("/en-in/")
    type_into_search(page, "nee")
    expect(page.locator(".suggest__state")).to_have_text("Loading...")
    while not held:
        page.wait_for_timeout(20)
    type_into_search(page, "m tea")
    expect(suggestions(page)).to_have_text(["Neem Tea ₹100", "See all products"])
    held[0].fulfill(json={"note": "", "places": [], "products": late})
    page.wait_for_timeout(300)
    expect(suggestions(page)).to_have_text(["Neem Tea ₹100", "See all products"])


def test_on_a_phone_the_search_field_is_always_there_and_suggests(shelf, open_phone, barriers):
    page = open_phone()
    page.goto("/en-in/")
    page.mouse.wheel(0, 600)
    expect(page.locator("#q")).to_be_in_viewport()
    page.locator("#q").click()
    type_into_search(page, "skin")
    expect(suggestions(page).first).to_have_text("Skin care Health concern")
    assert barriers(page) == []
    page.locator("#q").fill("neem")
    page.get_by_role("option", name="Neem Tea").click()
    page.wait_for_url("**/en-in/product/neem-tea/")
    page.locator("#q").click()
    expect(page.get_by_role("group", name="Recent searches").get_by_role("option")).to_have_text(["neem"])
    page.get_by_role("button", name="Clear recent searches").click()
    expect(page.get_by_role("group", name="Recent searches")).to_have_count(0)


def test_without_scripts_the_field_leads_to_the_results(shelf, open_phone):
    page = open_phone(scripts=False)
    page.goto("/en-in/")
    page.locator("#q").fill("neem tea")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Results for “neem tea”")).to_be_visible()


def test_the_menu_opens_under_a_resting_mouse_and_leads_on(shelf, open_phone, barriers):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/")
    panel = page.locator(".mega__panel").first
    page.locator(".mega__link", has_text="Ayurveda").hover()
    expect(panel).to_be_visible()
    expect(page.locator(".mega[data-driven]")).to_be_visible()
    expect(panel.get_by_role("link", name="Vanamitra")).to_be_visible()
    page.wait_for_timeout(400)  # it has faded in
    assert barriers(page) == []
    page.mouse.move(640, 720)
    expect(panel).to_be_hidden()
    page.locator(".mega__link", has_text="Ayurveda").hover()
    panel.get_by_role("link", name="Skin care").click()
    page.wait_for_url("**/en-in/products/ayurveda/skin-care/")
    expect(page.locator(".mega__link[aria-current]")).to_have_text("Ayurveda")


def test_the_menu_is_driven_by_keys(shelf, open_phone):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/")
    top = page.locator(".mega__link", has_text="Ayurveda")
    top.focus()
    expect(page.locator(".mega[data-driven]")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="All Ayurveda")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="Soaps")).to_be_focused()
    page.keyboard.press("Escape")
    expect(top).to_be_focused()
    expect(page.locator(".mega__panel").first).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mega__link", has_text="Unani")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".mega__panel").nth(1)).to_be_visible()


def test_a_finger_opens_the_menu_of_a_wide_screen_and_a_second_one_follows(shelf, running_shop, chromium):
    context = chromium.new_context(
        base_url=running_shop.url, viewport={"width": DESKTOP, "height": 800}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/en-in/")
    top = page.locator(".mega__link", has_text="Ayurveda")
    top.tap()
    expect(page.locator(".mega__panel[data-open]")).to_be_visible()
    top.tap()
    page.wait_for_url("**/en-in/products/ayurveda/")
    context.close()


def test_on_a_phone_the_menu_slides_one_level_at_a_time(shelf, open_phone, barriers):
    page = open_phone()
    page.goto("/en-in/")
    page.get_by_label("Menu", exact=True).first.click()
    page.get_by_role("button", name="Ayurveda").click()
    expect(page.get_by_role("link", name="All Ayurveda")).to_be_visible()
    page.wait_for_timeout(300)  # it has slid in
    assert barriers(page) == []
    page.get_by_role("button", name="Skin", exact=True).click()
    expect(page.get_by_role("link", name="Soaps")).to_be_visible()
    page.get_by_role("button", name="Back from Skin").click()
    page.get_by_role("button", name="Brands").click()
    page.get_by_role("link", name="Vanamitra").click()
    page.wait_for_url("**/en-in/brand/vanamitra/")


@pytest.mark.parametrize("width", [320, DESKTOP])
def test_without_scripts_all_categories_are_a_page(shelf, open_phone, width):
    page = open_phone(scripts=False, width=width)
    page.goto("/en-in/")
    if width < DESKTOP:
        page.get_by_label("Menu", exact=True).first.click()
        expect(page.locator(".sheet").get_by_role("link", name="Ayurveda")).to_be_visible()
        page.locator(".sheet").get_by_role("link", name="All categories").click()
    else:
        page.locator("footer").get_by_role("link", name="All categories").click()
    page.locator("#main").get_by_role("link", name="Skin care").click()
    page.wait_for_url("**/en-in/products/ayurveda/skin-care/")


@pytest.mark.parametrize("width", [360, DESKTOP])
def test_where_the_categories_do_not_come_the_menus_lead_to_their_pages(shelf, open_phone, width):
    page = open_phone(width=width)
    page.route("**/en-in/categories/", lambda route: route.fulfill(body="", content_type="text/html"))
    page.goto("/en-in/")
    if width < DESKTOP:
        page.get_by_label("Menu", exact=True).first.click()
        page.locator(".sheet__levels").get_by_role("link", name="Ayurveda").click()
    else:
        page.locator(".mega__link", has_text="Ayurveda").hover()
        expect(page.locator(".mega[data-driven]")).to_be_visible()
        page.wait_for_timeout(300)  # the answer is there
        page.locator(".mega__link", has_text="Ayurveda").click()
    page.wait_for_url("**/en-in/products/ayurveda/")


def test_another_country_prices_page_and_cart_anew(shelf, open_phone, barriers):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/neem-soap/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    page.locator(".pickers--bar .picker").first.click()
    field = page.get_by_placeholder("Search for a country")
    expect(field).to_be_focused()
    expect(page.get_by_text("COUNTRIES", exact=True)).to_be_visible()
    assert barriers(page) == []
    field.press_sequentially("usa")
    countries = page.get_by_role("listbox", name="Countries").get_by_role("option")
    expect(countries).to_have_text(["USA"])
    assert countries.locator("img").evaluate("flag => [flag.width, flag.height]") == [16, 12]
    page.keyboard.press("Enter")
    page.wait_for_url("**/en-us/product/neem-soap/")
    expect(page.locator(".buy-box__price")).to_contain_text("$")
    page.goto("/en-us/cart/")
    expect(page.locator("#main .lines")).to_contain_text("$")
    expect(page.locator("#main .lines")).not_to_contain_text("₹")


def test_a_currency_is_typed_and_stays_until_the_country_changes(shelf, open_phone, barriers):
    page = open_phone(width=DESKTOP)
    page.goto("/en-in/product/neem-soap/")
    button = page.locator(".pickers--bar .picker").nth(1)
    button.click()
    codes = page.get_by_role("listbox", name="Currencies").get_by_role("option")
    expect(codes.first).to_be_visible()
    listed = codes.all_inner_texts()
    assert listed == sorted(set(listed))
    assert page.get_by_role("listbox", name="Currencies").evaluate("list => list.clientHeight") <= 160
    page.keyboard.type("usq")
    expect(page.get_by_text("No currencies found")).to_be_visible()
    page.keyboard.press("Backspace")
    expect(codes).to_have_text(["USD"])
    page.keyboard.press("Enter")
    expect(page.locator(".buy-box__price")).to_contain_text("$")
    page.goto("/en-in/")
    expect(button).to_contain_text("USD")
    button.click()
    expect(codes.first).to_be_visible()
    assert barriers(page) == []


def _wait_for_counts(expected: list[tuple[str, int]]) -> None:
    """Beacons arrive after the page is left."""
    until = time.monotonic() + 10
    while (found := list(SearchCount.objects.order_by("words").values_list("words", "searches"))) != expected:
        assert time.monotonic() < until, found
        time.sleep(0.1)
