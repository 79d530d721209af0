"""Units of single lines that are cancelled before packing: stock, money, points and papers follow, once."""

import re
from decimal import Decimal
from functools import partial
from html import unescape
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.points import services as points
from shop.accounts.staff.roles import ORDER_DESK
from shop.catalog.models import Variant
from shop.errors import Invalid, NotFound
from shop.invalidation import subscriptions
from shop.markets.models import Slab
from shop.messaging.models import Message
from shop.money import INR, display
from shop.orders.backoffice.board import board
from shop.orders.backoffice.customer_admin import with_orders
from shop.orders.backoffice.export import rows_of
from shop.orders.backoffice.tests.test_order_admin import staff
from shop.orders.models import Order, OrderLine, ReturnRequest
from shop.orders.notifications import queue_confirmation_again
from shop.orders.placing.address_change import change_address
from shop.orders.placing.services import cancel_order
from shop.orders.returns import cancellation
from shop.orders.returns.cancellation import TOO_LATE, cancel_units
from shop.orders.returns.services import approve, due_on, receive, request_return
from shop.orders.shipping.services import deliver_all, left_to_ship, refuse_all, ship
from shop.orders.states import WrongState, move_order
from shop.orders.tests.racing import of_kind, together, without_write_lock
from shop.reports.figures import top_products
from shop.reports.periods import Period
from shop.reports.waiting import WAITING

from ...backoffice import refunds_for_staff
from ...models import Payment, Refund
from ...providers.base import Refused
from ...providers.razorpay import razorpay
from ...services import start_payment
from ..services import issue_due_refunds, mark_paid_back, retry_refund
from .test_refunds import broken, cash_order, paid

pytestmark = pytest.mark.django_db
ME = "customer"


@pytest.fixture
def bought(make_variant, new_buyer, order_of):
    """bought(3, 1): a paid order with so many units of a line each, at 100 rupees."""

    def make(*units):
        order = order_of(new_buyer({make_variant("100", units=9): count for count in units}))
        return paid(order, start_payment(order))

    return make


def line_of(order, at=0):
    return order.lines.order_by("pk")[at]


def fresh(order):
    return Order.objects.get(pk=order.pk)


def refunds_of(order):
    return sorted(Refund.objects.filter(payment__order=order).values_list("amount_paise", flat=True))


def settle():
    for _ in range(2):
        issue_due_refunds()


def text_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def browser_of(order):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(order.customer)
    return client


# --- What follows ---------------------------------------------------------------------------------


@pytest.mark.database
def test_cancelled_units_go_back_on_sale_and_are_refunded_once_with_a_credit_note(bought):
    order = bought(3, 1)
    line = line_of(order)
    for _ in range(3):  # a repetition cancels nothing more
        cancel_units(order, {line.pk: 2}, actor=ME)
        settle()
    line.refresh_from_db()
    assert (line.quantity, line.cancelled, fresh(order).status) == (3, 2, "placed")
    assert Variant.objects.get(pk=line.variant_id).sold == 1
    assert refunds_of(order) == [200_00]
    note = order.invoices.get(kind="credit")
    assert (note.total_inr, note.content["rows"][0]["quantity"]) == (200, 2)
    assert sorted(left_to_ship(order).values()) == [1, 1]
    assert Message.objects.filter(kind="order_items_cancelled").count() == 1
    assert Message.objects.filter(kind="refunded").count() == 1
    assert broken() == {}


def test_units_cancelled_one_by_one_add_up_to_the_paisa(bought):
    order = bought(3, 1)
    line = line_of(order)
    OrderLine.objects.filter(pk=line.pk).update(reduction_inr="0.01")
    Order.objects.filter(pk=order.pk).update(coupon_inr="0.01")
    for total in (1, 2, 3):
        cancel_units(order, {line.pk: total}, actor=ME)
    amounts = ReturnRequest.objects.filter(line=line).values_list("refund_inr", flat=True)
    assert sum(amounts) == Decimal("299.99")


