"""The cart on a phone: a coupon refused and accepted, a removal undone, a line set aside, the drawer, two tabs."""

import pytest
from playwright.sync_api import expect

from shop.cart.models import CartLine

pytestmark = pytest.mark.browser


@pytest.fixture
def honey(make_product, make_variant, make_coupon):
    """A honey for ₹250 and a coupon for carts of ₹500."""
    make_coupon("SAVE10", percent=10, minimum_inr=500, description="10 % off")
    return make_variant(price="250", units=9, product=make_product("Forest Honey"))


@pytest.fixture
def page(running_shop, chromium):
    """A phone whose console may complain: a refused coupon is an answer of 409."""
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 360, "height": 740}, locale="en-IN")
    yield context.new_page()
    context.close()


def test_a_cart_on_a_phone(honey, page, barriers):
    page.goto("/en-in/product/forest-honey/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.get_by_role("link", name="Cart, 1 item").click()
    drawer = page.get_by_role("dialog", name="Your cart")
    expect(drawer.get_by_role("link", name="Forest Honey")).to_be_visible()
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Cart, 1 item")).to_be_focused()
    page.keyboard.press("Enter")
    drawer.get_by_role("link", name="View cart").click()
    page.wait_for_load_state("networkidle")

    page.get_by_label("Coupon code").fill("save10")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#coupon-error")).to_have_text(
        "This coupon is for orders of ₹500.00 or more. Add ₹250.00 more to use it."
    )
    assert barriers(page) == []
    page.get_by_label("Quantity of Forest Honey").select_option("2")
    expect(page.get_by_text("₹529.00")).to_be_visible()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".summary__less")).to_have_text("−₹50.00")
    expect(page.get_by_text("₹479.00")).to_be_visible()

    page.get_by_role("button", name="Remove Forest Honey").click()
    expect(page.get_by_text("Cart is Empty")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Quantity of Forest Honey")).to_have_value("2")
    expect(page.get_by_text("₹479.00")).to_be_visible()

    page.get_by_role("button", name="Save for later: Forest Honey").click()
    expect(page.get_by_role("list", name="Saved for later").get_by_role("link", name="Forest Honey")).to_be_visible()
    assert CartLine.objects.get().is_saved
    assert barriers(page) == []

    other = page.context.new_page()
    other.goto("/en-in/cart/")
    other.get_by_role("button", name="Move to cart: Forest Honey").click()
    expect(other.get_by_label("Quantity of Forest Honey")).to_be_visible()
    expect(page.get_by_label("Quantity of Forest Honey")).to_have_value("2")
    expect(page.get_by_role("link", name="Cart, 2 items")).to_be_visible()


def test_a_second_coupon_that_is_refused_leaves_the_cart_as_it_is(honey, page):
    page.goto("/en-in/product/forest-honey/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    page.get_by_role("link", name="Cart, 1 item").wait_for()
    page.goto("/en-in/cart/")
    page.wait_for_load_state("networkidle")
    field = page.get_by_label("Coupon code")
    for code in ("nonsense", "rubbish", "save10"):
        field.fill(code)
        expect(page.locator("#coupon-error")).to_have_count(0)  # another is typed
        page.get_by_role("button", name="Apply").click()
        expect(page.locator("#coupon-error")).to_be_visible()
        expect(page.get_by_label("Quantity of Forest Honey")).to_be_visible()
    page.get_by_label("Quantity of Forest Honey").select_option("2")
    expect(page.get_by_text("₹529.00")).to_be_visible()
