"""The customer says when a return may be picked up; the order desk sees it."""

from datetime import date

import pytest
from django.test import Client

from shop.catalog.models import ReturnReason

from ...models import ReturnRequest
from ...placing.services import confirm_order
from ...shipping.services import deliver_all, ship
from ..pickup import pickup_slots, pickup_words
from ..present import shown
from ..services import ReturnRefused, approve, request_return

THURSDAY = date(2026, 11, 26)


@pytest.fixture
def delivered(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant(price="250", units=9): 2}))
    confirm_order(order, actor="shop")
    ship(order, actor="staff:1")
    return deliver_all(order, actor="staff:1")


def ask(order, **more):
    line = order.lines.get()
    return request_return(line, customer=order.customer, kind="refund", quantity=1, **{"reason": "wrong-item"} | more)


def test_five_days_without_sundays_are_offered(delivered):
    slots = pickup_slots(delivered, THURSDAY)
    assert list(slots)[:3] == ["2026-11-28.am", "2026-11-28.pm", "2026-11-30.am"] and len(slots) == 10
    assert slots["2026-11-28.am"] == "Sat 28 Nov, 9 am to 1 pm" == pickup_words("2026-11-28.am")


def test_the_wish_is_said_on_the_order_and_when_it_is_approved(delivered):
    wish = next(iter(pickup_slots(delivered)))
    request = ask(delivered, pickup=wish)
    assert pickup_words(wish) in shown(request).words
    assert f"for free, {pickup_words(wish)}." in shown(approve(request, actor="staff:1")).words


def test_what_is_not_offered_is_refused_at_its_field(delivered):
    with pytest.raises(ReturnRefused) as refusal:
        ask(delivered, pickup="2020-01-01.am")
    assert "pickup" in refusal.value.fields and not ReturnRequest.objects.exists()


def test_what_is_not_sent_back_is_not_picked_up(delivered):
    missing = ReturnReason.objects.filter(is_sent_back=False).first()
    assert ask(delivered, reason=missing.slug, pickup=next(iter(pickup_slots(delivered)))).pickup == ""


def test_the_form_offers_them_and_keeps_the_choice(delivered):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    browser.force_login(delivered.customer)
    address = f"/en-in/order-detail/{delivered.number}/return/{delivered.lines.get().pk}/"
    page = browser.get(address)
    wish, words = next(iter(pickup_slots(delivered).items()))
    assert words in page.text
    sent = {"reason": "wrong-item", "kind": "refund", "quantity": 1, "seen": 0, "pickup": wish}
    assert browser.post(address, sent).status_code == 302
    assert ReturnRequest.objects.get().pickup == wish
