"""The mail that asks for a review: once, a week after delivery, with its end in one click."""

import re

import pytest
from django.urls import reverse

from shop.accounts.models import Customer
from shop.messaging.models import Message
from shop.orders.models import Order
from shop.orders.returns.services import request_return

from ..invitations import services
from ..invitations.services import invite_to_review
from ..models import InvitationRefusal
from .test_writing import write

pytestmark = pytest.mark.django_db


def mails():
    return Message.objects.filter(kind="review_invitation")


def test_it_is_sent_once_a_week_after_delivery(buy, variant):
    early = buy(variant, days=6)
    line = buy(variant, days=8)
    old = buy(variant, days=40)
    assert [invite_to_review(), invite_to_review()] == [1, 0]
    assert [mail.to for mail in mails()] == [line.order.email] and early.order.email != old.order.email


def test_its_link_opens_the_form_without_signing_in(buy, variant, visitor):
    buy(variant, days=8)
    invite_to_review()
    path = re.search(r"http://testserver(/\S*review/\S+/)", mails().get().text)[1]
    assert "Write a review" in visitor.get(path).text


def test_one_click_ends_it(buy, variant, visitor):
    line = buy(variant, days=8)
    invite_to_review()
    headers = mails().get().headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = headers["List-Unsubscribe"].strip("<>").removeprefix("http://testserver")
    assert "Stop these messages" in visitor.get(address).text and not InvitationRefusal.objects.exists()
    for _ in range(2):
        program = visitor.post(address, {"List-Unsubscribe": "One-Click"}, headers={"sec-fetch-site": "none"})
        assert program.status_code == 200
    assert InvitationRefusal.objects.get().customer == line.order.customer


def test_who_has_a_mobile_alone_is_asked_by_sms(buy, variant, visitor):
    line, unreachable = buy(variant, days=8), buy(variant, days=8)
    Order.objects.update(email="")
    Customer.objects.filter(pk=line.order.customer_id).update(email=None, phone="+919876543210")
    assert [invite_to_review(), invite_to_review()] == [1, 0]
    sms = mails().get()
    assert (sms.channel, sms.to) == ("sms", "+919876543210") and line.product_name in sms.text
    review, stop = re.findall(r"http://testserver(/\S+)", sms.text)
    assert "Write a review" in visitor.get(review).text and visitor.post(stop).status_code == 200
    assert InvitationRefusal.objects.get().customer == line.order.customer != unreachable.order.customer


def test_an_sms_asks_about_two_products_at_most(monkeypatch, buy, variant):
    line = buy(variant, days=8)
    Order.objects.update(email="")
    Customer.objects.update(phone="+919876543210")
    monkeypatch.setattr(services, "lines_to_review", lambda order: [line] * 5)
    assert invite_to_review() == 1 and mails().get().text.count("/review/") == 2


def test_who_refused_gets_none(buy, variant):
    line = buy(variant, days=8)
    InvitationRefusal.objects.create(customer=line.order.customer)
    assert invite_to_review() == 0 and not mails().exists()


def test_nothing_is_asked_about_what_came_back_or_was_reviewed(buy, variant):
    reviewed, returned = buy(variant, days=8), buy(variant)
    write(reviewed)
    request_return(returned, customer=returned.order.customer, kind="refund", reason="wrong-item", quantity=1)
    type(returned.order).objects.filter(pk=returned.order_id).update(delivered_at=reviewed.order.delivered_at)
    invite_to_review()
    assert not mails().exists()


@pytest.mark.parametrize("language", ["hi", "ar"])
def test_it_comes_in_the_language_of_the_order(buy, variant, settings, language):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    line = buy(variant, days=8)
    type(line.order).objects.filter(pk=line.order_id).update(language=language)
    invite_to_review()
    subject = mails().get().subject
    assert line.product_name in subject and "How do you like" not in subject


def test_an_unknown_link_opens_nothing(visitor, db):
    assert visitor.get(reverse("stop_invitations", args=["1.unknown"])).status_code == 400
    assert visitor.get(reverse("mailed_review", args=["x"])).status_code == 400
