"""Whatever pays money back shows how much to how many and asks once, with a reason; a repeated answer pays once."""

from decimal import Decimal
from functools import partial

import pytest
from django.urls import reverse

from shop.accounts.staff.roles import ORDER_DESK
from shop.backoffice.confirmation import NotConfirmed
from shop.catalog.models import ReturnReason
from shop.errors import ShopError
from shop.messaging.models import Message
from shop.money import INR, display
from shop.orders.backoffice.steps import take_step
from shop.orders.backoffice.tests.test_order_admin import staff
from shop.orders.models import Order, ReturnRequest
from shop.orders.returns.services import approve, request_return
from shop.orders.shipping.services import deliver, deliver_all, ship
from shop.orders.tests.racing import of_kind, together
from shop.tests.support.staff import confirm

from ...models import Refund
from ..services import issue_due_refunds
from .test_refunds import broken, cash_order, paid, refuse

pytestmark = pytest.mark.django_db
LIST = reverse("admin:orders_order_changelist")
BOARD = reverse("admin:orders_order_board")


@pytest.fixture
def desk(db):
    return staff(ORDER_DESK)


@pytest.fixture
def bought(paying):
    """bought(2): a paid order of so many units."""
    return lambda quantity=1: paid(*paying(quantity=quantity))


def step_of(order, name):
    return reverse("admin:orders_order_step", args=[order.pk, name])


def in_list(client, orders, action):
    return client.post(LIST, {"action": action, "_selected_action": [order.pk for order in orders], "index": "0"})


def state(order):
    return Order.objects.get(pk=order.pk).status


def inr(amount):
    return display(Decimal(amount), INR)


def given_back():
    issue_due_refunds()
    return sorted(Refund.objects.values_list("amount_paise", flat=True))


@pytest.mark.database
def test_cancelling_in_the_list_asks_once_and_pays_each_order_once(
    desk, bought, paying, make_variant, new_buyer, order_of
):
    paid_orders, unpaid = [bought(), bought(3)], paying()[0]
    cash = cash_order(make_variant, new_buyer, order_of)
    orders = [*paid_orders, unpaid, cash]
    total = sum(order.total_inr for order in paid_orders)
    asked = in_list(desk, orders, "cancel")
    assert asked.context["summary"] == f"{inr(total)} will be refunded: 2 of 4 orders."
    page = asked.content.decode()
    assert all(inr(order.total_inr) in page and order.number in page for order in paid_orders)
    assert page.count("Nothing was paid") == 2
    assert [state(order) for order in orders] == ["placed", "placed", "pending", "placed"] and given_back() == []
    assert confirm(desk, asked, words="  ").status_code == 422
    assert [state(order) for order in orders] == ["placed", "placed", "pending", "placed"]
    for _ in range(2):
        confirm(desk, asked, words="The flood took our shelf")
    assert {state(order) for order in orders} == {"cancelled"}
    assert given_back() == sorted(int(order.total_inr * 100) for order in paid_orders)
    assert all(order.events.filter(note="The flood took our shelf").count() == 1 for order in orders)
    mails = Message.objects.filter(kind="order_cancelled", text__contains="Reason: The flood took our shelf")
    assert mails.count() == 4 and broken() == {}


def test_a_payment_that_came_meanwhile_is_shown_before_it_goes_back(desk, paying):
    order, payment = paying()
    asked = desk.post(step_of(order, "cancel"))
    assert "Nothing will be refunded now (1 order)." in asked.content.decode()
    paid(order, payment)
    again = confirm(desk, asked, words="Sold out")
    assert again.context["summary"] == f"{inr(order.total_inr)} will be refunded: 1 order." and state(order) == "placed"
    assert "Sold out" in again.content.decode()
    confirm(desk, again)
    assert state(order) == "cancelled" and given_back() == [int(order.total_inr * 100)]


