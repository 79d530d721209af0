from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from shop.cart.models import Cart
from shop.catalog.models import Variant
from shop.errors import NotFound, ProviderDown, VerificationFailed
from shop.jobs.models import FailedRow
from shop.messaging.models import Message
from shop.orders.models import Order
from shop.orders.placing.services import cancel_order

from ...models import Payment, Refund, StrayCapture
from ...providers.base import NoAnswer, Refused
from ...providers.keys import checkout_signature, current_keys
from ...providers.razorpay import razorpay
from ...refunds.services import issue_due_refunds
from ...services import PaymentIncomplete, cancel, start_payment, verify_payment
from ...simulator.faults import plan
from ...simulator.payer import move_payment, pay
from .. import jobs
from ..jobs import expire_holds, reconcile
from ..settlement import settle


def verify(result, **changes):
    given = {
        "razorpay_order_id": result.razorpay_order_id,
        "razorpay_payment_id": result.razorpay_payment_id,
        "signature": result.razorpay_signature,
    }
    return verify_payment(**(given | changes))


def stock_of(variant):
    return Variant.objects.values_list("on_hand", "held", "sold").get(pk=variant.pk)


def status_of(order):
    return Order.objects.values_list("status", flat=True).get(pk=order.pk)


def let_expire(order):
    Order.objects.filter(pk=order.pk).update(hold_expires_at=timezone.now() - timedelta(seconds=1))


def test_a_payment_places_the_order_sells_its_stock_and_empties_the_cart(paying, make_variant):
    variant = make_variant(price="250", units=10)
    order, payment = paying(variant, 2)
    settled = verify(pay(payment.razorpay_order_id), customer=order.customer)
    assert settled.status == "captured"
    assert settled.captured_paise == order.total_inr * 100
    assert status_of(order) == "placed"
    assert stock_of(variant) == (8, 0, 2)
    assert not order.customer.cart.lines.exists()
    assert Message.objects.get(kind="order_placed").to == order.customer.email


def test_twice_is_once(paying):
    order, payment = paying()
    result = pay(payment.razorpay_order_id)
    for _ in range(3):
        assert verify(result).status == "captured"
        settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert Message.objects.filter(kind="order_placed").count() == 1
    assert order.events.filter(status_to="placed").count() == 1
    assert not StrayCapture.objects.exists()


def test_a_wrong_signature_changes_no_row(paying):
    order, payment = paying()
    result = pay(payment.razorpay_order_id)
    for signature in ("", "0" * 64, result.razorpay_signature[:-1] + "x", "é", result.razorpay_signature.upper()):
        with pytest.raises(VerificationFailed):
            verify(result, signature=signature)
    assert status_of(order) == "pending"


def test_the_signature_of_another_order_pays_nothing(paying):
    order, payment = paying()
    other, other_payment = paying()
    result = pay(other_payment.razorpay_order_id)
    with pytest.raises(VerificationFailed):
        verify(result, razorpay_order_id=payment.razorpay_order_id)
    # Even signed for this order, money that belongs to the other one does not pay this one.
    signature = checkout_signature(payment.razorpay_order_id, result.razorpay_payment_id, current_keys().key_secret)
    with pytest.raises(PaymentIncomplete):
        verify(result, razorpay_order_id=payment.razorpay_order_id, signature=signature)
    assert (status_of(order), status_of(other)) == ("pending", "pending")


def test_the_order_of_another_customer_is_not_found(paying):
    (order, payment), (stranger, _) = paying(), paying()
    with pytest.raises(NotFound):
        verify(pay(payment.razorpay_order_id), customer=stranger.customer)
    assert status_of(order) == "pending"


