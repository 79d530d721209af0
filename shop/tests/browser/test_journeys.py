"""From the home page to a paid order, on a phone 360 px wide, with and without scripts."""

from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from shop.catalog.models import Attribute, Category, VariantImage
from shop.catalog.services import refresh_products
from shop.orders.models import Order

pytestmark = pytest.mark.browser
ASHA = {
    "Full name": "Asha Rao",
    "Phone number": "9876543210",
    "Alternative phone": "9876543211",
    "House, street, area": "12 Temple Road",
    "City": "Bengaluru",
    "PIN code": "560001",
}


@pytest.fixture
def jam(make_product, make_variant, picture):
    """A jam in two sizes, ₹250 and ₹450, on a shelf with a few others."""
    shelf = Category.objects.create(name="Ayurveda", slug="ayurveda", is_featured=True)
    for number in range(14):
        make_variant(price=str(100 + number), product=make_product(f"Neem Soap {number}", category=shelf))
    jam = make_product("Amla Jam", category=shelf, is_pinned=True)
    size = Attribute.objects.create(name="Size", slug="size")
    for grams, price in (("250", "250"), ("500", "450")):
        variant = make_variant(price=price, actual="500", product=jam, max_purchase_qty=4)
        variant.attribute_values.add(size.values.create(value=grams, unit="g"))
        VariantImage.objects.create(variant=variant, picture=picture("#e7f0ea" if grams == "250" else "#d7a86e"))
    refresh_products([jam.pk])
    return jam


def test_a_shopper_buys_on_a_phone(jam, running_shop, open_phone):
    page = open_phone()
    _find_jam(page)
    page.get_by_role("link", name="500 g").or_(page.get_by_role("button", name="500 g")).first.click()
    _put_in_cart(page, drawer=True)
    page.get_by_label("Quantity of Amla Jam").select_option("2")
    expect(page.get_by_text("₹929.00")).to_be_visible()
    _sign_up(page, running_shop, scripts=True)
    _reach_payment(page)
    _pay(page)


def test_a_shopper_buys_without_scripts(jam, running_shop, open_phone):
    page = open_phone(scripts=False)
    _find_jam(page, scripts=False)
    page.get_by_role("link", name="500 g").click()
    _put_in_cart(page, drawer=False)
    page.get_by_label("Quantity of Amla Jam").select_option("2")
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_text("₹929.00")).to_be_visible()
    _sign_up(page, running_shop, scripts=False)
    _reach_payment(page)
    _pay(page)


def _find_jam(page: Page, *, scripts: bool = True) -> None:
    page.goto("/")
    page.get_by_label("Menu", exact=True).first.click()
    page.get_by_text("Ayurveda", exact=True).locator("visible=true").first.click()
    if scripts:
        page.get_by_role("link", name="All Ayurveda").click()
    expect(page.get_by_text("Showing 12 out of 15")).to_be_visible()
    page.get_by_role("link", name="Load More").click()
    expect(page.get_by_text("Showing 15 out of 15")).to_be_visible()
    page.get_by_role("link", name="Amla Jam").first.click()
    expect(page.get_by_role("heading", name="Amla Jam", level=1)).to_be_visible()


def _put_in_cart(page: Page, *, drawer: bool) -> None:
    expect(page.locator(".buy-box__price")).to_contain_text("₹450.00")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    page.get_by_role("link", name="Cart").first.click()
    if drawer:
        page.get_by_role("link", name="View cart").click()
    expect(page.get_by_role("heading", name="Cart", level=1)).to_be_visible()


def _sign_up(page: Page, shop, *, scripts: bool) -> None:
    page.get_by_role("link", name="CHECK OUT").click()
    page.get_by_label("Mobile number or email").fill("asha@example.com")
    page.get_by_role("button", name="Send code").click()
    expect(page.get_by_role("heading", name="Enter the OTP")).to_be_visible()
    page.get_by_role("main").locator("input:visible").first.press_sequentially(shop.mailed_code("asha@example.com"))
    if not scripts:  # with them, six digits send themselves
        page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_visible()


def _reach_payment(page: Page) -> None:
    for label, value in ASHA.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("State").select_option(label="Karnataka")
    page.get_by_role("button", name="PAY ₹929.00").click()
    expect(page.get_by_role("heading", name="Simulated payment")).to_be_visible()


def _pay(page: Page) -> None:
    page.get_by_role("button", name="Payment Success").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    order = Order.objects.get()
    assert (order.status, order.total_amount) == (Order.Status.PLACED, Decimal("929"))
    page.goto("/en-in/orders/")
    expect(page.get_by_role("link", name=order.number)).to_be_visible()
    expect(page.get_by_text("₹929.00")).to_be_visible()