def test_refused_on_the_board_asks_on_a_page_of_its_own(desk, bought):
    order = bought(2)
    ship(order, tracking_number="T1", actor="staff")
    assert step_of(order, "refuse") in desk.get(BOARD).content.decode()
    asked = desk.post(step_of(order, "refuse"), {"board": "asha"})
    assert (
        asked.context["summary"] == f"{inr(order.total_inr)} will be refunded: 1 order." and state(order) == "shipped"
    )
    assert confirm(desk, asked, words="\u200b").status_code == 422 and state(order) == "shipped"
    answers = [confirm(desk, asked, words="Nobody knew of it") for _ in range(2)]
    assert answers[0]["Location"] == f"{BOARD}?q=asha" and state(order) == "returned"
    assert given_back() == [int(order.total_inr * 100)] and broken() == {}
    assert order.events.filter(note="Refused at the door: Nobody knew of it").count() == 1


def test_a_refused_part_pays_back_when_it_is_received(desk, bought):
    order = bought(2)
    line = order.lines.get()
    arrived = ship(order, {line.pk: 1}, tracking_number="T1", actor="staff")
    sent = ship(order, {line.pk: 1}, tracking_number="T2", actor="staff")
    deliver(arrived, actor="staff")
    asked = desk.post(step_of(order, "refuse"), {"parcel": sent.pk})
    assert "Nothing will be refunded now (1 order)." in asked.content.decode()
    confirm(desk, asked, words="Box was wet")
    assert state(order) == "delivered" and given_back() == []
    receive = reverse("admin:orders_returnrequest_step", args=[ReturnRequest.objects.get().pk, "receive_to_shelf"])
    asked = desk.post(receive)
    assert asked.context["summary"] == "₹250.00 will be refunded: 1 return request."
    for _ in range(2):
        confirm(desk, asked, words="It is dry again")
    assert given_back() == [25000] and broken() == {}


def test_a_parcel_of_another_order_cannot_be_refused(desk, bought):
    order, other = bought(), bought()
    parcel = ship(other, tracking_number="T1", actor="staff")
    for pk in (parcel.pk, "x", "0", str(10**30)):
        assert desk.post(step_of(order, "refuse"), {"parcel": pk, "words": "x y"}).status_code == 404
    assert state(other) == "shipped"


@pytest.fixture
def asked_back(bought):
    """Three delivered orders of two units, one unit of each asked back for a reason that needs no parcel."""
    ReturnReason.objects.filter(slug="wrong-item").update(is_sent_back=False, is_our_fault=False)
    requests = []
    for _ in range(3):
        order = bought(2)
        ship(order, tracking_number="T1", actor="staff")
        deliver_all(order, actor="staff")
        line = order.lines.get()
        requests.append(request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=1))
    return requests


@pytest.mark.database
def test_approving_many_that_pay_at_once_asks_once(desk, asked_back):
    send = {"action": "approve", "_selected_action": [row.pk for row in asked_back], "words": "", "courier": ""}
    asked = desk.post(reverse("admin:orders_returnrequest_changelist"), send)
    assert asked.context["summary"] == "₹750.00 will be refunded: 3 return requests." and given_back() == []
    for _ in range(2):
        confirm(desk, asked, words="You are right")
    assert given_back() == [25000] * 3 and broken() == {}
    assert all("You are right" in mail.text for mail in Message.objects.filter(kind="return_decided"))


def test_what_pays_nothing_at_once_is_not_asked(desk, bought):
    order = bought()
    ship(order, tracking_number="T1", actor="staff")
    deliver_all(order, actor="staff")
    line = order.lines.get()
    request = request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=1)
    url = reverse("admin:orders_returnrequest_step", args=[request.pk, "approve"])
    assert desk.post(url, {"words": ""}).status_code == 302
    request.refresh_from_db()
    assert request.status == "approved"