@pytest.mark.parametrize("paisa", [-1, 1])
def test_money_that_is_a_paisa_off_pays_nothing_and_goes_back(paying, paisa):
    order, payment = paying()
    result = pay(payment.razorpay_order_id, amount=payment.amount_paise + paisa)
    with pytest.raises(PaymentIncomplete):
        verify(result)
    assert status_of(order) == "pending"
    issue_due_refunds()
    assert Refund.objects.get().amount_paise == payment.amount_paise + paisa
    assert issue_due_refunds() == 0


def test_another_currency_pays_nothing(paying):
    order, payment = paying()
    with pytest.raises(PaymentIncomplete):
        verify(pay(payment.razorpay_order_id, currency="USD"))
    assert status_of(order) == "pending"


def test_authorized_money_is_captured_and_pays(paying):
    order, payment = paying()
    assert verify(pay(payment.razorpay_order_id, until="authorized")).status == "captured"
    assert status_of(order) == "placed"


@pytest.mark.parametrize("until", ["created", "failed"])
def test_what_is_not_captured_pays_nothing(paying, until):
    order, payment = paying()
    with pytest.raises(PaymentIncomplete):
        verify(pay(payment.razorpay_order_id, until=until))
    assert status_of(order) == "pending"


def test_a_failed_payment_is_told_once_while_the_order_is_unpaid(paying):
    order, payment = paying()
    for second in (False, True):
        failed = pay(payment.razorpay_order_id, until="failed", second=second)
        settle(failed.razorpay_order_id, failed.razorpay_payment_id)
    assert Message.objects.filter(key=f"payment_failed:{order.number}").count() == 1


def test_captured_after_failed_pays_and_failed_after_captured_is_ignored(paying):
    order, payment = paying()
    result = pay(payment.razorpay_order_id, until="failed")
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert Payment.objects.get(pk=payment.pk).failure == "payment_cancelled"
    move_payment(result.razorpay_payment_id, "captured")
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert status_of(order) == "placed"
    failed = pay(payment.razorpay_order_id, until="failed", second=True)
    settle(failed.razorpay_order_id, failed.razorpay_payment_id)
    assert Payment.objects.get(pk=payment.pk).status == "captured"


def test_a_second_capture_goes_back_in_full_once(paying):
    _, payment = paying()
    verify(pay(payment.razorpay_order_id))
    second = pay(payment.razorpay_order_id, second=True)
    for _ in range(2):
        settle(second.razorpay_order_id, second.razorpay_payment_id)
        issue_due_refunds()
    assert Refund.objects.get().razorpay_payment_id == second.razorpay_payment_id
    assert razorpay.fetch(second.razorpay_payment_id).status == "refunded"
    assert Payment.objects.get(pk=payment.pk).refunded_paise == 0
    assert Message.objects.filter(kind="money_returned").count() == 1


def test_late_money_takes_the_stock_again(paying, make_variant):
    variant = make_variant(price="250", units=3)
    order, payment = paying(variant, 2)
    let_expire(order)
    assert expire_holds() == 1
    assert stock_of(variant) == (3, 0, 0)
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert status_of(order) == "placed"
    assert stock_of(variant) == (1, 0, 2)


def test_late_money_promises_delivery_anew(paying):
    order, payment = paying()
    created, promised = timezone.now() - timedelta(days=4), timezone.localdate() - timedelta(days=1)
    Order.objects.filter(pk=order.pk).update(created_at=created, expected_delivery=promised)
    let_expire(order)
    expire_holds()
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert Order.objects.get(pk=order.pk).expected_delivery == promised + timedelta(days=4)


def test_late_money_without_stock_goes_back(paying, make_variant, caplog):
    variant = make_variant(price="250", units=2)
    order, payment = paying(variant, 2)
    let_expire(order)
    expire_holds()
    Variant.objects.filter(pk=variant.pk).update(on_hand=0, sold=2)
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert status_of(order) == "cancelled"
    assert Payment.objects.get(pk=payment.pk).status == "refused"
    assert issue_due_refunds() == 1
    assert Payment.objects.get(pk=payment.pk).refunded_paise == payment.amount_paise
    assert "sold out" in Message.objects.get(kind="money_returned").text
    assert f"payment {result.razorpay_payment_id} of {order.number} goes back: it came after" in caplog.text