def test_the_last_unit_cancels_the_whole_order_with_its_shipping(bought):
    order = bought(2, 1)
    assert order.shipping_inr
    first, second = line_of(order), line_of(order, 1)
    cancel_units(order, {first.pk: 1}, actor=ME)
    cancel_units(order, {first.pk: 2, second.pk: 1}, actor=ME)
    assert fresh(order).status == "cancelled"
    settle()
    assert refunds_of(order) == [100_00, int(order.total_inr * 100) - 100_00]
    assert sum(note.total_inr for note in order.invoices.filter(kind="credit")) == order.total_inr
    assert Variant.objects.filter(sold__gt=0).count() == 0
    assert broken() == {}


def test_a_free_unit_that_is_cancelled_last_ends_the_papers_too(make_variant, make_coupon, new_buyer, order_of):
    Slab.objects.all().delete()
    subscriptions.reset()
    dear, gift = make_variant("100", units=9), make_variant("50", units=9)
    make_coupon("GIFT", percent=100, products=[gift.product], is_automatic=True)
    order = order_of(new_buyer({dear: 1, gift: 1}))
    paid(order, start_payment(order))
    assert order.total_inr == 100
    for variant in (dear, gift):
        cancel_units(fresh(order), {order.lines.get(variant=variant).pk: 1}, actor=ME)
        settle()
    assert fresh(order).status == "cancelled" and refunds_of(order) == [100_00]
    assert broken() == {}


def test_a_whole_order_cancelled_afterwards_gives_back_the_rest_alone(bought):
    order = bought(2)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    cancel_order(order, actor=ME)  # before the worker wrote the first refund
    settle()
    assert sum(refunds_of(order)) == order.total_inr * 100
    assert not ReturnRequest.objects.exclude(status="refunded").exists()
    assert broken() == {}


@pytest.mark.database
@pytest.mark.parametrize("ending", ["cancelled", "refused at the door"])
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_refund_that_failed_is_owed_once_where_the_whole_order_ends_later(bought, monkeypatch, ending, by_hand):
    order = bought(3, 1)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    with monkeypatch.context() as patch:
        patch.setattr(type(razorpay), "refund", Mock(side_effect=Refused("declined")))
        settle()
    failed = Refund.objects.get()
    assert failed.status == "failed"
    if ending == "cancelled":
        cancel_order(fresh(order), actor=ME)
    else:
        ship(order, actor="staff:1")
        refuse_all(order, actor="staff:1")
    settle()
    rest = int(order.total_inr * 100) - 100_00
    assert refunds_of(order) == [100_00, rest]
    if by_hand:
        mark_paid_back(failed, reference="UTR 1", actor="staff:1")
    else:
        retry_refund(failed, actor="staff:1")
    settle()
    given = Refund.objects.filter(payment__order=order, status="processed")
    assert sorted(given.values_list("amount_paise", flat=True)) == [100_00, rest]
    assert Payment.objects.get().refunded_paise == order.total_inr * 100
    assert sum(note.total_inr for note in order.invoices.filter(kind="credit")) == order.total_inr
    assert broken() == {}


@pytest.mark.database
def test_each_refund_that_failed_waits_for_staff_until_it_is_tried_again(bought, monkeypatch):
    order = bought(3, 1)
    with monkeypatch.context() as patch:
        patch.setattr(type(razorpay), "refund", Mock(side_effect=Refused("declined")))
        for total in (1, 2):  # of one line, for one reason
            cancel_units(order, {line_of(order).pk: total}, actor=ME)
            settle()
        first, second = Refund.objects.order_by("pk")
        assert set(refunds_for_staff()) == {first, second}
        again = retry_refund(first, actor="staff:1")
        assert set(refunds_for_staff()) == {second}
        settle()
        assert set(refunds_for_staff()) == {again, second}
    retry_refund(again, actor="staff:1")
    settle()
    assert set(refunds_for_staff()) == {second}
    assert Payment.objects.get().refunded_paise == 100_00
    assert list(broken()) == ["Q19"]  # the second is still owed


