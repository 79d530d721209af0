"""Paying in the provider's window, in Chromium: the simulator serves the script, the window and the API.

The window's host is named localhost, so that for the browser it is another site than the shop.
"""

import re
import time

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from shop.catalog.models import Variant
from shop.orders.models import Order
from shop.payments.models import Payment
from shop.payments.simulator.shapes import FAILURES

from .buyers import Answered, Buyer, new_buyers
from .conftest import WAIT_SECONDS, free_port, serving
from .provider import stand_in

pytestmark = pytest.mark.browser
INSTAGRAM = "Mozilla/5.0 (Linux; Android 14) Chrome/124.0 Mobile Safari/537.36 Instagram 330.0.0.0 Android"


@pytest.fixture
def running_shop(transactional_db, tmp_path, make_variant):
    """The shop with keys, its provider a process of its own."""
    make_variant(price="250", units=20)
    port = free_port()
    with stand_in(tmp_path, shop_port=port) as provider:
        script = provider.settings["RAZORPAY_CHECKOUT_URL"].replace("127.0.0.1", "localhost")
        environment = provider.settings | {"RAZORPAY_CHECKOUT_URL": script, "SECRET_KEY": settings.SECRET_KEY}
        with serving(tmp_path, port=port, **environment) as shop:
            yield shop


def test_a_shopper_pays_in_the_providers_window(running_shop, open_phone):
    page = open_phone()
    [buyer] = new_buyers(running_shop.url, 1, Answered())
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": buyer.session, "url": running_shop.url}])
    _pays_by_card(page, buyer)
    _pays_again_after_a_failure(page, buyer)
    _closes_the_window_and_is_paid_by_webhook(page, buyer)
    _closes_the_window_without_paying(page, buyer)
    page.add_init_script(f"Object.defineProperty(navigator, 'userAgent', {{ get: () => '{INSTAGRAM}' }})")
    _pays_where_no_window_opens(page, buyer)
    assert Payment.objects.filter(status="captured").count() == 4


def _pays_by_card(page: Page, buyer: Buyer) -> None:
    order = _reach_payment(page, buyer)
    _window(page).get_by_role("button", name="Pay now").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    assert _status_of(order) == "placed"


def _pays_again_after_a_failure(page: Page, buyer: Buyer) -> None:
    order = _reach_payment(page, buyer)
    window = _window(page)
    window.get_by_label("Card number").fill("4100 2800 0008 0001")
    window.get_by_role("button", name="Pay now").click()
    expect(window.get_by_text(FAILURES["insufficient_funds"][1])).to_be_visible()
    expect(page.locator("[data-pay-failed]")).to_have_text(re.compile("not enough money"))
    window.get_by_label("Card number").fill("5500 6700 0000 1002")
    window.get_by_role("button", name="Pay now").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    assert _status_of(order) == "placed"


def _closes_the_window_and_is_paid_by_webhook(page: Page, buyer: Buyer) -> None:
    order = _reach_payment(page, buyer)
    window = _window(page)
    window.get_by_role("button", name="UPI").click()
    window.get_by_role("button", name="Pay now").click()
    expect(window.get_by_text("Waiting for your bank")).to_be_visible()
    _leave(page)
    until = time.monotonic() + WAIT_SECONDS
    while _status_of(order) != "placed" and time.monotonic() < until:
        time.sleep(0.1)
    page.get_by_role("link", name="Paid already?").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()


def _closes_the_window_without_paying(page: Page, buyer: Buyer) -> None:
    order = _reach_payment(page, buyer)
    _leave(page)
    assert _status_of(order) == "pending"
    page.get_by_role("button", name="Pay ₹").click()
    expect(_window(page).get_by_role("button", name="Pay now")).to_be_visible()
    _leave(page)


def _pays_where_no_window_opens(page: Page, buyer: Buyer) -> None:
    """In-app browsers go to the provider's own page, which posts the result to the shop from its site."""
    order = _reach_payment(page, buyer)
    expect(page).to_have_url(re.compile(r"^http://localhost:\d+/window$"))
    page.get_by_label("Outcome").select_option("card_declined")
    page.get_by_role("button", name="Pay now").click()
    expect(page.get_by_text(FAILURES["card_declined"][1])).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Yes, leave").click()
    expect(page.get_by_text("Your bank declined this card")).to_be_visible()
    page.get_by_role("button", name="Pay ₹").click()
    page.get_by_role("button", name="Pay now").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    assert _status_of(order) == "placed"


def _reach_payment(page: Page, buyer: Buyer) -> Order:
    """An order that waits for its money, and its pay page, whose window opens by itself."""
    variant = {"product": Variant.objects.get().pk, "quantity": 1, "deliver_to": 1, "currency": "INR"}
    buyer.insist("/add-to-cart/", variant)
    _, cart = buyer.insist("/get-cart/", {"deliver_to": 1, "currency": "INR"})
    status, answer = buyer.save_order(cart)
    assert status == 200, answer
    page.goto(f"/en-in/pay/{answer['data']['order_number']}/")
    return Order.objects.latest("id")


def _window(page: Page):
    return page.frame_locator("iframe.razorpay-checkout-frame")


def _leave(page: Page) -> None:
    _window(page).get_by_role("button", name="Close").click()
    _window(page).get_by_role("button", name="Yes, leave").click()
    expect(page.get_by_text("The payment was not completed. Your order is kept")).to_be_visible()


def _status_of(order: Order) -> str:
    return Order.objects.values_list("status", flat=True).get(pk=order.pk)
