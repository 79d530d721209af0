"""On a phone: a guest's cart meets the customer's own, a paid order is cancelled and its money goes back,
a second one is delivered and a part of it returned."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer
from shop.cart.services import add_to_cart, open_cart
from shop.orders.conftest import new_address
from shop.orders.models import Order, ReturnRequest
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.models import Refund
from shop.payments.refunds.services import issue_due_refunds

pytestmark = pytest.mark.browser
EMAIL, PASSWORD = "asha@example.com", "honey and amla"


@pytest.fixture
def shelf(transactional_db, real_passwords, india, make_product, make_variant):
    """A soap and a jam; the soap lies in the customer's cart already, put there elsewhere."""
    soap, jam = (make_variant(price="250", units=20, product=make_product(name)) for name in ("Neem Soap", "Amla Jam"))
    asha = Customer.objects.create_user(EMAIL, PASSWORD, name="Asha Rao")
    new_address(asha)
    add_to_cart(open_cart(asha), variant_id=soap.pk, quantity=2, market=india)
    return soap, jam


def test_a_customer_signs_in_buys_cancels_and_returns(shelf, running_shop, open_phone, barriers):
    page = open_phone()
    _fills_a_cart_as_a_guest_and_signs_in(page)
    cancelled = _buys(page)
    _cancels(page, cancelled)
    _buys_the_same_again(page, cancelled)
    returned = _buys(page)
    _sends_one_back(page, returned, barriers)


def _fills_a_cart_as_a_guest_and_signs_in(page: Page) -> None:
    page.goto("/en-in/product/amla-jam/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!")).to_be_visible()
    page.goto("/en-in/cart/")
    expect(page.locator(".lines .line")).to_have_count(1)
    page.get_by_role("link", name="CHECK OUT").click()
    page.get_by_label("Mobile number or email").fill(EMAIL)
    page.get_by_role("button", name="Use a password").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("heading", name="Checkout")).to_be_visible()
    page.goto("/en-in/cart/")
    expect(page.locator(".lines .line")).to_have_count(2)
    expect(page.get_by_label("Quantity of Neem Soap")).to_have_value("2")


def _buys(page: Page) -> Order:
    page.goto("/en-in/checkout/")
    page.get_by_role("button", name="PAY").click()
    page.get_by_role("button", name="Payment Success").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    return Order.objects.latest("id")


def _cancels(page: Page, order: Order) -> None:
    page.goto(f"/en-in/order-detail/{order.number}/")
    page.get_by_text("Cancel order", exact=True).click()
    expect(page.get_by_text(f"Cancel the whole order ({order.number})?")).to_be_visible()
    page.get_by_role("button", name="Yes, cancel it").click()
    expect(page.get_by_text("to the card or account it came from").first).to_be_visible()
    issue_due_refunds()
    assert Refund.objects.get(payment__order=order).amount_paise == order.total_inr * 100
    page.goto("/en-in/orders/?tab=ended")
    expect(page.get_by_role("link", name=order.number)).to_be_visible()
    expect(page.locator(".status", has_text="Cancelled")).to_be_visible()


def _buys_the_same_again(page: Page, order: Order) -> None:
    page.goto(f"/en-in/order-detail/{order.number}/")
    page.get_by_role("button", name="Order again").click()
    expect(page.get_by_role("heading", name="Cart", level=1)).to_be_visible()
    expect(page.locator(".lines .line")).to_have_count(2)


def _sends_one_back(page: Page, order: Order, barriers) -> None:
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    page.goto(f"/en-in/order-detail/{order.number}/")
    page.get_by_role("link", name="Return or replace Neem Soap").click()
    page.get_by_label("Damaged, defective or expired").check()
    page.get_by_label("A refund").check()
    page.get_by_label("Anything else we should know?").fill("It is broken in two")
    page.get_by_label("Photos").set_input_files({"name": "soap.png", "mimeType": "image/png", "buffer": _photo()})
    assert barriers(page) == []
    page.get_by_role("button", name="Send request").click()
    expect(page.locator("#returns").get_by_text("It is broken in two")).to_be_visible()
    expect(page.locator("#returns img")).to_be_visible()
    request = ReturnRequest.objects.get()
    assert (request.line.order, request.quantity, request.status) == (order, 1, "requested")


def _photo() -> bytes:
    file = BytesIO()
    Image.new("RGB", (400, 300), "#c9b28a").save(file, "PNG")
    return file.getvalue()
