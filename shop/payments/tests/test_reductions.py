"""Coupon and points where money is late, or where there is none to pay."""

from datetime import timedelta

import pytest
from django.utils import timezone

from shop.accounts.points.services import balance_of, earn
from shop.cart.models import Cart, Coupon
from shop.markets.models import Slab
from shop.messaging.models import Message
from shop.orders.models import Order
from shop.orders.placing.values import PlaceOrder

from ..models import Payment, SimulatedRecord
from ..reconciliation.invariants import INVARIANTS
from ..reconciliation.jobs import expire_holds
from ..reconciliation.settlement import settle
from ..refunds.services import issue_due_refunds
from ..services import check_out
from ..simulator.payer import pay

pytestmark = pytest.mark.django_db


@pytest.fixture
def till(make_variant, new_buyer, india):
    """till(coupon, points=50): the checkout of a new customer who has as many points and wants to use them."""

    def check(coupon, points=0, **cart):
        buyer = new_buyer({make_variant(price="250", units=9): 2})
        if points:
            earn(buyer, points, reference="ORD-OLD")
        Cart.objects.filter(customer=buyer).update(coupon=coupon, use_points=bool(points))
        own = Cart.objects.get(customer=buyer)
        return check_out(PlaceOrder(customer=buyer, cart=own, address=buyer.addresses.get(), market=india))

    return check


def let_expire(order):
    Order.objects.filter(pk=order.pk).update(hold_expires_at=timezone.now() - timedelta(seconds=1))
    expire_holds()


def pay_late(payment):
    result = pay(payment.razorpay_order_id)
    settle(result.razorpay_order_id, result.razorpay_payment_id)
    payment.refresh_from_db()
    payment.order.refresh_from_db()
    return payment


def assert_all_invariants_hold():
    broken = {invariant.name: list(invariant.broken()) for invariant in INVARIANTS}
    assert not {name: rows for name, rows in broken.items() if rows}


def test_a_free_order_is_placed_without_the_provider(till, make_coupon):
    Slab.objects.all().delete()
    order, payment = till(make_coupon("GIFT", percent=100))
    order.refresh_from_db()
    assert (order.status, order.total_inr, payment) == ("placed", 0, None)
    assert not Payment.objects.exists()
    assert not SimulatedRecord.objects.exists()
    assert_all_invariants_hold()


def test_what_is_charged_is_what_is_left_after_coupon_and_points(till, make_coupon):
    order, payment = till(make_coupon("SAVE10", percent=10), points=500)
    assert (order.coupon_inr, order.points_used) == (50, 45)
    assert payment.amount_paise == order.total_inr * 100 == (500 - 50 - 45 + order.shipping_inr) * 100
    assert_all_invariants_hold()


def test_late_money_places_the_order_with_its_coupon_and_points_again(till, make_coupon):
    coupon = make_coupon("ONCE", percent=10, total_limit=1)
    order, payment = till(coupon, points=500)
    let_expire(order)
    assert (Coupon.objects.get().uses, balance_of(order.customer)) == (0, 500)
    assert pay_late(payment).order.status == "placed"
    assert (Coupon.objects.get().uses, balance_of(order.customer)) == (1, 455)
    assert_all_invariants_hold()


@pytest.mark.parametrize("gone", ["coupon", "points"])
def test_late_money_whose_coupon_or_points_are_gone_goes_back(till, make_coupon, gone):
    coupon = make_coupon("ONCE", percent=10, total_limit=1)
    order, payment = till(coupon, points=500)
    let_expire(order)
    if gone == "coupon":
        till(coupon)
    else:
        order.customer.points_entries.create(kind="redeemed", points=-500, reference="ORD-X", key="x")
    assert pay_late(payment).status == "refused"
    assert payment.order.status == "cancelled"
    issue_due_refunds()
    assert payment.refunds.get().amount_paise == payment.captured_paise
    mail = Message.objects.get(kind="money_returned")
    assert "its coupon or points have been used since" in mail.text
    assert balance_of(order.customer) == (500 if gone == "coupon" else 0)
    assert_all_invariants_hold()
