"""What was paid in a time whose rows are lost is found at the provider and given back, once."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from shop.messaging.models import Message
from shop.orders.models import Order

from ...models import LostCapture, LostWindow, Payment
from ...providers.base import ProviderRefund
from ...providers.razorpay import razorpay
from ...refunds.services import issue_due_refunds
from ...services import cancel, verify_payment
from ...simulator.control import ledger
from ...simulator.faults import plan
from ...simulator.in_process import shop_provider
from ...simulator.payer import move_payment, pay
from .. import lost_orders
from ..invariants import INVARIANTS
from ..lost_orders import note_lost_window, refund_lost_payments

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
HOUR = timedelta(hours=1)


@pytest.fixture
def lose():
    """lose(): the provider's order of an order of ours that no row knows any more."""
    made = iter(range(1000))

    def make(**notes):
        number = f"ORD-LOST0000{next(made)}"
        notes = {"order": number, "shop": settings.SHOP_URL} | notes
        return razorpay.create_order(amount=29900, receipt=f"{number}-ab", notes=notes)

    return make


def refunds_of(order):
    row = next(row for row in ledger(shop_provider())["orders"] if row["id"] == order.id)
    return [refund["amount"] for money in row["payments"] for refund in money["refunds"]]


def broken():
    return {invariant.name for invariant in INVARIANTS if list(invariant.broken())}


def test_a_captured_payment_without_its_order_goes_back_in_full_and_once(lose):
    paid, unpaid = lose(), lose()
    pay(paid.id)
    note_lost_window(timezone.now() - HOUR)
    for _ in range(3):
        assert refund_lost_payments()["unanswered"] == 0
    assert (refunds_of(paid), refunds_of(unpaid)) == ([29900], [])
    row = LostCapture.objects.get()
    assert row.status in ("pending", "processed")
    told = {message.kind: message for message in Message.objects.all()}
    assert set(told) == {"money_returned", "desk_lost_payment"}
    assert "₹299" in told["money_returned"].text
    assert row.order_number in told["desk_lost_payment"].text
    assert broken() == set()


def test_without_a_lost_time_nothing_is_asked_or_given_back(lose):
    order = lose()
    pay(order.id)
    assert refund_lost_payments()["lost"] == 0
    assert refunds_of(order) == []


def test_what_the_shop_knows_and_what_is_of_another_shop_is_left_alone(paying, lose):
    _, payment = paying()
    pay(payment.razorpay_order_id)
    foreign, nameless = lose(shop="https://other.example.com"), lose(shop="")
    pay(foreign.id)
    pay(nameless.id)
    note_lost_window(timezone.now() - HOUR)
    assert refund_lost_payments()["lost"] == 0
    assert [refunds_of(order) for order in (foreign, nameless)] == [[], []]


def test_money_that_comes_days_later_is_found_too(lose):
    order = lose()
    result = pay(order.id, until="created")
    window = note_lost_window(timezone.now() - HOUR)
    assert refund_lost_payments()["lost"] == 0
    move_payment(result.razorpay_payment_id, "captured")
    LostWindow.objects.update(until=window.until - timedelta(days=6))
    assert refund_lost_payments()["lost"] == 0  # watched for five days
    LostWindow.objects.update(until=window.until)
    assert refund_lost_payments()["lost"] == 1
    assert refunds_of(order) == [29900]


def test_a_long_list_is_read_to_its_end(lose, monkeypatch):
    monkeypatch.setattr("shop.payments.providers.razorpay.PAGE", 2)
    orders = [lose() for _ in range(5)]
    for order in orders:
        pay(order.id)
    note_lost_window(timezone.now() - HOUR)
    assert refund_lost_payments()["lost"] == 5
    assert [refunds_of(order) for order in orders] == [[29900]] * 5


