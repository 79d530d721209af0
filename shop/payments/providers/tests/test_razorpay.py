"""What counts as an answer of the provider, asked over the loopback address through its SDK."""

import threading
import time

import pytest

from ...models import Refund
from ...refunds.services import issue_due_refunds
from ...services import cancel, verify_payment
from ...simulator.faults import CALL_FAULTS, plan
from ..base import NoAnswer, Refused
from ..razorpay import razorpay


def test_the_sdk_reads_the_servers_answers(served, db):
    made = razorpay.create_order(amount=29900, receipt="r-1", notes={"order": "ORD-AAAAAAAAA"})
    assert razorpay.find_order("r-1") == made
    assert razorpay.find_order("r-2") is None
    seen = served.steer("pay", order_id=made.id, method="netbanking")
    payment_id = seen["result"]["razorpay_payment_id"]
    [payment] = razorpay.payments_of(made.id)
    assert razorpay.fetch(payment_id) == payment
    assert (payment.status, payment.amount, payment.order_id) == ("captured", 29900, made.id)
    refund = razorpay.refund(payment_id=payment_id, amount=10000, key="refund-key-1")
    assert razorpay.refund(payment_id=payment_id, amount=10000, key="refund-key-1") == refund
    assert razorpay.refunds_of(payment_id) == [refund]
    with pytest.raises(Refused, match="greater than amount captured"):
        razorpay.refund(payment_id=payment_id, amount=20000, key="refund-key-2")
    with pytest.raises(Refused, match="does not exist"):
        razorpay.fetch("pay_00000000000000")


def test_authorized_money_is_captured_once(served, db):
    made = razorpay.create_order(amount=29900, receipt="r-1", notes={})
    served.provider.store.get("order", made.id).body["_automatic"] = False
    payment = razorpay.fetch(served.steer("pay", order_id=made.id)["result"]["razorpay_payment_id"])
    assert payment.status == "authorized"
    assert razorpay.capture(payment).is_captured
    with pytest.raises(Refused, match="already been captured"):
        razorpay.capture(payment)


@pytest.mark.parametrize("fault", sorted(CALL_FAULTS.keys() - {"in_progress"}))
def test_what_is_no_answer(served, db, fault):
    plan("POST", "/v1/orders", fault, seconds=0.4, provider=served.provider)
    with pytest.raises(NoAnswer):
        razorpay.create_order(amount=29900, receipt="r-1", notes={})
    assert (razorpay.find_order("r-1") is not None) == CALL_FAULTS[fault]


def test_keys_that_are_wrong_are_no_answer(served, db, settings):
    settings.RAZORPAY_KEY_SECRET = "mistyped"
    with pytest.raises(NoAnswer):
        razorpay.create_order(amount=29900, receipt="r-1", notes={})


def test_the_orders_of_other_keys_do_not_exist(served, db, settings):
    made = razorpay.create_order(amount=29900, receipt="r-1", notes={})
    settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_test_other", "other secret"
    assert razorpay.find_order("r-1") is None
    with pytest.raises(Refused, match="does not exist"):
        razorpay.payments_of(made.id)


@pytest.mark.parametrize("amount", ["29900", 299.0, None, True, -1])
def test_an_amount_of_another_kind_is_no_answer(served, db, amount):
    made = razorpay.create_order(amount=29900, receipt="r-1", notes={})
    payment_id = served.steer("pay", order_id=made.id)["result"]["razorpay_payment_id"]
    served.provider.store.get("payment", payment_id).body["amount"] = amount
    with pytest.raises(NoAnswer):
        razorpay.fetch(payment_id)


def test_an_answer_about_another_payment_is_no_answer(served, db):
    made = razorpay.create_order(amount=29900, receipt="r-1", notes={})
    payment_id = served.steer("pay", order_id=made.id)["result"]["razorpay_payment_id"]
    served.provider.store.get("payment", payment_id).body["id"] = "pay_00000000000000"
    with pytest.raises(NoAnswer):
        razorpay.fetch(payment_id)


def test_a_status_that_nobody_knows_records_nothing(served, paying):
    order, payment = paying()
    seen = served.steer("pay", order_id=payment.razorpay_order_id)["result"]
    served.provider.store.get("payment", seen["razorpay_payment_id"]).body["status"] = "pondering"
    with pytest.raises(Exception, match="hasn't been completed"):
        verify_payment(
            razorpay_order_id=seen["razorpay_order_id"],
            razorpay_payment_id=seen["razorpay_payment_id"],
            signature=seen["razorpay_signature"],
        )
    order.refresh_from_db()
    assert order.status == "pending"


@pytest.mark.parametrize("trouble", ["busy", "keys"])
def test_a_refund_waits_while_the_provider_takes_no_calls(served, paying, settings, trouble):
    order, payment = paying()
    seen = served.steer("pay", order_id=payment.razorpay_order_id)["result"]
    verify_payment(
        razorpay_order_id=seen["razorpay_order_id"],
        razorpay_payment_id=seen["razorpay_payment_id"],
        signature=seen["razorpay_signature"],
    )
    order.refresh_from_db()
    cancel(order, actor="customer")
    if trouble == "busy":
        plan("POST", "/v1/payments/.*/refund", "busy", provider=served.provider)
    else:
        settings.RAZORPAY_KEY_SECRET = "mistyped"
    assert issue_due_refunds() == 0
    assert Refund.objects.get().status == "requested"
    settings.RAZORPAY_KEY_SECRET = "very secret"
    assert issue_due_refunds() == 1


def test_a_provider_that_hangs_holds_two_threads_and_the_third_is_answered_soon(served, db, monkeypatch):
    monkeypatch.setattr("shop.payments.providers.razorpay.TIMEOUT", (1, 1.0))
    monkeypatch.setattr("shop.payments.providers.razorpay.WAIT_FOR_A_LINE", 0.1)
    for _ in range(2):
        plan("GET", "/v1/orders", "lost_answer", seconds=1.2, provider=served.provider)
    hanging = [threading.Thread(target=hang) for _ in range(2)]
    for thread in hanging:
        thread.start()
    time.sleep(0.3)
    start = time.monotonic()
    with pytest.raises(NoAnswer, match="Others wait"):
        razorpay.find_order("r-1")
    assert time.monotonic() - start < 0.5
    for thread in hanging:
        thread.join()
    assert razorpay.find_order("r-1") is None


def hang():
    with pytest.raises(NoAnswer):
        razorpay.find_order("r-1")
