"""Money that will be refunded: in full, in part, in cash; never more than came in, always with its papers."""

import time
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.points import services as points
from shop.accounts.staff.roles import CONTENT_EDITOR, ORDER_DESK
from shop.cart.models import Coupon
from shop.catalog.models import ReturnReason
from shop.errors import Invalid
from shop.invalidation import subscriptions
from shop.markets.models import Location
from shop.messaging.models import Message
from shop.orders.backoffice.board import board
from shop.orders.models import OrderLine, ReturnRequest
from shop.orders.returns import services as returns
from shop.orders.returns.present import shown
from shop.orders.returns.services import approve, receive, request_return
from shop.orders.shipping import services as shipping
from shop.orders.states import WrongState, move_order
from shop.orders.tests.racing import of_kind, together, without_write_lock
from shop.tests.support.staff import confirm

from ...backoffice import refunds_for_staff
from ...models import Payment, Refund
from ...providers.base import NoAnswer, Refused
from ...providers.razorpay import razorpay
from ...reconciliation.invariants import INVARIANTS
from ...services import cancel, start_payment, verify_payment
from ...simulator.payer import pay
from ..services import issue_due_refunds, key_of, mark_paid_back, retry_refund

pytestmark = pytest.mark.django_db


def broken():
    return {invariant.name: rows for invariant in INVARIANTS if (rows := list(invariant.broken()))}


def paid(order, payment):
    result = pay(payment.razorpay_order_id)
    verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
    )
    order.refresh_from_db()
    return order


def deliver(order):
    for status in ("processing", "shipped", "delivered"):
        move_order(order, status, actor="staff:1")
    order.delivered_at = timezone.now()
    order.save()
    points.earn(order.customer, points.points_for(order.goods_inr), reference=order.number)
    return order


def send_back(order, quantity, *, reason="wrong-item", is_restocked=True, line=None):
    request = request_return(
        line or order.lines.get(), customer=order.customer, kind="refund", reason=reason, quantity=quantity
    )
    approve(request, actor="staff:1")
    return receive(request, actor="staff:1", is_restocked=is_restocked)


@pytest.fixture
def delivered(paying):
    return lambda **more: deliver(paid(*paying(**more)))


def mails(kind="refunded"):
    return list(Message.objects.filter(kind=kind).values_list("text", flat=True))


# --- In full ------------------------------------------------------------------------------------


def test_a_cancelled_order_is_given_back_with_its_credit_note_and_one_mail(paying):
    order = paid(*paying())
    cancel(order, actor="customer")
    for _ in range(3):
        issue_due_refunds()
    refund = Refund.objects.get()
    assert (refund.amount_paise, refund.status) == (order.total_inr * 100, "processed")
    note = order.invoices.get(kind="credit")
    assert note.total_inr == order.total_inr and len(mails()) == 1
    assert "card or account" in mails()[0]
    assert broken() == {}


def test_an_order_refused_at_the_door_is_given_back(paying):
    order = paid(*paying())
    for status in ("processing", "shipped", "returned"):
        move_order(order, status, actor="staff:1")
    issue_due_refunds()
    assert Refund.objects.get().reason == "The order was refused at the door."
    assert order.invoices.get(kind="credit").total_inr == order.total_inr


def test_an_order_returned_after_delivery_is_not_given_back_a_second_time(delivered):
    order = delivered(quantity=2)
    send_back(order, 2)
    for _ in range(2):
        issue_due_refunds()
    order.refresh_from_db()
    assert order.status == "returned"
    issue_due_refunds()
    assert Refund.objects.count() == 1


def test_a_cash_order_that_is_cancelled_has_its_invoice_taken_back(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of)
    cancel(order, actor="customer")
    for _ in range(2):
        issue_due_refunds()
    assert order.invoices.get(kind="credit").total_inr == order.total_inr
    assert not Refund.objects.exists() and mails() == []
    assert broken() == {}


# --- In part ------------------------------------------------------------------------------------


