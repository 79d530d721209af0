"""What a customer reads of an order afterwards: the state of each line, units, what was not paid."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from shop.cart.services import open_cart

from ..conftest import fill
from ..models import Order
from ..placing.services import confirm_order, expire_order
from ..returns.services import approve, close_refunded, receive, request_return, send_replacement
from ..shipping.line_progress import line_progress_of
from ..shipping.services import deliver, refuse, ship


def text_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


@pytest.fixture
def tonic(make_variant, make_product):
    return make_variant(price="100", units=20, product=make_product("Ashwa Tonic"))


@pytest.fixture
def soap(make_variant, make_product):
    return make_variant(price="50", units=20, product=make_product("Neem Soap"))


@pytest.fixture
def buyer(new_buyer, tonic, soap):
    return new_buyer({tonic: 3, soap: 1})


@pytest.fixture
def browser(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    return client


@pytest.fixture
def pending(buyer, order_of):
    return order_of(buyer)


@pytest.fixture
def placed(pending):
    confirm_order(pending, actor="provider")
    return pending


def states(order):
    """By product, what is read of its units."""
    whole = Order.objects.with_lines().with_parcels().with_returns().get(pk=order.pk)
    return {
        row.line.product_name: [(state.units, state.label) for state in row.states] for row in line_progress_of(whole)
    }


# --- Each line ------------------------------------------------------------------------------------


def test_each_line_says_where_its_units_are(placed):
    tonic = placed.lines.first()
    assert states(placed) == {"Ashwa Tonic": [(None, "Placed")], "Neem Soap": [(None, "Placed")]}
    first = ship(placed, {tonic.pk: 2}, actor="staff:1")
    assert states(placed) == {
        "Ashwa Tonic": [(2, "On its way"), (1, "Processing")], "Neem Soap": [(None, "Processing")],
    }  # fmt: skip
    deliver(first, actor="staff:1")
    rest = ship(placed, actor="staff:1")
    assert states(placed)["Ashwa Tonic"] == [(2, "Delivered"), (1, "On its way")]
    refuse(rest, actor="staff:1")
    assert Order.objects.get(pk=placed.pk).status == "delivered"
    assert states(placed) == {
        "Ashwa Tonic": [(1, "Return approved"), (2, "Delivered")], "Neem Soap": [(None, "Return approved")],
    }  # fmt: skip


def test_one_replaced_unit_leaves_the_order_delivered_and_is_said_at_its_line(placed, browser):
    deliver(ship(placed, actor="staff:1"), actor="staff:1")
    tonic, soap = placed.lines.all()

    def ask(line, kind):
        return request_return(line, customer=placed.customer, kind=kind, reason="wrong-item", quantity=1)

    replaced = receive(approve(ask(tonic, "replacement"), actor="staff:1"), actor="staff:1", is_restocked=True)
    send_replacement(replaced, actor="staff:1")
    refunded = receive(approve(ask(soap, "refund"), actor="staff:1"), actor="staff:1", is_restocked=True)
    close_refunded(refunded)
    assert states(placed) == {
        "Ashwa Tonic": [(1, "Replaced"), (2, "Delivered")], "Neem Soap": [(None, "Refunded")],
    }  # fmt: skip
    page = browser.get(f"/en-in/order-detail/{placed.number}/")
    assert 'status--other">Delivered<' in page.content.decode()
    assert "1 of 3: Replaced" in text_of(page) and "2 of 3: Delivered" in text_of(page)
    assert placed.number not in text_of(browser.get("/en-in/orders/?tab=ended"))


def test_lines_of_an_unpaid_order_have_no_state(pending):
    assert states(pending) == {"Ashwa Tonic": [], "Neem Soap": []}


# --- The list -------------------------------------------------------------------------------------


def test_the_list_counts_units(browser, placed):
    assert "4 items" in text_of(browser.get("/en-in/orders/"))


def test_what_ran_out_unpaid_reads_not_paid_and_is_in_the_first_tab_alone(browser, pending):
    Order.objects.update(hold_expires_at=timezone.now() - timedelta(minutes=1))
    expire_order(pending)
    assert "Not paid" in text_of(browser.get("/en-in/orders/"))
    assert pending.number not in text_of(browser.get("/en-in/orders/?tab=ended"))
    page = text_of(browser.get(f"/en-in/order-detail/{pending.number}/"))
    assert "Not paid" in page and "We didn't receive payment for this order" in page and "was cancelled" not in page
    said = browser.post("/user-orders/", {}, content_type="application/json").json()
    assert (said[0]["status"], said[0]["latest_status"]) == ("Cancelled", "cancelled")


def test_what_a_newer_checkout_replaced_reads_not_paid(browser, pending, buyer, soap, order_of, india):
    open_cart(buyer).lines.all().delete()
    fill(buyer, {soap: 2}, india)
    order_of(buyer)
    assert "Not paid" in text_of(browser.get(f"/en-in/order-detail/{pending.number}/"))
    assert pending.number not in text_of(browser.get("/en-in/orders/?tab=ended"))


def test_what_its_customer_gave_up_unpaid_stays_cancelled(browser, pending):
    browser.post(f"/en-in/order-detail/{pending.number}/cancel/")
    ended = text_of(browser.get("/en-in/orders/?tab=ended"))
    assert pending.number in ended and "Not paid" not in ended