def test_money_instead_of_a_replacement_that_is_back_already_asks(desk, bought):
    order = bought(2)
    ship(order, tracking_number="T1", actor="staff")
    deliver_all(order, actor="staff")
    line = order.lines.get()
    request = request_return(line, customer=order.customer, kind="replacement", reason="wrong-item", quantity=1)
    approve(request, actor="staff")
    steps = {name: reverse("admin:orders_returnrequest_step", args=[request.pk, name]) for name in (
        "receive_to_shelf", "refund_instead")}  # fmt: skip
    assert desk.post(steps["receive_to_shelf"]).status_code == 302  # a replacement pays nothing
    asked = desk.post(steps["refund_instead"])
    total = 250 + order.shipping_inr  # the fault is ours
    assert asked.context["summary"] == f"{inr(total)} will be refunded: 1 return request."
    confirm(desk, asked, words="None is left")
    assert given_back() == [int(total * 100)] and broken() == {}
    assert order.events.filter(note__endswith="None is left").count() == 1


def test_a_refund_that_failed_is_tried_again_with_a_reason(desk, bought, monkeypatch):
    order = bought()
    confirm(desk, desk.post(step_of(order, "cancel")), words="Sold out")
    monkeypatch.setattr("shop.payments.providers.razorpay.razorpay.refund", refuse)
    issue_due_refunds()
    again = reverse("admin:payments_refund_step", args=[Refund.objects.get().pk, "try_again"])
    asked = desk.post(again)
    assert (
        asked.context["summary"] == f"{inr(order.total_inr)} will be refunded: 1 refund."
        and Refund.objects.count() == 1
    )
    for _ in range(2):
        confirm(desk, asked, words="The bank is back")
    assert Refund.objects.count() == 2
    assert order.events.filter(note=f"Refund of {inr(order.total_inr)} tried again. The bank is back").count() == 1


def test_what_is_given_back_of_an_article_is_what_was_shown(desk, bought):
    order = bought(3)
    ship(order, tracking_number="T1", actor="staff")
    deliver_all(order, actor="staff")
    form = {"line": order.lines.get().pk, "quantity": "2", "reason": "by-the-shop", "words": "Sorry", "after": "0"}
    asked = desk.post(step_of(order, "give_back"), form)
    assert asked.context["summary"] == "₹500.00 will be refunded: 1 order." and given_back() == []
    more = confirm(desk, asked, quantity="3")  # changed on the page: it asks again
    assert more.context["summary"] == f"{inr(order.total_inr)} will be refunded: 1 order." and given_back() == []
    confirm(desk, asked)
    assert given_back() == [50000] and broken() == {}


def test_a_list_that_is_too_long_is_refused_in_words(desk, bought, monkeypatch):
    monkeypatch.setattr("shop.orders.backoffice.admin.MAX_ROWS", 1)
    orders = [bought(), bought()]
    page = desk.post(LIST, {"action": "cancel", "_selected_action": [order.pk for order in orders]}, follow=True)
    assert "Choose at most 100 at a time." in page.content.decode()
    assert [state(order) for order in orders] == ["placed", "placed"]


def test_without_what_was_shown_nothing_is_paid_back(bought):
    """Whoever calls the step and does not say what was shown is asked."""
    order = bought()
    for seen in (None, "", "0.00", "NaN"):
        with pytest.raises(NotConfirmed):
            take_step(order, "cancel", actor="staff", data={"words": "x", "confirmed": seen})
    assert state(order) == "placed"


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rounds", [pytest.param(3, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)])
def test_one_answer_sent_many_times_at_once_pays_once(transactional_db, bought, rounds):
    for _ in range(rounds):
        order = bought()
        seen = {"words": "Sold out", "confirmed": f"{order.total_inr:.2f}"}
        results = together([partial(take_step, order, "cancel", actor="staff", data=seen)] * 4)
        assert len(of_kind(results, ShopError)) == 3
        issue_due_refunds()
        refunds = Refund.objects.filter(payment__order=order)
        assert [refund.amount_paise for refund in refunds] == [int(order.total_inr * 100)]
        assert order.events.filter(note="Sold out").count() == 1