def test_a_return_gives_back_its_units_share_and_our_fault_the_shipping_once(delivered, make_variant):
    order = delivered(variant=make_variant("33.33", units=9), quantity=3)
    line = order.lines.get()
    first = send_back(order, 1)
    issue_due_refunds()
    second = send_back(order, 2)
    issue_due_refunds()
    for request in (first, second):
        request.refresh_from_db()
    assert order.shipping_inr > 0
    assert first.refund_inr == Decimal("33.33") + order.shipping_inr and first.with_shipping
    assert second.refund_inr == Decimal("66.66") and not second.with_shipping
    assert (first.status, second.status) == ("refunded", "refunded")
    assert sum(refund.amount_paise for refund in Refund.objects.all()) == order.total_inr * 100
    assert [len(refund.idempotency_key) >= 10 for refund in Refund.objects.all()] == [True, True]
    payment = Payment.objects.get()
    assert payment.refunded_paise == payment.captured_paise
    assert sum(note.total_inr for note in order.invoices.filter(kind="credit")) == order.total_inr
    assert line.quantity == 3 and len(mails()) == 2
    order.refresh_from_db()
    assert order.status == "returned"
    assert broken() == {}


def test_coupon_and_points_are_shared_to_the_paisa(paying, make_variant, new_buyer, order_of):
    coupon = Coupon.objects.create(code="ODD", kind="amount", amount_inr=Decimal("10.01"))
    variants = {make_variant("99.99", units=9): 3, make_variant("47.77", units=9): 2}
    customer = new_buyer(variants)
    points.earn(customer, 500, reference="ORD-EARLIER00")
    customer.cart.coupon, customer.cart.use_points = coupon, True
    customer.cart.save()
    order = order_of(customer)
    order = deliver(paid(order, start_payment(order)))
    assert order.points_used > 0
    earned, balance = points.points_for(order.goods_inr), points.balance_of(customer)
    for line in order.lines.all():
        for _ in range(line.quantity):
            send_back(order, 1, line=line)
            issue_due_refunds()
    assert sum(refund.amount_paise for refund in Refund.objects.all()) == order.total_inr * 100
    assert points.balance_of(customer) == balance - earned + order.points_used == 500
    assert broken() == {}


def test_what_was_kept_keeps_its_points(delivered, make_variant):
    order = delivered(variant=make_variant("150", units=9), quantity=3)
    assert points.balance_of(order.customer) == 4
    send_back(order, 1)
    issue_due_refunds()
    assert points.balance_of(order.customer) == 3
    order.refresh_from_db()
    assert order.status == "delivered"
    assert broken() == {}


def test_nothing_is_owed_before_it_was_received(delivered):
    order = delivered(quantity=2)
    request = request_return(order.lines.get(), customer=order.customer, kind="refund", reason="wrong-item", quantity=1)
    approve(request, actor="staff:1")
    issue_due_refunds()
    assert not Refund.objects.exists()


def test_refunds_add_up_and_never_exceed_the_capture(delivered):
    order = delivered(quantity=2)
    send_back(order, 1)
    issue_due_refunds()
    ReturnRequest.objects.create(
        line=order.lines.get(), kind="refund", reason=ReturnReason.objects.first(), quantity=1, status="received",
        refund_inr=order.total_inr, received_at=timezone.now(),
    )  # fmt: skip
    issue_due_refunds()
    payment = Payment.objects.get()
    assert payment.refunds.count() == 2
    assert payment.refunded_paise == payment.captured_paise


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_many_workers_write_one_refund(paying, transactional_db):
    order = paid(*paying())
    cancel(order, actor="customer")
    results = together([issue_due_refunds] * 12)
    assert of_kind(results, Exception) == []
    assert Refund.objects.count() == 1 == len(mails())
    assert order.invoices.filter(kind="credit").count() == 1
    assert broken() == {}


def receive_two_at_once(delivered):
    """Whether both were received, and the shipping is given back once."""
    order = delivered(quantity=2)
    ask = {"customer": order.customer, "kind": "refund", "reason": "wrong-item", "quantity": 1}
    requests = [request_return(order.lines.get(), **ask) for _ in range(2)]
    for request in requests:
        approve(request, actor="staff:1")
    together([partial(receive, request, actor="staff:1", is_restocked=False) for request in requests])
    return sorted(ReturnRequest.objects.filter(line__order=order).values_list("status", "with_shipping")) == [
        ("received", False), ("received", True),
    ]  # fmt: skip


@pytest.fixture
def slow_look(monkeypatch):
    look = returns._refunds_shipping

    def look_and_wait(order, *asked):
        answer = look(order, *asked)
        time.sleep(0.3)
        return answer

    monkeypatch.setattr(returns, "_refunds_shipping", look_and_wait)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_returns_received_at_once_give_the_shipping_back_once(delivered, slow_look, transactional_db):
    assert receive_two_at_once(delivered)
    issue_due_refunds()
    assert broken() == {}


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_orders_lock_they_would_not(delivered, slow_look, monkeypatch, transactional_db):
    """Negative control."""
    without_write_lock(monkeypatch)
    assert not receive_two_at_once(delivered)


