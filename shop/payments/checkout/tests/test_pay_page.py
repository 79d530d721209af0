"""The pay page with a real provider: what it says after a failure, and what the provider's form may do."""

from unittest.mock import patch

import pytest
from django.test import Client
from django.utils.html import escape

from ...models import Payment
from ...providers.failures import UNKNOWN, WORDS
from ...simulator.shapes import FAILURES
from ..pay_step import CHECKS

PREFIX = "/en-in"
foreign = Client(headers={"origin": "https://api.razorpay.com", "sec-fetch-site": "cross-site"})


@pytest.fixture
def order(served, paying):
    return paying()[0]


@pytest.fixture
def page_of(order):
    def look(**query):
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(order.customer)
        return client.get(f"{PREFIX}/pay/{order.number}/", query).content.decode()

    return look


def test_every_reason_of_the_provider_has_words():
    assert WORDS.keys() == FAILURES.keys()


def test_a_first_visit_shows_no_failure(page_of):
    page = page_of()
    assert "data-pay-failed hidden></p>" in page
    assert "Your items are reserved until" in page


@pytest.mark.parametrize(("reason", "words"), [*WORDS.items(), ("<b>made up</b>", UNKNOWN), ("", UNKNOWN)])
def test_a_failure_is_said_in_words(page_of, reason, words):
    page = page_of(failed=reason)
    assert f"data-pay-failed>{escape(words)}</p>" in page
    assert "made up" not in page


def test_a_failure_that_the_provider_told_is_said_on_the_next_visit(order, page_of):
    Payment.objects.update(status="failed", failure="insufficient_funds")
    assert f"data-pay-failed>{escape(WORDS['insufficient_funds'])}</p>" in page_of()


def test_the_callback_address_names_the_order(order, page_of):
    assert f"/payments/callback/?order={order.number}" in page_of()


@pytest.mark.parametrize(
    ("query", "posted", "target"),
    [
        ("", {}, "checkout/"),
        ("?order={}", {}, "pay/{}/?failed=payment_cancelled"),
        ("?order={}", {"error[reason]": "insufficient_funds"}, "pay/{}/?failed=insufficient_funds"),
        ("?order={}", {"error[code]": "BAD_REQUEST_ERROR"}, "pay/{}/?failed=payment_cancelled"),
        ("?order=//evil.example", {"error[reason]": "x"}, "checkout/"),
        ("?order=ORD-..%2F..%2F..", {"error[reason]": "x"}, "checkout/"),
    ],
)
def test_a_failed_callback_leads_back_to_the_pay_page(order, query, posted, target):
    answer = foreign.post("/payments/callback/" + query.format(order.number), posted)
    assert (answer.status_code, answer.content) == (303, b"")
    assert answer.url.endswith("/" + target.format(order.number))
    order.refresh_from_db()
    assert order.status == "pending"


def test_the_callback_pays_without_a_cookie(served, order):
    payment = Payment.objects.get()
    seen = served.steer("pay", order_id=payment.razorpay_order_id)
    answer = foreign.post(f"/payments/callback/?order={order.number}", seen["result"])
    assert answer.status_code == 303 and answer.url.endswith(f"place-order/?order={order.number}")
    assert not answer.cookies
    order.refresh_from_db()
    assert order.status == "placed"


def test_the_policy_names_the_providers_hosts_on_the_pay_page_only(order, settings):
    client = Client()
    client.force_login(order.customer)
    page = client.get(f"{PREFIX}/pay/{order.number}/")
    policy = dict(part.strip().split(" ", 1) for part in page["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == "'self' https://checkout.razorpay.com"
    assert policy["frame-src"] == "https://api.razorpay.com https://checkout.razorpay.com"
    assert policy["form-action"] == "'self' https://api.razorpay.com https://checkout.razorpay.com"
    assert page["Cross-Origin-Opener-Policy"] == "same-origin-allow-popups"
    assert "razorpay" not in client.get(f"{PREFIX}/orders/")["Content-Security-Policy"]


def test_who_has_paid_already_lets_the_shop_ask_the_provider(served, order):
    """Whatever became of the window: without callback and webhook the order is placed at once."""
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(order.customer)
    check = f"{PREFIX}/pay/{order.number}/check/"
    assert f'action="{check}"' in client.get(f"{PREFIX}/pay/{order.number}/").content.decode()
    assert f'action="{check}"' in client.get(f"{PREFIX}/place-order/?order={order.number}").content.decode()
    served.steer("pay", order_id=Payment.objects.get().razorpay_order_id)
    order.refresh_from_db()
    assert order.status == "pending"
    assert "Order Placed Successfully" in client.post(check, follow=True).content.decode()
    order.refresh_from_db()
    assert order.status == "placed"


def test_the_provider_is_not_asked_without_end(served, order):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(order.customer)
    with patch("shop.payments.checkout.pay_step.ask_after", return_value=True) as asked:
        for _ in range(CHECKS + 5):
            assert client.post(f"{PREFIX}/pay/{order.number}/check/").status_code == 302
    assert asked.call_count == CHECKS