def test_points_go_back_with_their_units_and_none_are_earned_for_them(make_variant, new_buyer, order_of):
    buyer = new_buyer({make_variant("500", units=9): 4})
    points.earn(buyer, 100, reference="ORD-EARLIER00")
    type(buyer.cart).objects.filter(pk=buyer.cart.pk).update(use_points=True)
    order = order_of(buyer)
    order = paid(order, start_payment(order))
    assert order.points_used == 100
    cancel_units(order, {line_of(order).pk: 2}, actor=ME)
    assert points.balance_of(buyer) == 50
    settle()
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    kept = points.points_for(fresh(order).due_inr - order.shipping_inr)
    assert points.balance_of(buyer) == 50 + kept
    assert broken() == {}


def test_points_are_given_back_once_where_the_whole_order_ends_later(make_variant, new_buyer, order_of):
    buyer = new_buyer({make_variant("500", units=9): 4})
    points.earn(buyer, 100, reference="ORD-EARLIER00")
    type(buyer.cart).objects.filter(pk=buyer.cart.pk).update(use_points=True)
    order = order_of(buyer)
    order = paid(order, start_payment(order))
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    cancel_order(order, actor=ME)
    assert points.balance_of(buyer) == 100
    settle()
    assert broken() == {}


def test_what_is_left_ships_and_comes_back_by_itself(bought):
    order = bought(3)
    line = line_of(order)
    cancel_units(order, {line.pk: 1}, actor=ME)
    settle()
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    assert fresh(order).status == "delivered"
    with pytest.raises(Invalid):
        request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=3)
    back = request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=2)
    receive(approve(back, actor="staff:1"), actor="staff:1", is_restocked=True)
    settle()
    assert sum(refunds_of(order)) == order.total_inr * 100
    assert fresh(order).status == "returned"
    assert broken() == {}


def test_refused_at_the_door_gives_back_what_was_sent(bought):
    order = bought(3)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    settle()
    ship(order, actor="staff:1")
    refuse_all(order, actor="staff:1")
    settle()
    assert sum(refunds_of(order)) == order.total_inr * 100
    assert broken() == {}


def test_a_new_invoice_for_another_state_leaves_out_what_was_cancelled(bought):
    order = bought(3, 1)
    cancel_units(order, {line_of(order).pk: 2}, actor=ME)
    change_address(order, {"city": "Pune", "state": "Maharashtra", "pincode": "411001"}, actor=ME)
    cancel_units(order, {line_of(order).pk: 3}, actor=ME)
    settle()
    newest = order.invoices.filter(kind="invoice").last()
    if order.invoices.filter(kind="invoice").count() > 1:  # where the shop's state is known
        assert newest.total_inr == order.total_inr - 200
    assert refunds_of(order) == [100_00, 200_00]
    assert broken() == {}


def test_cash_orders_are_paid_less_at_the_door(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=3)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    assert fresh(order).due_inr == order.total_inr - 250
    words = text_of(browser_of(order).get(f"/en-in/order-detail/{order.number}/"))
    assert "To pay on delivery" in words and "on delivery" in Message.objects.get(kind="order_items_cancelled").text
    settle()
    assert broken() == {} and not Refund.objects.exists()
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    settle()
    assert Refund.objects.get().reference == "Never collected"
    assert Payment.objects.get().refunded_paise == 250_00
    words = text_of(browser_of(order).get(f"/en-in/order-detail/{order.number}/"))
    assert f"Cancelled items −₹250.00 Paid on delivery {display(fresh(order).due_inr, INR)}" in words
    assert "Refunded" not in words and "after refunds" not in words and "To pay on delivery" not in words
    assert not Message.objects.filter(kind="refunded").exists()
    assert broken() == {}


