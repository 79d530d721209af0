"""What the customer and the desk are told, once each."""

from decimal import Decimal

import pytest
from django.utils import translation

from shop.accounts.models import Customer
from shop.messaging.models import Message

from ..conftest import fill, new_address
from ..models import Order
from ..notifications import queue_cancelled_units_notification, queue_payment_failed
from ..placing.services import cancel_order, confirm_order, expire_order
from ..returns.cancellation import Cancelled
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
                 "Wrong item or size: within 7 days of delivery", f"/track/{order.number}."):  # fmt: skip
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
        queue_payment_failed(order)
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


def test_units_whose_price_went_back_before_are_not_said_to_have_cost_nothing(order):
    confirm_order(order, actor="provider")
    order.refresh_from_db()
    line = order.lines.first()
    queue_cancelled_units_notification(order, [Cancelled(line, 1, Decimal(0))], 1, by_shop=True)
    assert "We've already refunded them." in told("order_items_cancelled").text
    line.reduction_inr = line.line_inr
    queue_cancelled_units_notification(order, [Cancelled(line, 1, Decimal(0))], 2, by_shop=True)
    assert "Nothing was charged for them." in Message.objects.filter(kind="order_items_cancelled").latest("pk").text


def test_giving_up_an_unpaid_order_says_that_nothing_was_paid(order):
    cancel_order(order, actor="customer")
    assert "You haven't paid for it." in told("order_cancelled").text


def test_a_hold_that_runs_out_sends_the_way_to_restore_it_once(order):
    Order.objects.update(hold_expires_at=order.created_at)
    for _ in range(2):
        expire_order(order)
    assert f"Put back in cart and pay: http://testserver/order-detail/{order.number}/" in told("payment_lapsed").text


def test_a_hold_that_is_replaced_sends_no_mail(order, order_of):
    order.customer.cart.lines.update(quantity=1)
    order_of(order.customer)
    order.refresh_from_db()
    assert order.status == "cancelled" and not Message.objects.exists()


def test_a_customer_without_mail_gets_the_short_form(tonic, india, order_of):
    buyer = Customer.objects.create_user(phone="+919876543210", name="Ravi")
    new_address(buyer)
    fill(buyer, {tonic: 1}, india)
    order = order_of(buyer)
    queue_payment_failed(order)
    confirm_order(order, actor="provider")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    sent = Message.objects.filter(to="+919876543210")
    kinds = ["payment_failed", "order_placed", "order_shipped", "order_delivered"]
    assert [message.kind for message in sent.order_by("id")] == kinds
    assert all(message.channel == "sms" and len(message.text) < 320 for message in sent)


# --- In the language of the order --------------------------------------------------------------------


@pytest.fixture
def in_hindi(settings, order):
    settings.SHOP_LANGUAGES = ("en", "hi")
    Order.objects.update(language="hi")
    order.refresh_from_db()
    return order


@pytest.mark.parametrize("page", ["en", "hi"])
def test_an_order_is_told_of_in_its_language_whoever_acts(in_hindi, page):
    with translation.override(page):
        confirm_order(in_hindi, actor="provider")
        cancel_order(in_hindi, actor="staff:1", note="")
    placed, cancelled = told("order_placed"), told("order_cancelled")
    assert placed.subject == f"ऑर्डर {in_hindi.number} मिल गया है"
    assert cancelled.subject == f"ऑर्डर {in_hindi.number} कैंसल हो गया है"
    assert "वापस करेंगे जिससे आए थे। बैंक को सात कामकाजी दिन तक लग सकते हैं।" in cancelled.text
    assert (placed.language, told("desk_order").language) == ("hi", "en")
    assert told("desk_order").subject.startswith("New order")


def test_its_links_lead_to_pages_in_its_language(in_hindi, settings):
    queue_payment_failed(in_hindi)
    mail = told("payment_failed")
    assert f"{settings.SHOP_URL}/hi-in/pay/{in_hindi.number}/" in mail.text and "/hi-in/track/" not in mail.text
    with translation.override("en"):
        confirm_order(in_hindi, actor="provider")
    assert f"{settings.SHOP_URL}/hi-in/track/{in_hindi.number}." in told("order_placed").text


def test_a_language_that_was_switched_off_since_is_english(in_hindi, settings):
    settings.SHOP_LANGUAGES = ("en",)
    confirm_order(in_hindi, actor="provider")
    assert told("order_placed").subject == f"Order {in_hindi.number} placed"
    assert "/hi-in/" not in told("order_placed").text
