"""The link of mails and SMS: what it opens without signing in, what it never shows, and when it ends."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from shop.messaging.models import Message
from shop.tests.support.access import Who

from ...models import Order
from ...placing.services import confirm_order
from ...tests.access import ENTRIES
from ..services import deliver_all, ship
from ..tracking_links import VALID_FOR, tracking_token, tracking_url

LINK = re.compile(r"https?://[^\s\"<>]*/track/[^\s\"<>]+")


@pytest.fixture
def placed(make_variant, make_product, new_buyer, order_of):
    variant = make_variant(price="250", units=9, product=make_product("Ashwa Tonic"))
    order = order_of(new_buyer({variant: 2}))
    confirm_order(order, actor="provider")
    return order


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


def opened(visitor, order):
    answer = visitor.get(f"/track/{tracking_token(order.number)}/", follow=True)
    page = answer.content.decode()
    main = page[page.index("<main") : page.index("</main>")] if "<main" in page else page
    return answer, " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def test_it_shows_items_date_parcels_and_what_can_come_back(visitor, placed):
    answer, words = opened(visitor, placed)
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    assert "noindex" in answer.content.decode()
    for said in (placed.number, "Ashwa Tonic", "Quantity: 2", "Expected by", "Nothing has been shipped yet."):
        assert said in words, said
    ship(placed, tracking_number="QP1", actor="staff:1")
    assert "On its way" in opened(visitor, placed)[1] and "QP1" in opened(visitor, placed)[1]
    deliver_all(placed, actor="staff:1")
    answer, words = opened(visitor, placed)
    assert "Delivered on" in words and "Return or replace Ashwa Tonic" in words
    path = f"/order-detail/{placed.number}/return/{placed.lines.get().pk}/"
    assert path in answer.content.decode() and "/signin/" in visitor.get(path, follow=True).redirect_chain[-1][0]


@pytest.mark.parametrize("before", ["", "/en-in", "/En-In"])
@pytest.mark.parametrize("after", ["", "/"])
def test_its_signature_keeps_its_capitals(visitor, placed, before, after):
    token = tracking_token(placed.number)
    assert token != token.lower()
    answer = visitor.get(f"{before}/track/{token}{after}", follow=True)
    assert answer.status_code == 200 and placed.number in answer.content.decode()
    other = "A" if token.endswith("-") else "-"
    assert visitor.get(f"/track/{token[:-1]}{other}{after}", follow=True).status_code == 404


def test_nothing_of_the_person_is_shown(visitor, placed):
    _, words = opened(visitor, placed)
    address = placed.address
    for private in (address["full_name"], address["address"], address["city"], address["pincode"], "98765", "₹", "250",
                    placed.email):  # fmt: skip
        assert private not in words, private


@pytest.mark.parametrize("wrong", ["", "x", "AAAAAAAAAAAAAAAAAAAA", "%00", "é"])
def test_another_key_opens_nothing(visitor, placed, wrong):
    answer = visitor.get(f"/track/{placed.number}.{wrong}/", follow=True)
    assert answer.status_code == 404 and "Nothing has been shipped" not in answer.content.decode()


def test_a_key_is_of_one_order(visitor, placed):
    other = tracking_token("ORD-AAAAAAAAA").partition(".")[2]
    assert visitor.get(f"/track/{placed.number}.{other}/", follow=True).status_code == 404


def test_the_link_ends_some_time_after_the_purchase_and_says_so(visitor, placed):
    Order.objects.update(created_at=timezone.now() - VALID_FOR)
    answer, words = opened(visitor, placed)
    assert answer.status_code == 404 and "This link is no longer valid." in words and "Track" in words


def test_links_signed_with_the_key_before_still_open(visitor, placed, settings):
    answer = f"/track/{tracking_token(placed.number)}/"
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another-key-than-before" * 3
    assert visitor.get(answer, follow=True).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert visitor.get(answer, follow=True).status_code == 404


@pytest.mark.parametrize("reach", ["mail", "sms"])
def test_every_message_of_an_order_has_the_link(make_variant, new_buyer, order_of, visitor, reach):
    buyer = new_buyer({make_variant(units=9): 2})
    if reach == "sms":
        type(buyer).objects.filter(pk=buyer.pk).update(email=None, phone="+919876500099")
        buyer.refresh_from_db()
    order = order_of(buyer)
    confirm_order(order, actor="provider")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    messages = Message.objects.filter(to=buyer.email or buyer.phone)
    assert {message.kind for message in messages} == {"order_placed", "order_shipped", "order_delivered"}
    for message in messages:
        for text in (message.text, message.html) if reach == "mail" else (message.text,):
            assert LINK.findall(text) == [tracking_url(order)], message.kind
    path = tracking_url(order).removeprefix(settings.SHOP_URL)
    assert visitor.get(path, follow=True).status_code == 200


def test_the_link_only_reads():
    assert [(entry.methods, entry.who) for entry in ENTRIES if entry.route.startswith("track/")] == [
        ("GET", Who.ANYONE)
    ]