@pytest.mark.parametrize(
    "page", ["order-detail/{}", "ordersummery", "place-order", "ordersuccess", "ordercancel", "ordercon"]
)
def test_every_page_of_a_cash_order_shows_cancelled_units(make_variant, new_buyer, order_of, page):
    order = cash_order(make_variant, new_buyer, order_of, quantity=3)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    answer = browser_of(order).get(f"/en-in/{page.format(order.number)}/?order={order.number}", follow=True)
    assert answer.status_code == 200 and order.number in text_of(answer)
    if page != "ordercon":  # a word of thanks, without the costs
        due = display(order.total_inr - 250, INR)
        assert f"Cancelled items −₹250.00 To pay on delivery {due}" in text_of(answer)
    cancel_order(fresh(order), actor=ME)
    whole = browser_of(order).get(f"/en-in/{page.format(order.number)}/?order={order.number}", follow=True)
    assert whole.status_code == 200 and "To pay on delivery" not in text_of(whole)


def test_a_cash_order_cancelled_as_a_whole_afterwards_owes_nothing(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=3)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    cancel_order(order, actor=ME)
    settle()
    assert not Refund.objects.exists() and not ReturnRequest.objects.filter(status="received").exists()
    assert sum(note.total_inr for note in order.invoices.filter(kind="credit")) == order.total_inr
    assert broken() == {}


def test_nobody_is_told_of_units_that_never_came(bought):
    order = bought(3, 1)
    gone = line_of(order, 1)
    cancel_units(order, {line_of(order).pk: 1, gone.pk: 1}, actor=ME)
    settle()
    queue_confirmation_again(fresh(order), key="again")
    again = Message.objects.get(kind="order_placed_again").text
    assert "(1 cancelled): ₹300.00" in again and "Cancelled items: -₹200.00" in again
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    mail = Message.objects.get(kind="order_delivered")
    for text in (mail.text, mail.html):
        assert re.search(rf"2 [x×] (<bdi>)?{line_of(order).product_name}", text) and gone.product_name not in text


def test_a_cancelled_order_names_what_it_still_held(bought):
    order = bought(3, 1)
    gone = line_of(order, 1)
    cancel_units(order, {line_of(order).pk: 1, gone.pk: 1}, actor=ME)
    cancel_order(fresh(order), actor=ME)
    text = Message.objects.get(kind="order_cancelled").text
    assert f"2 x {line_of(order).product_name}: ₹200.00" in text and gone.product_name not in text


@pytest.mark.database
def test_staff_see_what_is_left_of_an_order(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=3)
    line = line_of(order)
    OrderLine.objects.filter(pk=line.pk).update(reduction_inr="0.01")
    cancel_units(order, {line.pk: 1}, actor=ME)
    OrderLine.objects.filter(pk=line.pk).update(reduction_inr="0.01")
    due = fresh(order).due_inr
    assert due == order.total_inr - fresh(order).cancelled_inr and 249 < fresh(order).cancelled_inr <= 250
    assert Order.objects.with_due().get().due == due
    assert (
        board()[0].total_inr == due and with_orders(Customer.objects.filter(pk=order.customer_id))[0].spent_inr == due
    )
    head, row = rows_of(Order.objects.all())
    exported = dict(zip(head, row, strict=True))
    assert (exported["units"], exported["articles"], exported["due INR"]) == (2, f"2 × {line.sku}", due)
    (top,) = top_products(Period(timezone.localdate(), timezone.localdate()), None, "units")
    assert (top.units, top.inr) == (2, 500)
    page = text_of(staff(ORDER_DESK).get(reverse("admin:orders_order_change", args=[order.pk])))
    assert f"To collect on delivery {display(due, INR)}" in page


def test_what_was_cancelled_is_no_return_to_settle(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=3)
    cancel_units(order, {line_of(order).pk: 1}, actor=ME)
    settle()
    request = ReturnRequest.objects.get(status="received")
    owed = next(one for one in WAITING if one.key == "owed")
    assert not owed.rows().exists() and due_on(request) is None
    listed = staff(ORDER_DESK).get(reverse("admin:orders_returnrequest_changelist"), {"due": "owed"})
    assert listed.status_code == 200 and order.number not in listed.content.decode()
    assert "due by" not in text_of(staff(ORDER_DESK).get(reverse("admin:orders_order_change", args=[order.pk])))


