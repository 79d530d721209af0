"""Scripts that come late, as on slow mobile data, take nothing from a person who types or chooses already."""

import re

import pytest
from playwright.sync_api import expect

from shop.accounts.models import Address
from shop.cart.models import CartLine
from shop.catalog.models import Category, Variant

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


def _fill_cart(page):
    page.goto(f"/en-in/product/{Variant.objects.get().product.slug}/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!").first).to_be_visible()


def test_a_coupon_half_typed_when_the_cart_comes_alive_is_typed_on(running_shop, open_phone):
    page = open_phone()
    _fill_cart(page)
    let_scripts_come = _open_without_scripts_yet(page, "/en-in/cart/")
    page.get_by_label("Coupon code").press_sequentially("SAVE")
    let_scripts_come()
    expect(page.locator("shop-island[name=cart]")).to_have_attribute("data-react", "")
    page.keyboard.type("10")
    expect(page.get_by_label("Coupon code")).to_have_value("SAVE10")


def test_a_quantity_chosen_before_the_scripts_came_is_kept(running_shop, open_phone):
    page = open_phone()
    _fill_cart(page)
    let_scripts_come = _open_without_scripts_yet(page, "/en-in/cart/")
    page.locator(".line__form select").select_option("2")
    let_scripts_come()
    expect(page.get_by_role("link", name="Cart, 2 items")).to_be_visible()
    expect(page.locator("shop-island[name=cart]")).to_have_attribute("data-react", "")
    expect(page.locator(".line select")).to_have_value("2")
    assert CartLine.objects.get().quantity == 2


def test_a_quantity_being_chosen_when_the_cart_comes_alive_is_kept(running_shop, open_phone):
    page = open_phone()
    _fill_cart(page)
    held = []
    page.route("**/react-*.js", lambda route: held.append(route))
    page.goto("/en-in/cart/", wait_until="commit")
    choices = page.locator(".line__form select")
    choices.focus()
    opened = choices.element_handle()
    expect(page.locator("html")).to_have_class(re.compile("has-scripts"))
    with page.expect_response("**/react-*.js"):
        page.wait_for_timeout(100)
        held[0].continue_()
    page.wait_for_timeout(500)
    assert opened.evaluate("field => field.isConnected")
    choices.select_option("2")
    expect(page.get_by_role("link", name="Cart, 2 items")).to_be_visible()
    assert CartLine.objects.get().quantity == 2


def test_an_address_chosen_before_the_scripts_came_is_the_default(
    real_passwords, customer, address, running_shop, open_phone
):
    customer.set_password("correct horse battery")
    customer.save()
    other = Address.objects.get(pk=address.pk)
    other.pk, other.is_default = None, False
    other.save()
    page = open_phone()
    page.goto("/en-in/address/")
    page.get_by_label("Email", exact=True).fill(customer.email)
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("radio")).to_have_count(2)
    let_scripts_come = _open_without_scripts_yet(page, "/en-in/address/")
    page.locator(f"#address-{other.pk}").check()
    let_scripts_come()
    expect(page.locator(".choice", has=page.locator(f"#address-{other.pk}")).locator(".badge")).to_have_text("Default")
    other.refresh_from_db()
    assert other.is_default


def test_an_order_of_products_chosen_before_the_scripts_came_is_shown(running_shop, open_phone):
    page = open_phone()
    let_scripts_come = _open_without_scripts_yet(page, f"/en-in/products/{Category.objects.get().slug}/")
    page.locator("#sort").select_option("price")
    let_scripts_come()
    expect(page).to_have_url(re.compile("sort=price"))
    expect(page.locator("#sort")).to_have_value("price")
    page.goto("/en-in/")
    page.go_back()
    page.wait_for_load_state("load")
    expect(page).to_have_url(re.compile("sort=price"))