# --- Failed refunds -----------------------------------------------------------------------------


def test_a_failed_refund_is_tried_again_under_a_key_of_its_own(paying, monkeypatch):
    order = paid(*paying())
    cancel(order, actor="customer")
    monkeypatch.setattr(razorpay, "refund", refuse)
    issue_due_refunds()
    failed = Refund.objects.get()
    assert failed.status == "failed"
    monkeypatch.undo()
    issue_due_refunds()
    assert Refund.objects.count() == 1  # not by itself
    [to_desk] = Message.objects.filter(kind="desk_refund")
    assert to_desk.to == settings.ORDER_DESK_EMAIL and f"/refund/{failed.pk}/" in to_desk.text
    again = retry_refund(failed)
    issue_due_refunds()
    again.refresh_from_db()
    assert again.status == "processed" and again.idempotency_key != failed.idempotency_key
    with pytest.raises(WrongState):
        retry_refund(failed)
    assert len(mails()) == 1 and order.invoices.filter(kind="credit").count() == 1
    assert Payment.objects.get().refunded_paise == order.total_inr * 100
    assert broken() == {}


def refuse(*args, **what):
    raise Refused("The payment is too old.")


def test_a_refund_of_a_payment_that_the_provider_does_not_know_fails_and_can_be_made_by_hand(paying, monkeypatch):
    """It was paid to another account of the shop."""
    order = paid(*paying())
    cancel(order, actor="customer")
    for name in ("refund", "refunds_of"):
        monkeypatch.setattr(razorpay, name, refuse)
    issue_due_refunds()
    refund = Refund.objects.get()
    assert refund.status == "failed" and Message.objects.filter(kind="desk_refund").count() == 1
    mark_paid_back(refund, reference="UTR 7", actor="staff:1")
    assert "Q19" not in broken()


def test_a_refund_waits_for_a_provider_that_says_nothing_of_it(paying, monkeypatch):
    cancel(paid(*paying()), actor="customer")

    def hang(*args):
        raise NoAnswer("timed out")

    monkeypatch.setattr(razorpay, "refund", refuse)
    monkeypatch.setattr(razorpay, "refunds_of", hang)
    issue_due_refunds()
    assert Refund.objects.get().status == "requested"


def test_what_the_provider_never_gives_back_is_transferred_by_hand_once(delivered, make_variant):
    """It refuses less than one rupee."""
    order = delivered(variant=make_variant(price="99.90", units=9), quantity=2)
    OrderLine.objects.filter(order=order).update(reduction_inr="198.80", reduction_amt="198.80")
    ReturnReason.objects.update(is_our_fault=False)
    send_back(order, 1)
    issue_due_refunds()
    refund = Refund.objects.get()
    assert (refund.amount_paise, refund.status) == (50, "failed")
    mark_paid_back(refund, reference="UTR 7", actor="staff:1")
    assert Payment.objects.get().refunded_paise == 50
    assert any("UTR 7" in mail for mail in mails())
    for again in (lambda: mark_paid_back(refund, reference="UTR 8", actor="staff:1"), lambda: retry_refund(refund)):
        with pytest.raises(WrongState):
            again()
    issue_due_refunds()
    assert Refund.objects.count() == 1 and "Q19" not in broken()


def test_a_refund_is_not_taken_for_another_one_of_the_same_amount(delivered, monkeypatch):
    """The first one's answer is lost, and the second is refused while the first is in progress."""
    order = delivered(quantity=2)
    send_back(order, 1)
    second = send_back(order, 1)
    ReturnRequest.objects.update(refund_inr=Decimal(250), with_shipping=False)
    ask = razorpay.refund

    def answer(*, key, **what):
        if key == key_of(second):
            raise Refused("Another refund is still in progress.")
        ask(key=key, **what)
        raise NoAnswer("cut off")

    monkeypatch.setattr(razorpay, "refund", answer)
    for _ in range(9):  # in any order
        issue_due_refunds()
    assert not Refund.objects.filter(razorpay_refund_id__isnull=False).exists()
    monkeypatch.undo()
    assert issue_due_refunds() == 2
    assert Refund.objects.values("razorpay_refund_id").distinct().count() == 2
    assert broken() == {}


def test_a_provider_that_does_not_answer_is_asked_once_a_run(paying, monkeypatch):
    """Each question may take ten seconds, and the other jobs of the clock wait meanwhile."""
    for _ in range(3):
        cancel(paid(*paying()), actor="customer")
    asked = []

    def hang(**what):
        asked.append(what)
        raise NoAnswer("timed out")

    monkeypatch.setattr(razorpay, "refund", hang)
    assert issue_due_refunds() == 0
    assert len(asked) == 1
    monkeypatch.undo()
    assert issue_due_refunds() == 3


