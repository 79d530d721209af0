"""Paying in the provider's window, in Chromium: the simulator serves the script, the window and the API.

The window's host is named localhost, so that for the browser it is another site than the shop.
"""

import re
from contextlib import suppress
from functools import partial

import pytest
from django.conf import settings
from playwright.sync_api import Error, Page, TimeoutError, expect

from shop.catalog.models import Variant
from shop.orders.models import Order
from shop.payments.models import Payment
from shop.payments.simulator.payer import UPI_SECONDS
from shop.payments.simulator.shapes import FAILURES

from ..conftest import await_true, free_port, serving
from ..support.buyers import Answered, Buyer, new_buyers
from ..support.provider import StandIn, stand_in

pytestmark = pytest.mark.browser
INSTAGRAM = "Mozilla/5.0 (Linux; Android 14) Chrome/124.0 Mobile Safari/537.36 Instagram 330.0.0.0 Android"


WAYS_TO_LEAVE = ("close the window", "close the tab", "go elsewhere")


@pytest.fixture
def shop_port():
    return free_port()


@pytest.fixture
def provider(tmp_path, shop_port):
    """A process of its own."""
    with stand_in(tmp_path, shop_port=shop_port) as provider:
        yield provider


@pytest.fixture
def running_shop(transactional_db, tmp_path, make_variant, provider, shop_port):
    """The shop with keys."""
    make_variant(price="250", units=1_000)
    script = provider.settings["RAZORPAY_CHECKOUT_URL"].replace("127.0.0.1", "localhost")
    environment = provider.settings | {"RAZORPAY_CHECKOUT_URL": script}
    with serving(tmp_path, port=shop_port, **environment) as shop:
        yield shop


@pytest.fixture
def buyer(running_shop):
    [buyer] = new_buyers(running_shop.url, 1, Answered())
    return buyer


@pytest.fixture
def open_signed_in(open_phone, buyer, running_shop):
    def open_page() -> Page:
        page = open_phone()
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": buyer.session, "url": running_shop.url}
        page.context.add_cookies([cookie])
        return page

    return open_page


def test_a_shopper_pays_in_the_providers_window(open_signed_in, buyer, provider):
    page = open_signed_in()
    _pays_by_card(page, buyer)
    _pays_again_after_a_failure(page, buyer)
    _closes_the_window_and_approves_afterwards(page, buyer, provider)
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
    expect(page.locator("[data-pay-failed]")).to_have_text(re.compile("doesn't have enough money"))
    window.get_by_label("Card number").fill("5500 6700 0000 1002")
    window.get_by_role("button", name="Pay now").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    assert _status_of(order) == "placed"


def _closes_the_window_and_approves_afterwards(page: Page, buyer: Buyer, provider: StandIn) -> None:
    """The bank waits until the window is closed, however long that takes; then only the provider knows."""
    order = _reach_payment(page, buyer)
    provider.control("faults", name="late_authorization", order=_provider_order(order))
    window = _window(page)
    window.get_by_role("button", name="UPI").click()
    window.get_by_role("button", name="Pay now").click()
    expect(window.get_by_text("Waiting for your bank")).to_be_visible()
    _leave(page)
    assert _status_of(order) == "pending"
    [payment] = _payments_at(provider, order)
    provider.control("move", id=payment["id"], to="captured")
    page.get_by_role("button", name="Already paid?").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    assert _status_of(order) == "placed"


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


@pytest.mark.parametrize("moments", [pytest.param(8, id="short"), pytest.param(120, id="long", marks=pytest.mark.full)])
def test_whenever_the_window_is_left_what_was_approved_places_the_order(
    open_signed_in, buyer, provider, running_shop, moments, figure
):
    """A payment by UPI is approved UPI_SECONDS after it began: left before, at, and after that, in each way."""
    approved = 0
    page = open_signed_in()
    for number in range(moments):
        if page.is_closed():
            page = open_signed_in()
        order = _reach_payment(page, buyer)
        window = _window(page)
        window.get_by_role("button", name="UPI").click()
        window.get_by_role("button", name="Pay now").click()
        page.wait_for_timeout(1.5 * UPI_SECONDS * 1000 * number / (moments - 1))
        _leave_by(WAYS_TO_LEAVE[number % len(WAYS_TO_LEAVE)], page)
        if number:  # left at once, the order to pay may not have reached the provider
            await_true(partial(_payments_at, provider, order))
        if _payments_at(provider, order):
            await_true(partial(_is_placed, order))
            approved += 1
    assert approved >= moments - 1
    figure(f"{approved} approved, {approved} placed", "each approved payment places its order")


def _leave_by(way: str, page: Page) -> None:
    """The result may be faster than the hand: then the window is gone, and the page is the order's."""
    if way == "close the tab":
        page.close()
    elif way == "go elsewhere":
        try:
            page.goto("/en-in/")
        except Error as error:  # the window's answer leads the page to the order at this very moment
            if "net::ERR_ABORTED" not in error.message and "interrupted by another navigation" not in error.message:
                raise
    else:
        with suppress(TimeoutError):
            _window(page).get_by_role("button", name="Close").click(timeout=2_000)
            _window(page).get_by_role("button", name="Yes, leave").click(timeout=2_000)


def _payments_at(provider: StandIn, order: Order) -> list[dict]:
    """The provider's own word on an order."""
    ledger = {row["id"]: row["payments"] for row in provider.control("ledger")["orders"]}
    return ledger[_provider_order(order)]


def _is_placed(order: Order) -> bool:
    return _status_of(order) == "placed"


def _provider_order(order: Order) -> str:
    return Payment.objects.get(order=order).razorpay_order_id


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
    expect(page.get_by_text("The payment was not completed. Your items are still reserved")).to_be_visible()


def _status_of(order: Order) -> str:
    return Order.objects.values_list("status", flat=True).get(pk=order.pk)
