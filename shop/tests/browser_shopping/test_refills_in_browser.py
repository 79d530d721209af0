"""A refill in Chromium, on a phone of 360 px with and without scripts: asked for on the order's page, and bought again
from the link of its mail, which comes by SMTP."""

import email
import email.policy
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from aiosmtpd.controller import Controller
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from shop.cart.models import CartLine
from shop.messaging.tests.conftest import Inbox
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.pharmacy.models import Refill
from shop.pharmacy.refills.tests.conftest import buy  # noqa: F401 (fixture)

from ..conftest import await_true, free_port, serving

pytestmark = pytest.mark.browser
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
SEND = "from shop.pharmacy.refills.reminders import send_refill_reminders as send; send()"


@pytest.fixture
def inbox():
    received, port = Inbox(), free_port()
    server = Controller(received, hostname="127.0.0.1", port=port)
    server.start()
    received.url = f"smtp://127.0.0.1:{port}"
    yield received
    server.stop()


@pytest.fixture
def order(transactional_db, buy, make_variant, make_product):  # noqa: F811 (fixture)
    """Sixty capsules, bought three days ago."""
    facts = {"net_quantity": Decimal(60), "net_unit": "capsules"}
    return buy({make_variant("400", units=20, product=make_product("Amla Capsules"), **facts): 1}, days=3)


@pytest.fixture
def running_shop(order, inbox, tmp_path):
    with serving(tmp_path, port=free_port(), EMAIL_URL=inbox.url) as shop:
        yield shop


@pytest.fixture
def customers_page(order, running_shop, open_phone):
    """customers_page(scripts): the phone of the signed-in customer."""

    def open_page(scripts):
        page = open_phone(scripts=scripts, width=360)
        client = Client()
        client.force_login(order.customer)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": running_shop.url}
        page.context.add_cookies([cookie])
        return page

    return open_page


def fits(page, barriers, scripts):
    """At 320 and 360 px; what axe finds."""
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(FITS), f"{page.url} at {width} px"
    assert not scripts or barriers(page) == []


def link_in(mail):
    text = email.message_from_bytes(mail.content, policy=email.policy.default).get_body(("plain",)).get_content()
    return re.search(r"https?://[^\s/]+(/\S*refill/[^\s/]+/)(?=\s)", text)[1]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_refill_from_its_mail(customers_page, order, running_shop, open_phone, inbox, barriers, scripts):
    page = customers_page(scripts)
    page.goto(f"/en-in/order-detail/{order.number}/")
    page.get_by_role("link", name="Remind me about Amla Capsules").click()
    page.get_by_label("When the pack runs out").check()
    page.get_by_label("How much do you use a day (capsules)?").fill("2")
    fits(page, barriers, scripts)
    page.get_by_role("button", name="Remind me").click()
    expect(page.get_by_role("heading", name="Refill reminders", level=1)).to_be_visible()
    expect(page.get_by_text("When the pack runs out, at 2 capsules a day")).to_be_visible()
    fits(page, barriers, scripts)

    Refill.objects.update(next_on=timezone.localdate() - timedelta(days=1), counted_at=timezone.now())
    running_shop.manage("shell", "--no-imports", "-c", SEND)
    await_true(lambda: any(b"refill/" in mail.content for mail in inbox.mails))
    [mail] = [mail for mail in inbox.mails if b"refill/" in mail.content]
    assert mail.rcpt_tos == [order.customer.email]
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in mail.content

    phone = open_phone(scripts=scripts, width=360)
    phone.goto(link_in(mail))
    expect(phone.get_by_text("Amla Capsules")).to_be_visible()
    expect(phone.get_by_text("₹400.00").first).to_be_visible()
    fits(phone, barriers, scripts)
    assert not CartLine.objects.exists()
    phone.get_by_role("button", name="Fill my cart").click()
    expect(phone.locator(".lines .line")).to_have_count(1)
    assert CartLine.objects.get().cart.customer is None

    phone.goto(link_in(mail))
    phone.get_by_role("link", name="Stop these reminders").click()
    fits(phone, barriers, scripts)
    phone.get_by_role("button", name="Stop reminders").click()
    expect(phone.get_by_role("heading", name="Reminders stopped")).to_be_visible()
    assert Refill.objects.get().state == "ended"
