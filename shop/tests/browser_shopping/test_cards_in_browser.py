"""Cards and the product page know the cart, after a reload too; without scripts a form does it."""

import pytest
from playwright.sync_api import expect

from shop.catalog.models import Category

pytestmark = pytest.mark.browser


@pytest.fixture
def shelf(make_product, make_variant):
    category = Category.objects.create(name="Ayurveda", slug="ayurveda")
    for name in ("Forest Honey", "Neem Soap", "Rose Water"):
        make_variant(price="250", units=9, product=make_product(name, category=category))


@pytest.mark.parametrize("width", [360, 1280])
def test_a_card_and_the_product_page_know_the_cart_after_a_reload(shelf, open_phone, barriers, width):
    page = open_phone(width=width)
    page.goto("/en-in/products/ayurveda/")
    page.get_by_role("button", name="Add to cart: Forest Honey").click()
    stepper = page.get_by_role("group", name="In your cart: Forest Honey")
    expect(stepper).to_contain_text("1 in cart")
    page.reload()
    expect(stepper).to_contain_text("1 in cart")
    expect(page.get_by_role("button", name="Add to cart: Forest Honey")).to_be_hidden()
    stepper.get_by_role("button", name="Increase quantity").click()
    expect(page.get_by_role("link", name="Cart, 2 items")).to_be_visible()
    assert barriers(page) == []

    page.goto("/en-in/product/forest-honey/")
    expect(page.locator("#buy").get_by_role("button", name="ADDED TO CART")).to_be_visible()
    box = page.get_by_role("group", name="In your cart", exact=True)
    expect(box).to_contain_text("2 in cart")
    assert barriers(page) == []
    box.get_by_role("button", name="Decrease quantity").click()
    box.get_by_role("button", name="Remove from cart").click()
    expect(page.locator("#buy").get_by_role("button", name="ADD TO CART")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Cart", exact=True)).to_be_visible()


def test_without_scripts_a_card_leads_to_the_cart(shelf, open_phone):
    page = open_phone(scripts=False)
    page.goto("/en-in/products/ayurveda/")
    for _ in range(2):
        page.get_by_role("button", name="Add to cart: Neem Soap").click()
        expect(page.get_by_role("link", name="Neem Soap").last).to_be_visible()
        assert page.url.endswith("/en-in/cart/")
        said = page.get_by_role("status").all_inner_texts() + page.locator(".toast").all_inner_texts()
        page.goto("/en-in/products/ayurveda/")
    assert "Already added to cart (1)" in " ".join(said)


@pytest.mark.parametrize("width", [360, 1280])
def test_see_options_opens_the_packs_and_adding_shows_the_mini_cart(
    make_product, make_variant, open_phone, barriers, width
):
    oil = make_product("Face Oil", category=Category.objects.create(name="Ayurveda", slug="ayurveda"))
    for position, (pieces, price) in enumerate((("30", "300"), ("50", "450"))):
        make_variant(product=oil, price=price, units=9, position=position, net_quantity=pieces, net_unit="ml")
    page = open_phone(width=width)
    page.goto("/en-in/products/ayurveda/")
    page.get_by_role("link", name="See options: Face Oil").click()
    sheet = page.get_by_role("dialog", name="Choose a pack")
    expect(sheet.get_by_text("₹900.00 per 100 ml")).to_be_visible()
    sheet.evaluate("sheet => Promise.all(sheet.getAnimations().map(motion => motion.finished))")
    place = sheet.bounding_box()
    assert (place["y"] + place["height"], place["x"] + place["width"]) == (page.viewport_size["height"], width)
    assert barriers(page) == []
    sheet.get_by_role("button", name="Add to cart: Face Oil, 50 ml").click()
    added = page.get_by_role("region", name="Added to your cart")
    expect(added.get_by_text("1 × ₹450.00")).to_be_visible()
    expect(added.get_by_text("more for free shipping")).to_contain_text("₹549.00")
    expect(added.get_by_role("link", name="CHECK OUT")).to_be_visible()
    expect(sheet).to_be_hidden()
    added.get_by_role("button", name="Close").click()
    expect(added).to_have_count(0)
    page.get_by_role("link", name="See options: Face Oil").click()
    expect(sheet.get_by_role("group", name="In your cart: Face Oil, 50 ml")).to_contain_text("1")
    sheet.get_by_role("button", name="Add to cart: Face Oil, 30 ml").click()
    expect(added.get_by_text("1 × ₹300.00")).to_be_visible()
    assert barriers(page) == []


def test_without_scripts_see_options_leads_to_the_product(make_product, make_variant, open_phone):
    oil = make_product("Face Oil", category=Category.objects.create(name="Ayurveda", slug="ayurveda"))
    for position in range(2):
        make_variant(product=oil, price="300", units=9, position=position)
    page = open_phone(scripts=False)
    page.goto("/en-in/products/ayurveda/")
    page.get_by_role("link", name="See options: Face Oil").click()
    expect(page.get_by_role("button", name="ADD TO CART").first).to_be_visible()