# --- What is refused ------------------------------------------------------------------------------


def test_what_is_packed_or_not_there_is_refused_and_changes_nothing(bought):
    order, other = bought(2, 1), bought(2)
    line = line_of(order)
    for totals, refusal in (({line.pk: 3}, Invalid), ({line_of(other).pk: 1}, NotFound)):
        with pytest.raises(refusal):
            cancel_units(order, totals, actor=ME)
    cancel_units(order, {line.pk: 1}, actor=ME)
    with pytest.raises(Invalid):
        cancel_units(order, {line.pk: 0}, actor=ME)
    move_order(fresh(order), "processing", actor="staff:1")
    with pytest.raises(WrongState, match="already packing"):
        cancel_units(order, {line.pk: 2}, actor=ME)
    assert OrderLine.objects.get(pk=line.pk).cancelled == 1
    settle()
    assert broken() == {}


# --- Page and call --------------------------------------------------------------------------------


def test_the_page_cancels_chosen_items_without_scripts(bought):
    order = bought(3, 1)
    line, other = line_of(order), line_of(order, 1)
    browser, path = browser_of(order), f"/en-in/order-detail/{order.number}/cancel-items/"
    assert path in browser.get(f"/en-in/order-detail/{order.number}/").content.decode()
    words = text_of(browser.get(path))
    assert "Keep all 3" in words and "Cancel 2 (refund ₹200.00)" in words and "Cancel it (refund ₹100.00)" in words
    sent = {"seen": 0, f"line_{line.pk}": 2, f"line_{other.pk}": 0}
    nothing = browser.post(path, {**sent, f"line_{line.pk}": 0})
    assert nothing.status_code == 422 and "Choose what to cancel." in text_of(nothing)
    for _ in range(2):  # a double click
        done = browser.post(path, sent, follow=True)
    assert done.redirect_chain[-1][0].endswith(f"/order-detail/{order.number}/")
    assert "2 of 3: Cancelled" in text_of(done) and "1 of 3: Placed" in text_of(done)
    settle()
    assert refunds_of(order) == [200_00]
    assert "Refunded −₹200.00" in text_of(browser.get(f"/en-in/order-detail/{order.number}/"))
    move_order(fresh(order), "processing", actor="staff:1")
    late = browser.post(path, {**sent, f"line_{line.pk}": 3}, follow=True)
    assert unescape(TOO_LATE) in text_of(late) and OrderLine.objects.get(pk=line.pk).cancelled == 2


@pytest.mark.parametrize("sent", [(1, 0), (2, 1)])
def test_a_form_sent_twice_ends_on_the_order_without_a_warning(bought, sent):
    order = bought(2, *[1] * sent[1])
    browser, path = browser_of(order), f"/en-in/order-detail/{order.number}/cancel-items/"
    fields = {f"line_{line.pk}": units for line, units in zip(order.lines.order_by("pk"), sent, strict=False)}
    for _ in range(2):
        done = browser.post(path, {"seen": 0, **fields}, follow=True)
        assert done.redirect_chain[-1][0].endswith(f"/order-detail/{order.number}/")
        assert not any(str(message.level_tag) == "warning" for message in done.context["messages"])
        assert "can't cancel" not in text_of(done) and "nothing left to cancel" not in text_of(done)
    settle()
    assert sum(refunds_of(order)) == (order.total_inr * 100 if sent[1] else 100_00)


