"""Refunds on the customer's page of an order: amount, how far, and until when the bank takes."""

import re
from datetime import date
from html import unescape

import pytest
from django.test import Client

from shop.markets.geography.local_time import in_zone_of
from shop.money import INR, display

from ...models import Payment, Refund, StrayCapture
from ...services import cancel
from ..present import bank_day_after
from ..services import issue_due_refunds, mark_paid_back, retry_refund
from .test_refunds import cash_order, deliver, paid, send_back

pytestmark = pytest.mark.django_db


def page_of(order):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(order.customer)
    answer = client.get(f"/en-in/order-detail/{order.number}/")
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_after_a_return_the_summary_shows_what_was_refunded_and_what_is_left(paying):
    order = deliver(paid(*paying(quantity=2)))
    assert "Total after refunds" not in page_of(order)
    request = send_back(order, 1)
    issue_due_refunds()
    request.refresh_from_db()
    words = page_of(order)
    refund = Refund.objects.get()
    until = bank_day_after(in_zone_of(order, refund.processed_at).date())
    assert f"Refunded −{display(request.refund_inr, INR)}" in words
    assert f"Total after refunds {display(order.total_inr - request.refund_inr, INR)}" in words
    assert "Sent on" in words and f"expect it by {until.day} {until:%B %Y}" in words


@pytest.mark.parametrize(
    ("status", "label", "said"),
    [
        ("requested", "Requested", "We're sending it to the card"),
        ("pending", "With your bank", "On its way to the card"),
        ("failed", "Delayed", "We'll try again or contact you"),
    ],
)
def test_each_step_of_a_refund_has_its_words(paying, status, label, said):
    order = paid(*paying())
    cancel(order, actor="customer")
    issue_due_refunds()
    Refund.objects.update(status=status, processed_at=None)
    words = page_of(order)
    assert label in words and said in words and "See your refund" in words
    assert ("Total after refunds ₹0.00" in words) == (status != "failed")


def test_a_refund_that_is_tried_again_is_shown_once(paying):
    order = paid(*paying())
    cancel(order, actor="customer")
    issue_due_refunds()
    Refund.objects.update(status="failed")
    retry_refund(Refund.objects.get(), actor="staff:1")
    words = page_of(order)
    assert "Delayed" not in words and words.count("We're sending it to the card") == 1


def test_a_payment_too_many_is_no_part_of_the_total(paying):
    order, payment = paying()
    paid(order, payment)
    stray = Payment.objects.get(pk=payment.pk)
    StrayCapture.objects.create(payment=stray, razorpay_payment_id="pay_second", amount_paise=500, reason="Paid twice.")
    issue_due_refunds()
    words = page_of(order)
    assert "Paid twice." in words and "₹5.00" in words and "Total after refunds" not in words


def test_cash_goes_back_by_transfer(make_variant, new_buyer, order_of):
    order = deliver(cash_order(make_variant, new_buyer, order_of))
    send_back(order, 1)
    issue_due_refunds()
    assert "We'll transfer it to your bank account." in page_of(order)
    mark_paid_back(Refund.objects.get(), reference="UTR 77", actor="staff:1")
    assert "by bank transfer (reference UTR 77)" in page_of(order)


def test_one_that_the_provider_refused_says_that_it_was_transferred(paying):
    order = paid(*paying())
    cancel(order, actor="customer")
    issue_due_refunds()
    Refund.objects.update(status="failed", processed_at=None)
    mark_paid_back(Refund.objects.get(), reference="UTR 78", actor="staff:1")
    words = page_of(order)
    assert "by bank transfer (reference UTR 78)" in words and "to the card or account you paid with" not in words


@pytest.mark.parametrize(
    ("start", "end"),
    [(date(2026, 11, 23), date(2026, 12, 2)), (date(2026, 11, 27), date(2026, 12, 8)),
     (date(2026, 11, 28), date(2026, 12, 8))],
)  # fmt: skip
def test_working_days_leave_out_the_weekend(start, end):
    assert bank_day_after(start) == end
