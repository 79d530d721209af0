"""Orders that coupon and points make cheaper: what they take, keep, give back and share out over their lines."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from shop.accounts.points.services import balance_of, earn
from shop.cart.coupons import CouponRefused
from shop.cart.models import Cart, Coupon, CouponUse
from shop.cart.services import open_cart
from shop.errors import ShopError
from shop.markets.models import Slab
from shop.messaging.models import Message

from ...conftest import fill, new_address
from ...models import Order
from .. import services
from ..services import CheckoutChanged, cancel_order, expire_order
from ..values import SubmittedTotals

pytestmark = pytest.mark.django_db


@pytest.fixture
def tonic(make_variant):
    return make_variant(price="250.50", units=20)


def with_coupon(buyer, coupon, **fields):
    Cart.objects.filter(customer=buyer).update(coupon=coupon, **fields)
    return buyer


def uses_of(coupon):
    """(counted, waiting for payment, placed)"""
    taken = list(CouponUse.objects.filter(coupon=coupon).values_list("is_placed", flat=True))
    return Coupon.objects.get(pk=coupon.pk).uses, taken.count(False), taken.count(True)


def place(order):
    order.refresh_from_db()
    services.confirm_order(order, actor="provider")


def let_expire(order):
    Order.objects.filter(pk=order.pk).update(hold_expires_at=timezone.now() - timedelta(seconds=1))
    order.refresh_from_db()
    expire_order(order)
    order.refresh_from_db()


def test_a_coupon_is_counted_at_checkout_and_kept_when_the_order_is_placed(tonic, make_coupon, new_buyer, order_of):
    coupon = make_coupon("SAVE10", percent=10, total_limit=5)
    buyer = with_coupon(new_buyer({tonic: 2}), coupon)
    order = order_of(buyer)
    assert (order.coupon_code, order.coupon_amt, order.coupon_inr) == ("SAVE10", Decimal("50.10"), Decimal("50.10"))
    assert order.total_amount == order.sub_total_amt + order.shipping_amt - order.coupon_amt
    assert uses_of(coupon) == (1, 1, 0)
    place(order)
    assert uses_of(coupon) == (1, 0, 1)
    assert open_cart(buyer).coupon is None


def test_the_same_checkout_again_takes_no_second_use(tonic, make_coupon, new_buyer, order_of):
    coupon = make_coupon("ONCE", percent=10, total_limit=1, customer_limit=1)
    buyer = with_coupon(new_buyer({tonic: 2}), coupon)
    assert order_of(buyer) == order_of(buyer)
    assert uses_of(coupon) == (1, 1, 0)


def test_a_checkout_that_replaces_another_keeps_one_use_of_the_last_coupon(tonic, make_coupon, new_buyer, order_of):
    coupon = make_coupon("ONCE", percent=10, total_limit=1, customer_limit=1)
    buyer = with_coupon(new_buyer({tonic: 2}), coupon)
    first = order_of(buyer)
    open_cart(buyer).lines.update(quantity=3)
    second = order_of(buyer)
    assert first != second
    assert uses_of(coupon) == (1, 1, 0)
    assert CouponUse.objects.get().reference == second.number


def test_another_coupon_in_the_next_checkout_gives_the_first_back(tonic, make_coupon, new_buyer, order_of):
    one, other = make_coupon("ONE", percent=10), make_coupon("OTHER", percent=20)
    buyer = with_coupon(new_buyer({tonic: 2}), one)
    order_of(buyer)
    order_of(with_coupon(buyer, other))
    assert (uses_of(one), uses_of(other)) == ((0, 0, 0), (1, 1, 0))
    order_of(with_coupon(buyer, None))
    assert (uses_of(one), uses_of(other)) == ((0, 0, 0), (0, 0, 0))


@pytest.mark.parametrize("paid", [False, True])
def test_cancelling_gives_the_use_back(tonic, make_coupon, new_buyer, order_of, paid):
    coupon = make_coupon("ONCE", percent=10, total_limit=1)
    order = order_of(with_coupon(new_buyer({tonic: 2}), coupon))
    if paid:
        place(order)
    cancel_order(order, actor="customer")
    assert uses_of(coupon) == (0, 0, 0)
    assert order_of(with_coupon(new_buyer({tonic: 1}), coupon)).coupon_amt == Decimal("25.05")


def test_what_all_customers_may_use_together_ends(tonic, make_coupon, new_buyer, order_of):
    coupon = make_coupon("TWO", percent=10, total_limit=2)
    first, second, third = (with_coupon(new_buyer({tonic: 1}), coupon) for _ in range(3))
    order_of(first)
    order_of(second)
    order = order_of(third)
    assert (order.coupon_code, order.coupon_amt) == ("", 0)
    with pytest.raises(CheckoutChanged, match="reached its limit"):
        order_of(third, submitted=SubmittedTotals({"coupon_amt": Decimal("25.05")}, coupon_code="TWO"))
    assert uses_of(coupon) == (2, 2, 0)


def test_what_one_customer_may_use_ends_after_their_own_orders(tonic, make_coupon, new_buyer, order_of, india):
    coupon = make_coupon("ONCE", percent=10, customer_limit=1)
    buyer = with_coupon(new_buyer({tonic: 1}), coupon)
    place(order_of(buyer))
    fill(buyer, {tonic: 1}, india)
    order = order_of(with_coupon(buyer, coupon))
    assert (order.coupon_code, order.coupon_amt) == ("", 0)
    with pytest.raises(CheckoutChanged, match="You have already used this coupon"):
        order_of(buyer, submitted=SubmittedTotals(coupon_code="ONCE", amounts={"coupon_amt": Decimal("25.05")}))
    assert order_of(with_coupon(new_buyer({tonic: 1}), coupon)).coupon_amt == Decimal("25.05")


def test_the_last_moment_decides_and_leaves_nothing_behind(tonic, make_coupon, new_buyer, order_of, monkeypatch):
    """The cart was priced with the coupon; another customer takes the last use before it is counted."""
    coupon = make_coupon("ONCE", percent=10, total_limit=1)
    buyer = with_coupon(new_buyer({tonic: 1}), coupon)
    hold = services.stock.hold

    def be_slower(quantities, **how):
        hold(quantities, **how)
        Coupon.objects.filter(pk=coupon.pk).update(uses=1)

    monkeypatch.setattr(services.stock, "hold", be_slower)
    with pytest.raises(CouponRefused, match="reached its limit"):
        order_of(buyer)
    tonic.refresh_from_db()
    assert not Order.objects.exists()
    assert (tonic.on_hand, tonic.held) == (20, 0)


@pytest.mark.parametrize("said", [None, "", "OLD"])
def test_a_coupon_that_takes_nothing_off_stops_no_checkout(tonic, make_coupon, new_buyer, order_of, said):
    expired = make_coupon("OLD", percent=10, ends_at=timezone.now())
    buyer = with_coupon(new_buyer({tonic: 2}), expired)
    order = order_of(buyer, submitted=SubmittedTotals({"coupon_amt": Decimal(0)}, coupon_code=said))
    assert (order.coupon_code, order.coupon_amt) == ("", 0)
    assert not CouponUse.objects.exists()


@pytest.mark.parametrize(("code", "amount"), [("", "25.05"), ("OTHER", "25.05"), ("SAVE10", "25.06"), ("SAVE10", "0")])
def test_code_and_amount_must_be_those_of_the_cart(tonic, make_coupon, new_buyer, order_of, code, amount):
    buyer = with_coupon(new_buyer({tonic: 1}), make_coupon("SAVE10", percent=10))
    with pytest.raises(CheckoutChanged):
        order_of(buyer, submitted=SubmittedTotals({"coupon_amt": Decimal(amount)}, coupon_code=code))
    assert order_of(buyer, submitted=SubmittedTotals({"coupon_amt": Decimal("25.05")}, coupon_code="SAVE10")).coupon_amt


def test_reductions_are_shared_out_over_the_lines_to_the_last_paisa(make_variant, make_coupon, new_buyer, order_of):
    variants = [make_variant(price=price, units=9) for price in ("33.33", "33.33", "33.34", "100")]
    buyer = with_coupon(new_buyer(dict.fromkeys(variants, 1)), make_coupon("TEN", amount=10), use_points=True)
    earn(buyer, 19, reference="ORD-OLD")
    order = order_of(buyer)
    lines = list(order.lines.order_by("pk"))
    assert (order.coupon_amt, order.points_used, order.points_amt) == (10, 19, 19)
    assert sum(line.reduction_amt for line in lines) == 29
    assert sum(line.reduction_inr for line in lines) == 29
    assert sum(line.points_used for line in lines) == 19
    # 29 × 33.33 / 200 = 4.83285, twice, and 4.8343: the paisa that is left goes to the largest remainder.
    assert [line.reduction_amt for line in lines] == [Decimal(each) for each in ("4.83", "4.83", "4.84", "14.50")]
    assert all(0 <= line.reduction_inr <= line.line_inr for line in lines)


def test_in_another_currency_each_part_has_its_own_rupees(make_variant, make_coupon, order_of, usa, customer):
    new_address(customer, country_id=22, state="NY", pincode="10001")
    fill(customer, {make_variant(price="999", units=9): 3, make_variant(price="333", units=9): 1}, usa)
    with_coupon(customer, make_coupon("SAVE15", percent=15), use_points=True)
    earn(customer, 1000, reference="ORD-OLD")
    order = order_of(customer, market=usa)
    assert order.coupon_inr == usa.to_inr(order.coupon_amt)
    assert order.points_inr == usa.to_inr(order.points_amt)
    assert order.total_amount == order.sub_total_amt + order.shipping_amt - order.coupon_amt - order.points_amt
    lines = list(order.lines.all())
    goods = sum(line.line_inr for line in lines)
    assert order.total_inr == goods + order.shipping_inr - order.coupon_inr - order.points_inr
    assert sum(line.reduction_inr for line in lines) == order.coupon_inr + order.points_inr
    assert sum(line.reduction_amt for line in lines) == order.coupon_amt + order.points_amt


@pytest.mark.parametrize("country", ["IN", "US"])
def test_goods_that_cost_nothing_are_placed_at_once(make_variant, make_coupon, customer, order_of, india, usa, country):
    market = {"IN": india, "US": usa}[country]
    Slab.objects.all().delete()
    new_address(customer, country_id=market.location_id, state="Karnataka" if country == "IN" else "NY")
    fill(customer, {make_variant(price="333.33", units=9): 3, make_variant(price="77.77", units=9): 1}, market)
    coupon = make_coupon("GIFT", percent=100, total_limit=1)
    order = order_of(with_coupon(customer, coupon), market=market)
    order.refresh_from_db()
    assert (order.status, order.total_amount, order.total_inr) == ("placed", 0, 0)
    assert uses_of(coupon) == (1, 0, 1)
    assert Message.objects.filter(kind="order_placed").count() == 1
    assert not open_cart(customer).lines.exists()


# --- Points ----------------------------------------------------------------------------------------


def test_points_are_redeemed_at_checkout_and_come_back_when_it_is_cancelled(tonic, new_buyer, order_of):
    buyer = with_coupon(new_buyer({tonic: 2}), None, use_points=True)
    earn(buyer, 80, reference="ORD-OLD")
    order = order_of(buyer)
    assert (order.points_used, order.points_amt, order.points_inr) == (50, 50, 50)
    assert balance_of(buyer) == 30
    cancel_order(order, actor="customer")
    assert balance_of(buyer) == 80


def test_the_points_of_an_unpaid_order_can_be_used_again_in_the_next(tonic, new_buyer, order_of):
    buyer = with_coupon(new_buyer({tonic: 2}), None, use_points=True)
    earn(buyer, 50, reference="ORD-OLD")
    first = order_of(buyer)
    assert order_of(buyer) == first
    open_cart(buyer).lines.update(quantity=3)
    second = order_of(buyer)
    assert (second.points_used, balance_of(buyer)) == (50, 0)


def test_placing_the_order_ends_the_wish_to_use_points(tonic, new_buyer, order_of):
    buyer = with_coupon(new_buyer({tonic: 2}), None, use_points=True)
    earn(buyer, 50, reference="ORD-OLD")
    place(order_of(buyer))
    assert not open_cart(buyer).use_points


def test_late_money_takes_coupon_and_points_again(tonic, make_coupon, new_buyer, order_of):
    coupon = make_coupon("ONCE", percent=10, total_limit=1)
    buyer = with_coupon(new_buyer({tonic: 2}), coupon, use_points=True)
    earn(buyer, 50, reference="ORD-OLD")
    order = order_of(buyer)
    let_expire(order)
    assert (uses_of(coupon), balance_of(buyer)) == ((0, 0, 0), 50)
    place(order)
    assert (uses_of(coupon), balance_of(buyer)) == ((1, 0, 1), 50 - order.points_used)
    cancel_order(order, actor="staff:1")
    assert (uses_of(coupon), balance_of(buyer)) == ((0, 0, 0), 50)


def test_late_money_whose_coupon_or_points_are_gone_is_refused(
    tonic, make_coupon, new_buyer, order_of, django_db_blocker
):
    coupon = make_coupon("ONCE", percent=10, total_limit=1)
    late = with_coupon(new_buyer({tonic: 1}), coupon)
    order = order_of(late)
    let_expire(order)
    order_of(with_coupon(new_buyer({tonic: 1}), coupon))
    with pytest.raises(ShopError, match="reached its limit"):
        place(order)
