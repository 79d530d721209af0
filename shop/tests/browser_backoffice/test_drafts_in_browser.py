"""A call from the first word to the payment, on a phone and on a desktop; axe looks at each page on the way.
Neither the desk nor the payer needs scripts."""

import os
import re

import pytest
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import ORDER_DESK
from shop.messaging.models import Message
from shop.orders.models import Order, OrderDraft
from shop.tests.conftest import PHONE

from .test_order_desk_in_browser import _signs_in, orders  # noqa: F401 (fixture)

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("DRAFT_PICTURES", "")  # a folder for who wants to look
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
WAYS = [(True, 1280), (True, 768), (True, 360), (False, 360)]


@pytest.fixture
def look(barriers):
    """look(page, "a name"): nothing stands in anyone's way, and nothing is wider than the window; on a phone also not
    at 320 px with text at 200 %."""

    def at(page: Page, name: str) -> None:
        assert barriers(page) == [], name
        assert page.evaluate(FITS), name
        if page.viewport_size == PHONE:
            settings = page.context.new_cdp_session(page)
            page.set_viewport_size(PHONE | {"width": 320})
            settings.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})
            assert page.evaluate(FITS), f"{name}, enlarged"
            settings.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 16}})
            page.set_viewport_size(PHONE)
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{name}-{page.viewport_size['width']}.png", full_page=True)

    return at


@pytest.mark.parametrize(("scripts", "width"), WAYS)
def test_a_call_becomes_a_paid_order(orders, open_phone, look, scripts, width):  # noqa: F811
    desk = open_phone(width=width, scripts=scripts, refusals={422})
    look = look if scripts else lambda *args: None
    _signs_in(desk, ORDER_DESK, "/admin/orders/orderdraft/add/")
    _notes_a_new_caller(desk, look)
    _fills(desk, look)
    url = _sends_the_link(desk, look)
    payer = open_phone(width=width, scripts=scripts, refusals={404})
    _pays(payer, url, look)
    order = Order.objects.get(draft__isnull=False)
    assert (order.status, order.customer.phone) == ("placed", "+919812345678")
    desk.reload()
    expect(desk.get_by_text(f"Ordered: {order.number}")).to_be_visible()
    look(desk, "desk-ordered")


def _notes_a_new_caller(desk: Page, look) -> None:
    desk.set_default_timeout(15_000)
    desk.get_by_label("Phone, name or email").fill("asha")
    desk.get_by_role("button", name="Search").click()
    expect(desk.get_by_role("button", name="Open a draft for Asha Rao")).to_be_visible()
    look(desk, "caller")
    desk.get_by_label("Name", exact=True).fill("Ravi Iyer")
    desk.get_by_label("Mobile number").fill("98123 45678")
    desk.get_by_role("button", name="Open a draft", exact=True).click()
    expect(desk.get_by_role("heading", name="Draft D-")).to_be_visible()
    assert Customer.objects.get(phone="+919812345678").name == "Ravi Iyer"
    look(desk, "draft-empty")


def _fills(desk: Page, look) -> None:
    desk.get_by_label("SKU or product").fill("neem soap")
    desk.get_by_role("button", name="Search").click()
    look(desk, "draft-search")
    desk.get_by_role("button", name=re.compile("^Add ")).first.click()
    expect(desk.get_by_text("Added.")).to_be_visible()
    desk.get_by_label(re.compile("^Units of")).first.fill("2")
    desk.get_by_role("button", name=re.compile("^Update ")).first.click()
    expect(desk.get_by_text("₹529.00")).to_be_visible()
    desk.get_by_text("Type an address").click()
    desk.get_by_role("button", name="Deliver to this address").click()
    expect(desk.get_by_text("Address is required")).to_be_visible()
    look(desk, "draft-refused")
    typed = {"House, street, area": "5 Lake Road", "PIN code": "560001", "City": "Bengaluru"}
    for label, words in typed.items():
        desk.get_by_label(label, exact=True).fill(words)
    desk.get_by_label("State").select_option("Karnataka")
    desk.get_by_label("Alternative phone").fill("98123 45679")
    desk.get_by_role("button", name="Deliver to this address").click()
    expect(desk.get_by_text("Address saved.")).to_be_visible()


def _sends_the_link(desk: Page, look) -> str:
    desk.get_by_role("button", name="Send the link").click()
    expect(desk.get_by_text("The link is on its way.")).to_be_visible()
    look(desk, "draft-sent")
    draft = OrderDraft.objects.get()
    assert Message.objects.filter(kind="payment_link").count() == 1 and draft.sent_at
    return re.search(r"/p/[\w-]+/", desk.content())[0]


def _pays(payer: Page, url: str, look) -> None:
    payer.goto(url)
    expect(payer.get_by_text("5 Lake Road").first).to_be_visible()
    expect(payer.get_by_text("Neem Soap").locator("visible=true").first).to_be_visible()
    look(payer, "payer")
    payer.get_by_role("button", name=re.compile("PAY")).first.click()
    payer.get_by_role("button", name="Payment Success").click()
    expect(payer.get_by_role("heading", name="Thank you! Your order has been placed.")).to_be_visible()
    look(payer, "payer-ordered")
    payer.goto("/p/zzzz-zzzz-zzzz/")
    look(payer, "payer-closed")