def test_money_for_an_order_the_customer_gave_up_goes_back(paying):
    order, payment = paying()
    cancel(order, actor="customer")
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert issue_due_refunds() == 1
    assert status_of(order) == "cancelled"


def test_money_for_an_order_the_desk_gave_up_goes_back(paying):
    order, payment = paying()
    cancel_order(order, actor="staff:1")
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert status_of(order) == "cancelled"
    assert issue_due_refunds() == 1


def test_late_money_whose_coupon_is_no_more_goes_back(make_variant, new_buyer, order_of, make_coupon):
    buyer, coupon = new_buyer({make_variant(price="250"): 1}), make_coupon("TEN", percent=10)
    Cart.objects.filter(customer=buyer).update(coupon=coupon)
    order = order_of(buyer)
    payment = start_payment(order)
    let_expire(order)
    expire_holds()
    coupon.delete()
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    assert (status_of(order), Payment.objects.get().status) == ("cancelled", "refused")
    assert issue_due_refunds() == 1


def test_a_paid_order_that_is_cancelled_is_paid_back_once(paying, make_variant):
    variant = make_variant(price="250", units=3)
    order, payment = paying(variant, 3)
    verify(pay(payment.razorpay_order_id))
    order.refresh_from_db()
    cancel(order, actor="customer")
    plan("POST", "/v1/payments/.*/refund", "lost_answer")
    assert issue_due_refunds() == 0
    assert issue_due_refunds() == 1
    assert issue_due_refunds() == 0
    assert Refund.objects.get().status == "processed"
    assert stock_of(variant) == (3, 0, 0)
    assert Payment.objects.get(pk=payment.pk).refunded_paise == payment.amount_paise


def test_a_hold_is_given_up_only_after_asking(paying):
    order, payment = paying()
    pay(payment.razorpay_order_id)
    let_expire(order)
    assert expire_holds() == 0
    assert status_of(order) == "placed"


def test_a_hold_is_given_up_while_the_provider_is_down(paying):
    order, _ = paying()
    let_expire(order)
    plan("GET", "/v1/orders/.*", "refused")
    assert expire_holds() == 1
    assert status_of(order) == "cancelled"


def test_reconcile_finds_what_no_callback_told(paying):
    order, payment = paying()
    pay(payment.razorpay_order_id)
    assert reconcile()["asked"] == 1
    assert status_of(order) == "placed"
    assert reconcile()["asked"] == 0


def test_reconcile_stops_while_the_provider_is_down(paying):
    order, payment = paying()
    pay(payment.razorpay_order_id)
    plan("GET", "/v1/orders/.*", "error")
    assert reconcile() == {"asked": 0, "unanswered": 1}
    assert reconcile()["asked"] == 1
    assert status_of(order) == "placed"


@pytest.fixture
def unknown(paying, monkeypatch):
    """The oldest of three payments that are due was made with other keys; says which, and the others' orders."""
    (first, payment), *others = [paying() for _ in range(3)]
    for _, other in others:
        pay(other.razorpay_order_id)
    Payment.objects.filter(pk=payment.pk).update(check_at=timezone.now() - timedelta(hours=1))
    ask = razorpay.payments_of

    def answer(order_id):
        if order_id == payment.razorpay_order_id:
            raise Refused("The id provided does not exist")
        return ask(order_id)

    monkeypatch.setattr(razorpay, "payments_of", answer)
    return first, [order for order, _ in others]


def test_a_payment_that_the_provider_does_not_know_keeps_no_other_waiting(unknown):
    first, others = unknown
    assert reconcile() == {"asked": 2, "unanswered": 0}
    assert [status_of(order) for order in (first, *others)] == ["pending", "placed", "placed"]
    assert FailedRow.objects.get().chore == "reconcile"
    assert first.payments.get().check_at > timezone.now()


