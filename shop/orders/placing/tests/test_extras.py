"""What customers may add to their order: declared once in PlaceOrder, read, shown and sent from there."""

from dataclasses import dataclass, replace

import pytest
from django.test import Client
from django.urls import reverse

from shop.accounts.staff.roles import ORDER_DESK
from shop.messaging.models import Message

from ...backoffice.tests.test_order_admin import staff
from ...models import Order
from ..services import _has_extras, confirm_order
from ..values import EXTRAS, Extra, PlaceOrder, extra, extras_of

CHECKOUT = "/en-in/checkout/"


@dataclass(frozen=True)
class WithGift(PlaceOrder):
    gift_message: str = extra("Gift message", max_length=20)


@pytest.fixture
def request_of(new_buyer, make_variant, india):
    buyer = new_buyer({make_variant("250", units=9): 1})
    return WithGift(buyer, buyer.cart, buyer.addresses.get(), india)


def test_each_field_of_that_kind_is_one():
    assert extras_of(PlaceOrder) == EXTRAS and extras_of(WithGift) == EXTRAS | {
        "gift_message": Extra("Gift message", 20)
    }


def test_each_is_a_column_of_the_order():
    assert EXTRAS.keys() <= {field.name for field in Order._meta.get_fields()}


def test_it_tells_a_repetition_from_another_checkout(request_of, monkeypatch):
    plain = request_of.hash
    monkeypatch.setitem(EXTRAS, "gift_message", Extra("Gift message", 20))
    assert request_of.hash == plain  # empty: requests of before it was declared are repeated
    assert replace(request_of, gift_message="Get well").hash != plain
    order = Order()
    order.gift_message = "Get well"
    assert _has_extras(order, replace(request_of, gift_message="Get well")) and not _has_extras(order, request_of)


@pytest.fixture
def gifts(monkeypatch):
    """Orders whose copied e-mail address stands in for a gift message."""
    monkeypatch.setitem(EXTRAS, "email", Extra("Gift <message>", 20))


@pytest.mark.django_db
def test_customer_staff_and_mails_read_it(gifts, new_buyer, make_variant, order_of, settings):
    settings.ORDER_DESK_EMAIL = "desk@example.com"
    buyer = new_buyer({make_variant("250", units=9): 1})
    declared = EXTRAS.pop("email")
    order = order_of(buyer)
    EXTRAS["email"] = declared
    assert order.extras == [("Gift <message>", order.email)]
    confirm_order(order, actor="provider")
    for kind in ("order_placed", "desk_order"):
        assert f"Gift <message>: {order.email}" in Message.objects.get(kind=kind).text
    assert "Gift &lt;message&gt;" in Message.objects.get(kind="order_placed").html
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    pages = [client.get(f"/en-in/order-detail/{order.number}/")]
    pages.append(staff(ORDER_DESK).get(reverse("admin:orders_order_change", args=[order.pk])))
    for page in pages:
        assert "Gift &lt;message&gt;" in page.content.decode()


@pytest.mark.django_db
def test_it_is_typed_at_the_checkout_and_stays_when_it_is_too_long(request_of, monkeypatch):
    monkeypatch.setitem(EXTRAS, "gift_message", Extra("Gift message", 20))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(request_of.customer)
    page = client.get(CHECKOUT).content.decode()
    assert 'name="gift_message" maxlength="20"' in page and "Gift message" in page
    sent = {"address_id": request_of.address.pk, "total_amount": "1", "gift_message": "Get well & soon, dear aunt"}
    answer = client.post(CHECKOUT, sent)
    text = answer.content.decode()
    assert answer.status_code == 422 and 'value="Get well &amp; soon, dear aunt"' in text
    assert "at most 20 characters" in text and "Add Address Details" not in text
    assert not Order.objects.exists()