@pytest.mark.parametrize("fault", ["lost_answer", "in_progress", "error"])
def test_a_refund_whose_answer_was_lost_is_not_made_twice(lose, fault):
    order = lose()
    pay(order.id)
    note_lost_window(timezone.now() - HOUR)
    plan("POST", "/v1/payments/.*/refund", fault)
    refund_lost_payments()
    assert LostCapture.objects.get().idempotency_key.startswith("full_pay_")  # stored before the call
    refund_lost_payments()
    assert refunds_of(order) == [29900]
    assert LostCapture.objects.get().status in ("pending", "processed")


def test_a_refund_that_the_provider_gives_up_is_tried_again_and_at_last_left_to_the_desk(lose, monkeypatch):
    order = lose()
    pay(order.id)
    note_lost_window(timezone.now() - HOUR)
    refuse = ProviderRefund("rfnd_00000000000000", "pay_x", 29900, "failed", "x")
    monkeypatch.setattr(razorpay, "refund", lambda **asked: keys.append(asked["key"]) or refuse)
    keys: list[str] = []
    for _ in range(8):
        refund_lost_payments()
    assert len(keys) == len(set(keys)) == lost_orders.MAX_TRIES
    assert Message.objects.filter(kind="desk_lost_payment", subject__contains="could not be given back").count() == 1
    LostCapture.objects.update(created_at=timezone.now() - HOUR)
    assert "Q6" in broken()


def test_a_refund_that_was_made_before_all_was_lost_counts(lose):
    order = lose()
    result = pay(order.id)
    razorpay.refund(payment_id=result.razorpay_payment_id, amount=29900, key=f"by_hand_{order.id}")
    note_lost_window(timezone.now() - HOUR)
    refund_lost_payments()
    assert refunds_of(order) == [29900]
    assert not LostCapture.objects.filter(status="failed").exists()


def test_an_order_that_was_cancelled_and_paid_back_in_the_lost_time_is_cancelled_again(paying):
    order, payment = paying()
    result = pay(payment.razorpay_order_id)
    verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
    )
    key = f"full_{result.razorpay_payment_id}"
    razorpay.refund(payment_id=result.razorpay_payment_id, amount=payment.amount_paise, key=key)
    note_lost_window(timezone.now() - HOUR)
    assert refund_lost_payments()["cancelled_again"] == 1
    issue_due_refunds()
    assert Order.objects.get(pk=order.pk).status == "cancelled"
    assert Payment.objects.get(pk=payment.pk).refunded_paise == payment.amount_paise
    found = next(row for row in ledger(shop_provider())["orders"] if row["id"] == payment.razorpay_order_id)
    assert [refund["amount"] for money in found["payments"] for refund in money["refunds"]] == [payment.amount_paise]
    assert broken() == set()
    assert refund_lost_payments()["cancelled_again"] == 0


def test_a_refund_that_the_shop_knows_stirs_nothing(paying):
    order, payment = paying()
    result = pay(payment.razorpay_order_id)
    verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
    )
    order.refresh_from_db()
    cancel(order, actor="customer")
    issue_due_refunds()
    note_lost_window(timezone.now() - HOUR)
    counts = refund_lost_payments()
    assert (counts["cancelled_again"], counts["unknown_refunds"], counts["lost"]) == (0, 0, 0)


def test_the_command_notes_the_lost_time_once_and_says_what_it_did(lose, capsys):
    order = lose()
    pay(order.id)
    since = (timezone.now() - HOUR).isoformat()
    for _ in range(2):
        call_command("reconcile_payments", "--lost-since", since)
    assert LostWindow.objects.count() == 1
    said = capsys.readouterr().out
    assert "1 lost, 1 given back" in said and "holds released" in said
    assert refunds_of(order) == [29900]


@pytest.mark.parametrize(
    "time", ["yesterday", "2026-13-01T00:00:00+00:00", "2026-01-01T00:00:00", "2999-01-01T00:00:00Z"]
)
def test_a_time_that_is_none_is_refused_in_words(time):
    with pytest.raises(CommandError, match="takes a past time"):
        call_command("reconcile_payments", "--lost-since", time)