# --- Cash ---------------------------------------------------------------------------------------


def cash_order(make_variant, new_buyer, order_of, quantity=1):
    Location.objects.filter(pk=1).update(cash_on_delivery_max=Decimal(5000))
    subscriptions.reset()
    return order_of(new_buyer({make_variant("250", units=9): quantity}), payment_method="cash")


@pytest.fixture
def cash_delivered(make_variant, new_buyer, order_of):
    return deliver(cash_order(make_variant, new_buyer, order_of, quantity=2))


def test_cash_is_written_down_once_when_it_was_delivered(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of)
    issue_due_refunds()
    assert not Payment.objects.exists()
    deliver(order)
    for _ in range(2):
        issue_due_refunds()
    payment = Payment.objects.get()
    assert (payment.method, payment.status, payment.receipt) == ("cash", "captured", f"cash-{order.number}")
    assert payment.captured_paise == order.total_inr * 100
    assert broken() == {}


def test_cash_is_paid_back_by_hand_with_a_reference(cash_delivered):
    request = send_back(cash_delivered, 1)
    issue_due_refunds()
    refund = Refund.objects.get()
    request.refresh_from_db()
    assert (refund.status, request.status, mails()) == ("requested", "received", [])
    assert cash_delivered.invoices.filter(kind="credit").count() == 1
    with pytest.raises(Invalid):
        mark_paid_back(refund, reference=" ", actor="staff:1")
    mark_paid_back(refund, reference="NEFT 4711", actor="staff:1")
    with pytest.raises(WrongState):
        mark_paid_back(refund, reference="NEFT 4712", actor="staff:1")
    request.refresh_from_db()
    assert (refund.status, refund.reference, request.status) == ("processed", "NEFT 4711", "refunded")
    assert len(mails()) == 1 and "NEFT 4711" in mails()[0]
    assert Payment.objects.get().refunded_paise == refund.amount_paise
    assert broken() == {}


def test_a_return_of_cash_that_was_not_written_down_yet_waits_for_it(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=2)
    line = order.lines.get()
    shipping.deliver(shipping.ship(order, {line.pk: 1}, actor="staff:1"), actor="staff:1")
    send_back(order, 1)
    ReturnRequest.objects.update(received_at=timezone.now() - timedelta(hours=1))
    issue_due_refunds()
    assert broken() == {} and not Refund.objects.exists()
    shipping.deliver(shipping.ship(order, actor="staff:1"), actor="staff:1")
    assert "Q19" in broken()
    issue_due_refunds()
    assert Refund.objects.get().status == "requested" and broken() == {}


def test_cash_of_a_parcel_that_was_refused_at_the_door_was_never_collected(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=2)
    line = order.lines.get()
    for arrive in (shipping.deliver, shipping.refuse):
        arrive(shipping.ship(order, {line.pk: 1}, actor="staff:1"), actor="staff:1")
    assert shown(ReturnRequest.objects.get()).words == "It's on its way back to us."
    receive(ReturnRequest.objects.get(), actor="staff:1", is_restocked=True)
    issue_due_refunds()
    refund = Refund.objects.get()
    assert (refund.status, refund.reference, refund.amount_paise) == ("processed", "Never collected", 25000)
    assert ReturnRequest.objects.get().status == "refunded" and not mails()
    assert shown(ReturnRequest.objects.get()).words == "You didn't pay for this, so there is nothing to refund."
    assert order.invoices.filter(kind="credit").count() == 1
    with pytest.raises(WrongState):
        mark_paid_back(refund, reference="UTR 9", actor="staff:1")
    assert broken() == {}


def test_the_providers_refunds_are_not_marked_by_hand(paying):
    cancel(paid(*paying()), actor="customer")
    issue_due_refunds()
    with pytest.raises(WrongState):
        mark_paid_back(Refund.objects.get(), reference="x", actor="staff:1")


# --- The desk -----------------------------------------------------------------------------------


@pytest.fixture
def office():
    def member(role):
        person = Customer.objects.create_user(f"{role[:5].strip()}@example.com", "pw", name="Desk", is_staff=True)
        person.groups.add(Group.objects.get(name=role))
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(person)
        return client

    return member