@pytest.mark.parametrize("status", ["pending", "placed", "processing", "shipped", "delivered", "completed"])
def test_page_and_call_say_why_no_items_can_be_cancelled(make_variant, new_buyer, order_of, status):
    order = order_of(new_buyer({make_variant("100", units=9): 1 if status == "placed" else 2}))
    Order.objects.filter(pk=order.pk).update(status=status)
    expected = cancellation.REFUSALS.get(status, cancellation.ENDED)
    browser, line = browser_of(order), line_of(order)
    path = f"/en-in/order-detail/{order.number}/cancel-items/"
    assert expected in text_of(browser.get(path, follow=True))
    if status != "placed":
        assert expected in text_of(browser.post(path, {"seen": 0, f"line_{line.pk}": 1}, follow=True))
        body = {"order": order.number, "items": [{"id": line.pk, "cancelled": 1}]}
        answer = browser.post("/cancel-order-items/", body, content_type="application/json")
        assert answer.status_code == 409 and expected in answer.content.decode()
    assert OrderLine.objects.get(pk=line.pk).cancelled == 0


def test_the_call_cancels_items_and_may_be_repeated(bought):
    order = bought(3, 1)
    browser, line = browser_of(order), line_of(order)
    listed = browser.post("/user-orders/", {}, content_type="application/json").json()[0]["order_items"]
    assert (listed[0]["id"], listed[0]["cancelled"]) == (line.pk, 0)
    body = {"order": order.number, "items": [{"id": line.pk, "cancelled": 1}]}
    for _ in range(2):
        answer = browser.post("/cancel-order-items/", body, content_type="application/json")
        assert answer.status_code == 200 and answer.json()["order_items"][0]["cancelled"] == 1
    settle()
    assert refunds_of(order) == [100_00]
    body["items"][0]["cancelled"] = 9
    assert browser.post("/cancel-order-items/", body, content_type="application/json").status_code == 422


def test_the_call_changes_the_address_within_the_country(bought):
    order = bought(1)
    browser = browser_of(order)
    body = {"order": order.number, "city": "Mysuru", "pincode": "570001", "phone_number": "9876500001"}
    answer = browser.post("/update-order-address/", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    profile = answer.json()["customer_profile"]
    assert (profile["city"], profile["phone_number"], profile["state"]) == ("Mysuru", "9876500001", "Karnataka")
    move_order(fresh(order), "processing", actor="staff:1")
    late = browser.post("/update-order-address/", {**body, "city": "Hubli"}, content_type="application/json")
    assert late.status_code == 409 and fresh(order).address["city"] == "Mysuru"


# --- At one moment --------------------------------------------------------------------------------


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_many_at_once_cancel_each_unit_once_and_one_of_packing_and_cancelling_wins(transactional_db, bought):
    for _ in range(3):
        order = bought(3, 1)
        line = line_of(order)
        results = together([
            *[partial(cancel_units, order, {line.pk: 2}, actor=ME)] * 5,
            partial(move_order, fresh(order), "processing", actor="staff:1"),
            partial(cancel_order, order, actor=ME),
        ])  # fmt: skip
        assert not of_kind(results, OperationalError)
        together([issue_due_refunds] * 3)
        settle()
        line.refresh_from_db()
        assert line.cancelled in (0, 2)
        expected = order.total_inr * 100 if fresh(order).status == "cancelled" else line.cancelled * 100_00
        assert sum(refunds_of(order)) == expected
        assert broken() == {}


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_lock_and_conditional_update_units_are_cancelled_twice(transactional_db, bought, monkeypatch):
    """Negative control: it shows that the race above can be lost."""
    without_write_lock(monkeypatch)
    monkeypatch.setattr(cancellation, "_is_free", lambda line, units: OrderLine.objects.filter(pk=line.pk))
    for _ in range(20):
        order = bought(4, 1)
        line = line_of(order)
        together([partial(cancel_units, order, {line.pk: 2}, actor=ME)] * 6)
        line.refresh_from_db()
        if line.cancelled > 2:
            return
    pytest.fail("nothing went wrong")


@pytest.mark.database
@pytest.mark.parametrize("reduction", ["0.01", "0.02", "99.97"])
def test_the_database_sums_cancelled_units_to_the_paisa(bought, reduction):
    order = bought(3, 4)
    OrderLine.objects.filter(order=order).update(reduction_inr=reduction, cancelled=2)
    assert Order.objects.with_due().get().due == fresh(order).due_inr
