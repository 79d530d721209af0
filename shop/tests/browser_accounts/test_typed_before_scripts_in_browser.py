"""Scripts that come late, as on slow mobile data, take nothing from a person who is typing already."""

import pytest
from playwright.sync_api import expect

from shop.catalog.models import Variant

pytestmark = pytest.mark.browser
SCRIPTS = "**/*.js"


@pytest.fixture(autouse=True)
def one_product(make_variant):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


def _open_without_scripts_yet(page, address):
    """The page at `address`; what is returned lets its scripts come."""
    held = []
    page.route(SCRIPTS, lambda route: held.append(route))
    page.goto(address, wait_until="commit")

    def let_scripts_come():
        page.route(SCRIPTS, lambda route: route.continue_())
        for route in held:
            route.continue_()

    return let_scripts_come


def test_a_password_half_typed_when_scripts_come_is_typed_on(running_shop, open_phone):
    page = open_phone()
    let_scripts_come = _open_without_scripts_yet(page, "/en-in/signin/")
    password = page.get_by_label("Password", exact=True)
    password.press_sequentially("honey ")
    let_scripts_come()
    expect(page.get_by_role("button", name="Show password")).to_be_visible()
    page.keyboard.type("and amla")
    expect(password).to_have_value("honey and amla")


def test_a_code_half_typed_when_scripts_come_is_typed_on(customer, running_shop, open_phone):
    page = open_phone()
    page.goto("/en-in/forgot-password/")
    page.get_by_label("Email", exact=True).fill(customer.email)
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_role("heading", name="Reset Password")).to_be_visible()
    let_scripts_come = _open_without_scripts_yet(page, page.url)
    page.locator("[data-otp]").press_sequentially("12")
    let_scripts_come()
    expect(page.get_by_label("Digit 3 of 6")).to_be_focused()
    page.keyboard.type("3456")
    expect(page.locator("[data-otp]")).to_have_value("123456")


def test_a_coupon_half_typed_when_the_cart_comes_alive_is_typed_on(running_shop, open_phone):
    page = open_phone()
    page.goto(f"/en-in/product/{Variant.objects.get().product.slug}/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!").first).to_be_visible()
    let_scripts_come = _open_without_scripts_yet(page, "/en-in/cart/")
    page.get_by_label("Coupon code").press_sequentially("SAVE")
    let_scripts_come()
    expect(page.locator("shop-island[name=cart]")).to_have_attribute("data-react", "")
    page.keyboard.type("10")
    expect(page.get_by_label("Coupon code")).to_have_value("SAVE10")