def act(client, action, refund, words=""):
    """Asks for it in the list, and answers the page that asks back."""
    data = {"action": action, "_selected_action": [refund.pk], "words": words}
    answer = client.post(reverse("admin:payments_refund_changelist"), data)
    is_asked = answer.status_code == 200 and "kept" in answer.context
    return confirm(client, answer, words=words) if is_asked else answer


def test_the_desk_marks_cash_as_paid_back(cash_delivered, office):
    send_back(cash_delivered, 1)
    issue_due_refunds()
    refund = Refund.objects.get()
    desk = office(ORDER_DESK)
    act(desk, "paid_back", refund)
    refund.refresh_from_db()
    assert refund.status == "requested"
    act(desk, "paid_back", refund, "NEFT 1")
    refund.refresh_from_db()
    assert (refund.status, refund.reference) == ("processed", "NEFT 1")


def test_the_desk_tries_a_failed_refund_again(paying, office, monkeypatch):
    cancel(paid(*paying()), actor="customer")
    monkeypatch.setattr(razorpay, "refund", refuse)
    issue_due_refunds()
    act(office(ORDER_DESK), "try_again", Refund.objects.get(), "The bank is back")
    assert list(Refund.objects.order_by("pk").values_list("status", flat=True)) == ["failed", "requested"]


def test_nobody_else_moves_money(cash_delivered, office):
    send_back(cash_delivered, 1)
    issue_due_refunds()
    refund = Refund.objects.get()
    assert act(office(CONTENT_EDITOR), "paid_back", refund, "NEFT 1").status_code == 403
    watcher = office(ORDER_DESK)
    Group.objects.get(name=ORDER_DESK).permissions.remove(
        *Group.objects.get(name=ORDER_DESK).permissions.filter(codename="change_refund")
    )
    act(watcher, "paid_back", refund, "NEFT 1")
    refund.refresh_from_db()
    assert refund.status == "requested"


def step_of(refund, name):
    return reverse("admin:payments_refund_step", args=[refund.pk, name])


def test_cash_waits_on_the_board_and_is_paid_back_from_its_orders_page(cash_delivered, office):
    send_back(cash_delivered, 1)
    issue_due_refunds()
    refund, desk = Refund.objects.get(), office(ORDER_DESK)
    page = reverse("admin:orders_order_change", args=[cash_delivered.pk])
    waiting = {stack.column.key: [card.order for card in stack.cards] for stack in board()}
    assert waiting["refunds"] == [cash_delivered]
    assert step_of(refund, "paid_back") in desk.get(page).content.decode()
    for words, status in (("", "requested"), ("NEFT 7", "processed"), ("NEFT 8", "processed")):
        answer = desk.post(step_of(refund, "paid_back"), {"words": words})
        if status == "requested" or words == "NEFT 7":
            answer = confirm(desk, answer, words=words)
        if not words:
            assert answer.status_code == 422 and "Enter the transfer reference." in answer.content.decode()
            continue
        assert (answer.status_code, answer["Location"]) == (302, f"{page}#money")
        refund.refresh_from_db()
        assert refund.status == status
    assert refund.reference == "NEFT 7"
    shown = desk.get(page).content.decode()
    assert "This has already been refunded." in shown and step_of(refund, "paid_back") not in shown
    assert all(stack.column.key != "refunds" or not stack.count for stack in board())


def test_a_refund_that_failed_waits_on_the_board_until_it_is_tried_again(paying, office, monkeypatch):
    order = cancel(paid(*paying()), actor="customer")
    monkeypatch.setattr(razorpay, "refund", refuse)
    issue_due_refunds()
    assert refunds_for_staff().count() == 1
    desk = office(ORDER_DESK)
    confirm(desk, desk.post(step_of(Refund.objects.get(), "try_again")), words="The bank is back")
    assert refunds_for_staff().count() == 0
    page = desk.get(reverse("admin:orders_order_change", args=[order.pk])).content.decode()
    assert "It is sent to the provider within a minute." in page
    issue_due_refunds()
    assert list(refunds_for_staff()) == [Refund.objects.latest("pk")]


def test_nobody_else_takes_a_step_with_a_refund(cash_delivered, office):
    send_back(cash_delivered, 1)
    issue_due_refunds()
    refund, desk = Refund.objects.get(), office(ORDER_DESK)
    assert office(CONTENT_EDITOR).post(step_of(refund, "paid_back"), {"words": "x"}).status_code == 403
    assert desk.get(step_of(refund, "paid_back")).status_code == 405
    assert desk.post(step_of(refund, "dance")).status_code == 404
    refund.refresh_from_db()
    assert refund.status == "requested"