def test_before_holds_end_each_order_is_asked_after_although_one_is_unknown(unknown):
    first, others = unknown
    Order.objects.update(hold_expires_at=timezone.now() - timedelta(seconds=1))
    Order.objects.filter(pk=first.pk).update(hold_expires_at=timezone.now() - timedelta(seconds=9))
    assert expire_holds() == 1
    assert [status_of(order) for order in (first, *others)] == ["cancelled", "placed", "placed"]


def test_after_a_restore_the_command_asks_about_each_payment_however_many(paying, monkeypatch):
    """One round of the clock asks about a batch."""
    monkeypatch.setattr(jobs, "BATCH", 1)
    orders = []
    for _ in range(3):
        order, payment = paying()
        pay(payment.razorpay_order_id)
        orders.append(order)
    call_command("reconcile_payments")
    assert sorted(status_of(order) for order in orders) == ["pending", "pending", "placed"]
    call_command("reconcile_payments", "--all")
    assert {status_of(order) for order in orders} == {"placed"}


def test_what_was_paid_is_asked_about_less_often_than_what_may_still_be(paying):
    """A paid order takes no other payment; one that failed may still succeed at the bank."""
    (_, paid), (_, failed) = paying(), paying()
    pay(paid.razorpay_order_id)
    pay(failed.razorpay_order_id, until="failed")
    Payment.objects.update(created_at=timezone.now() - timedelta(days=2))
    reconcile()
    pauses = [Payment.objects.get(pk=row.pk).check_at - timezone.now() for row in (paid, failed)]
    assert pauses[0] > timedelta(hours=4) and pauses[1] < timedelta(minutes=16)


def test_a_payment_that_is_never_answered_does_not_keep_the_others_waiting(paying, monkeypatch):
    (_, odd), (order, payment) = paying(), paying()
    pay(payment.razorpay_order_id)
    ask = razorpay.payments_of

    def answer(razorpay_order_id):
        if razorpay_order_id == odd.razorpay_order_id:
            raise NoAnswer("The answer is no list.")
        return ask(razorpay_order_id)

    monkeypatch.setattr(razorpay, "payments_of", answer)
    assert reconcile() == {"asked": 0, "unanswered": 1}
    assert reconcile() == {"asked": 1, "unanswered": 1}
    assert status_of(order) == "placed"


@pytest.mark.parametrize("fault", ["lost_answer", "cut_off", "refused", "busy", "error", "html", "nonsense"])
def test_an_unanswered_question_changes_nothing(paying, fault):
    order, payment = paying()
    result = pay(payment.razorpay_order_id)
    plan("GET", "/v1/payments/.*", fault)
    with pytest.raises(ProviderDown):
        verify(result)
    assert status_of(order) == "pending"
    assert verify(result).status == "captured"


def test_with_keys_set_a_simulated_signature_pays_nothing(paying, settings):
    order, payment = paying()
    result = pay(payment.razorpay_order_id)
    settings.SIMULATED_GATEWAY = False
    settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_test_real", "secret"
    with pytest.raises(NotFound):
        verify(result)
    Payment.objects.update(simulated=False)
    with pytest.raises(VerificationFailed):
        verify(result)
    assert status_of(order) == "pending"


def test_the_provider_is_never_called_inside_a_transaction(paying):
    with transaction.atomic(), pytest.raises(RuntimeError):
        razorpay.find_order("x")
    assert settings.SIMULATED_GATEWAY


def test_an_expired_hold_cannot_be_paid_for(paying):
    order, _ = paying()
    let_expire(order)
    with pytest.raises(Exception, match="time to pay"):
        start_payment(order)
    cancel_order(order, actor="shop")
    with pytest.raises(Exception, match="time to pay"):
        start_payment(order)
