"""Whatever goes wrong at the provider, each order ends paid once or its money goes back.

The shop talks to the simulator as a server, through the SDK; callback, webhook and clock all have
their turn, and what is left is compared with the provider's own ledger.
"""

import pytest
from django.conf import settings
from django.test import Client

from shop.errors import ProviderDown, VerificationFailed
from shop.messaging.models import Message
from shop.orders.models import Order

from ...models import Payment, ProviderEvent, Refund, StrayCapture
from ...reconciliation import jobs
from ...refunds.services import issue_due_refunds
from ...services import PaymentIncomplete, cancel, start_payment, verify_payment
from ...simulator.events import deliver
from ...simulator.faults import CALL_FAULTS, ORDER_FAULTS

pytestmark = pytest.mark.database
browser = Client()


def post(delivery):
    sent = browser.post("/payments/webhook/", delivery.body, content_type="application/json", headers=delivery.headers)
    return sent.status_code


def verify(seen):
    """What the shop's page does with what the window hands over, and again when the shop had no answer."""
    for _ in range(3):
        try:
            result = seen["result"]
            return verify_payment(
                razorpay_order_id=result["razorpay_order_id"],
                razorpay_payment_id=result["razorpay_payment_id"],
                signature=result["razorpay_signature"],
            )
        except ProviderDown:
            continue
        except (VerificationFailed, PaymentIncomplete) as refusal:
            return refusal
    raise AssertionError("the provider never answered")


def run_the_clock(served, seconds=0):
    """Some time passes: late answers come, webhooks arrive, and the jobs run until they rest."""
    served.steer("clock", advance=seconds)
    served.steer("clock", advance=5)
    deliver(post, served.provider)
    jobs.reconcile_everything()
    ProviderEvent.objects.update(received_at="2020-01-01T00:00Z")
    for _ in range(4):
        for job in jobs.JOBS:
            job()


def pay_for(served, order):
    payment = None
    while payment is None or not payment.razorpay_order_id:
        try:
            payment = start_payment(order)
        except ProviderDown:
            continue
    return payment, served.steer("pay", order_id=payment.razorpay_order_id)


def assert_the_ledgers_agree(served, *, paid):
    """One order here and its money there, to the paisa; what does not pay it has gone back."""
    order = Order.objects.get()
    kept = sum(p["amount"] - p["amount_refunded"] for row in served.ledger() for p in row["payments"] if p["captured"])
    assert order.status == ("placed" if paid else "pending")
    assert kept == (order.total_inr * 100 if paid else 0)
    assert Payment.objects.get().captured_paise == kept
    assert Message.objects.filter(kind="order_placed").count() == int(paid)
    assert len(served.ledger()) == 1  # one provider order, whatever was asked how often
    assert not ProviderEvent.objects.filter(handled_at=None).exists()


@pytest.fixture
def order(served, make_variant, new_buyer, order_of):
    return order_of(new_buyer({make_variant(price="250", units=10): 1}))


SECONDS = {"failed_then_captured": 31, "late_authorization": 21 * 60, "dispute": 61}
PAYS = ORDER_FAULTS - {"wrong_amount"}


@pytest.mark.parametrize("fault", sorted(ORDER_FAULTS))
def test_every_fault_of_payer_and_webhook_ends_right(served, order, fault):
    early = []
    served.provider.post = lambda delivery: early.append(delivery) or 200
    served.steer("faults", name=fault)
    _, seen = pay_for(served, order)
    for delivery in early:
        post(delivery)
    if early:
        run_the_clock(served)
        assert_the_ledgers_agree(served, paid=True)
    if "result" in seen:
        verify(seen)
    run_the_clock(served, SECONDS.get(fault, 0))
    assert_the_ledgers_agree(served, paid=fault in PAYS)


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("fault", sorted(CALL_FAULTS.keys() - {"in_progress"}))
def test_every_fault_of_a_call_ends_right(served, order, fault, after):
    """The first, the second or the third call about the order fails."""
    served.steer("faults", name=fault, after=after, seconds=0.4)
    _, seen = pay_for(served, order)
    verify(seen)
    run_the_clock(served)
    assert_the_ledgers_agree(served, paid=True)


@pytest.mark.parametrize("fault", sorted(CALL_FAULTS))
def test_a_refund_that_meets_a_fault_is_given_once(served, order, fault):
    _, seen = pay_for(served, order)
    verify(seen)
    cancel(Order.objects.get(), actor="customer")
    served.steer("faults", name=fault, method="POST", path="/v1/payments/.*/refund", seconds=0.4)
    for _ in range(3):
        issue_due_refunds()
    [row] = served.ledger()
    [payment] = row["payments"]
    assert [refund["amount"] for refund in payment["refunds"]] == [row["amount"]]
    assert payment["status"] == "refunded"
    assert Refund.objects.get().status == "processed"
    assert Payment.objects.get().refunded_paise == row["amount"]


@pytest.mark.parametrize(("fault", "ending"), [("refund_pending", "processed"), ("refund_fails", "failed")])
def test_a_refund_is_followed_to_its_end(served, order, fault, ending):
    served.steer("faults", name=fault)
    _, seen = pay_for(served, order)
    verify(seen)
    cancel(Order.objects.get(), actor="customer")
    issue_due_refunds()
    assert Refund.objects.get().status == "pending"
    run_the_clock(served, 121)
    assert Refund.objects.get().status == ending
    assert Message.objects.filter(kind="desk_refund").count() == (ending == "failed")


def test_the_money_of_the_second_of_two_captures_goes_back(served, order):
    served.steer("faults", name="two_captures")
    _, seen = pay_for(served, order)
    verify(seen)
    run_the_clock(served)
    [row] = served.ledger()
    assert sorted(payment["status"] for payment in row["payments"]) == ["captured", "refunded"]
    assert StrayCapture.objects.count() == Refund.objects.count() == 1


def test_a_dispute_is_stored_and_the_desk_told_once(served, order):
    served.steer("faults", name="dispute")
    _, seen = pay_for(served, order)
    verify(seen)
    for _ in range(2):
        run_the_clock(served, 61)
    assert ProviderEvent.objects.get(event="payment.dispute.created").handled_at
    mail = Message.objects.get(kind="payment_dispute")
    assert mail.to == settings.SHOP_EMAIL
    assert order.number in mail.text and "₹" in mail.text and "goods or services not received" in mail.text


def test_a_fault_is_chosen_by_the_notes_of_an_order(served, order, monkeypatch):
    from ..razorpay import razorpay

    create = razorpay.create_order
    monkeypatch.setattr(razorpay, "create_order", lambda **given: create(**given | {"notes": {"fault": "no_news"}}))
    _, seen = pay_for(served, order)
    assert seen == {"lost": True}
    assert served.ledger()[0]["fault"] == "no_news"
    run_the_clock(served)
    assert_the_ledgers_agree(served, paid=True)
    assert not ProviderEvent.objects.exists()
