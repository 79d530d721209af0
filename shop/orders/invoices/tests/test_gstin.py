"""A business names its GSTIN at the checkout: checked, kept, repeated on the invoice; asked for in India alone."""

from dataclasses import replace

import pytest
from django.test import Client

from shop.errors import Invalid
from shop.orders.models import Invoice, Order
from shop.orders.placing.values import WRONG_GSTIN, PlaceOrder, clean_gstin

from ...placing.services import confirm_order
from ..pdf import draw_invoice

GSTIN = "27AAPFU0939F1ZV"
CHECKOUT = "/en-in/checkout/"


@pytest.fixture
def browser(make_variant, new_buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(new_buyer({make_variant(price="250", units=20): 2}))
    return client


def pay(browser, **changes):
    page = browser.get(CHECKOUT)
    address = page.context["checkout"].chosen.address
    return browser.post(CHECKOUT, {"address_id": address.pk, "total_amount": "529"} | changes)


@pytest.mark.parametrize("typed", [GSTIN, " 27aapfu0939f1zv "])
def test_it_is_kept_in_its_one_form_and_stands_on_the_invoice(browser, typed):
    pay(browser, gstin=typed)
    order = Order.objects.get()
    assert order.gstin == GSTIN and ("GSTIN", GSTIN) in order.extras
    confirm_order(order, actor="shop")
    invoice = Invoice.objects.get()
    assert invoice.content["buyer"]["gstin"] == GSTIN
    assert draw_invoice(invoice).startswith(b"%PDF-")


def test_a_wrong_one_is_said_at_its_field_which_stays_open(browser):
    page = pay(browser, gstin="27AAPFU0939F1ZX")
    assert page.status_code == 422 and WRONG_GSTIN in page.text
    assert "<details open>" in page.text and 'value="27AAPFU0939F1ZX"' in page.text
    assert not Order.objects.exists()


def test_the_api_refuses_a_wrong_one(browser):
    with pytest.raises(Invalid, match="not a valid GSTIN"):
        clean_gstin("123")
    assert clean_gstin("  ") == ""


def test_abroad_it_is_not_asked_for(browser):
    assert "GSTIN" in browser.get(CHECKOUT).text
    assert "GSTIN" not in browser.get("/en-gb/checkout/").text


def test_abroad_it_is_not_kept_either(make_variant, new_buyer, order_of, india):
    buyer = new_buyer({make_variant(price="250", units=20): 2})
    request = PlaceOrder(buyer, None, buyer.addresses.get(), replace(india, country_code="GB"), gstin=GSTIN)
    assert request.extras == {"gstin": ""} and replace(request, market=india).extras == {"gstin": GSTIN}
