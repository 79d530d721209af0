"""What the customer and the desk are told, once each."""

import pytest

from shop.accounts.models import Customer
from shop.messaging.models import Message

from ..conftest import fill, new_address
from ..models import Order
from ..notifications import owe_payment_failed
from ..placing.services import cancel_order, confirm_order, expire_order
from ..shipping.services import deliver_all, ship


@pytest.fixture
def tonic(make_variant, make_product):
    return make_variant(price="250", units=9, product=make_product("Ashwa <Tonic>"))


@pytest.fixture
def order(tonic, new_buyer, order_of):
    return order_of(new_buyer({tonic: 2}))


def told(kind):
    return Message.objects.get(kind=kind)


def test_the_placed_mail_says_what_was_bought_how_it_is_paid_and_what_may_come_back(order):
    Order.objects.update(
        coupon_code="HELLO", coupon_amt=10, coupon_inr=10, points_used=5, points_amt=5, points_inr=5,
        total_amount=485 + order.shipping_amt, total_inr=485 + order.shipping_inr,
    )  # fmt: skip
    order.refresh_from_db()
    confirm_order(order, actor="provider")
    mail = told("order_placed")
    for said in ("2 x Ashwa <Tonic>", "Coupon HELLO: -₹10.00", "5 loyalty points: -₹5.00", "Payment: Paid online",
                 "Wrong item or size: within 7 days of delivery", f"/order-detail/{order.number}/"):  # fmt: skip
        assert said in mail.text, said
    assert "Ashwa &lt;Tonic&gt;" in mail.html and "<Tonic>" not in mail.html
    thanks = f"Thank you for your order {order.number}. Expected delivery: {order.expected_delivery:%-d %B %Y}."
    assert mail.text.startswith(f"Hello Buyer 1,\n\n{thanks}\n\n2 x Ashwa") and f"<p>{thanks}" in mail.html


def test_lines_with_other_windows_are_told_apart(make_variant, make_product, new_buyer, order_of):
    kept = make_variant(product=make_product("Open Jar", is_returnable=False))
    other = order_of(new_buyer({make_variant(product=make_product("Neem Soap")): 1, kept: 1}))
    confirm_order(other, actor="provider")
    text = told("order_placed").text
    assert "Open Jar:\nThis can't be returned." in text
    assert "Neem Soap:\n- Wrong item or size: within 7 days" in text


def test_the_desk_hears_of_each_placed_order(order, settings):
    settings.ORDER_DESK_EMAIL = "desk@example.com"
    confirm_order(order, actor="provider")
    mail = told("desk_order")
    assert (mail.to, order.number in mail.subject) == ("desk@example.com", True)
    assert f"/admin/orders/order/{order.pk}/change/" in mail.text and order.lines.get().sku in mail.text


def test_a_failed_payment_is_told_once_an_order(order):
    for _ in range(3):
        owe_payment_failed(order)
    assert f"/pay/{order.number}/" in told("payment_failed").text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "you paid to the card or account"),
        ({"payment_method": "cash"}, "Nothing was charged."),
    ],
)
def test_the_cancelled_mail_says_what_happens_to_the_money(order, changes, said):
    confirm_order(order, actor="provider")
    Order.objects.update(**changes)
    cancel_order(order, actor="customer")
    assert said in told("order_cancelled").text


def test_giving_up_an_unpaid_order_says_that_nothing_was_paid(order):
    cancel_order(order, actor="customer")
    assert "You haven't paid for it." in told("order_cancelled").text


def test_a_hold_that_runs_out_or_is_replaced_sends_no_mail(order):
    Order.objects.update(hold_expires_at=order.created_at)
    expire_order(order)
    assert not Message.objects.exists()


def test_a_customer_without_mail_gets_the_short_form(tonic, india, order_of):
    buyer = Customer.objects.create_user(phone="+919876543210", name="Ravi")
    new_address(buyer)
    fill(buyer, {tonic: 1}, india)
    order = order_of(buyer)
    owe_payment_failed(order)
    confirm_order(order, actor="provider")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    sent = Message.objects.filter(to="+919876543210")
    kinds = ["payment_failed", "order_placed", "order_shipped", "order_delivered"]
    assert [message.kind for message in sent.order_by("id")] == kinds
    assert all(message.channel == "sms" and len(message.text) < 320 for message in sent)
