"""Coupons and points wanted by many at one moment. Each race has a negative control, which must fail."""

import time
from decimal import Decimal
from functools import partial

import pytest
from django.db import OperationalError, transaction
from django.db.models import Sum

from shop.accounts.points import services as points
from shop.cart import coupons
from shop.cart.models import Cart, CartLine, Coupon, CouponUse
from shop.catalog.models import Variant
from shop.catalog.stock import services as stock
from shop.errors import ShopError
from shop.markets.models import Location, Slab
from shop.markets.queries import market_registry

from ...models import Order
from ...tests.racing import of_kind, together, without_write_lock
from ..services import place_order
from ..values import PlaceOrder, SubmittedTotals

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
apart = pytest.mark.usefixtures("without_stock")
ROUNDS = [pytest.param(3, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)]
TABS = 50
PAUSE = 0.4  # seconds in which every other buyer comes to the same point


@pytest.fixture
def market(transactional_db):
    Slab.objects.all().delete()
    return market_registry().market(market_registry().by_code["IN"])


@pytest.fixture
def without_stock(monkeypatch):
    """As if everybody bought something else: no lock on a variant keeps the buyers apart by chance."""
    for name in ("hold", "sell", "release", "take_back"):
        monkeypatch.setattr(stock, name, lambda quantities, **how: None)


def check_out(person, market, **more):
    return place_order(
        PlaceOrder(
            customer=person,
            cart=Cart.objects.get(customer=person),
            address=person.addresses.get(),
            market=market,
            **more,
        )
    )


# --- A coupon of one use, wanted by fifty ---------------------------------------------------------------


def want_one_use(crowd, market, make_variant, make_coupon, rounds):
    """Fifty customers check out at once with the coupon that they were all shown."""
    for number in range(rounds):
        coupon = make_coupon(f"ONCE{number}", percent=10, total_limit=1)
        variant = make_variant(price="200", units=TABS)
        people = crowd(TABS)
        Cart.objects.filter(customer__in=people).update(coupon=coupon)
        CartLine.objects.bulk_create(CartLine(cart=person.cart, variant=variant, quantity=1) for person in people)
        shown = SubmittedTotals({"coupon_amt": Decimal(20), "total_amount": Decimal(180)}, coupon_code=coupon.code)
        yield coupon, together([partial(check_out, person, market, submitted=shown) for person in people])


def assert_used_once(coupon, results):
    assert len(of_kind(results, Order)) == 1
    refused = of_kind(results, ShopError)
    assert {refusal.message for refusal in refused} == {"This coupon has reached its limit."}
    assert len(refused) == len(results) - 1
    assert Order.objects.filter(coupon_code=coupon.code).count() == CouponUse.objects.filter(coupon=coupon).count() == 1
    assert Coupon.objects.get(pk=coupon.pk).uses == 1


@apart
@pytest.mark.parametrize("rounds", ROUNDS)
def test_fifty_checkouts_use_a_one_use_coupon_once(crowd, market, make_variant, make_coupon, rounds):
    for coupon, results in want_one_use(crowd, market, make_variant, make_coupon, rounds):
        assert_used_once(coupon, results)


def take_by_looking_first(coupon, customer, *, reference):
    seen = Coupon.objects.get(pk=coupon.pk).uses
    time.sleep(PAUSE)
    if seen >= coupon.total_limit:
        raise coupons.CouponRefused("This coupon has reached its limit.")
    Coupon.objects.filter(pk=coupon.pk).update(uses=seen + 1)
    CouponUse.objects.create(coupon=coupon, customer=customer, reference=reference)


@apart
def test_without_the_conditional_update_a_coupon_is_used_more_often(
    crowd, market, make_variant, make_coupon, monkeypatch
):
    monkeypatch.setattr(coupons, "take", take_by_looking_first)
    without_write_lock(monkeypatch)
    [(coupon, results)] = want_one_use(crowd, market, make_variant, make_coupon, 1)
    with pytest.raises(AssertionError):
        assert_used_once(coupon, results)


# --- One customer with fifty tabs -----------------------------------------------------------------------


def buy_in_every_tab(person, market, variant, tabs=TABS, **cart):
    """Each tab fills the cart anew and buys; the orders are placed at once."""

    def buy():
        own, _ = Cart.objects.update_or_create(customer=person, defaults=cart)
        CartLine.objects.get_or_create(cart=own, variant=variant, defaults={"quantity": 1})
        return check_out(person, market, payment_method="cash")

    return together([buy] * tabs)


@pytest.fixture
def cash(market):
    Location.objects.filter(pk=1).update(cash_on_delivery_max=100_000)


def assert_one_use_a_customer(coupon, results):
    assert not [error for error in of_kind(results, Exception) if not isinstance(error, ShopError)]
    assert Order.objects.filter(coupon_code=coupon.code).count() == CouponUse.objects.filter(coupon=coupon).count() == 1


@apart
def test_fifty_tabs_of_one_customer_use_a_coupon_once(crowd, market, make_variant, make_coupon, cash):
    [person] = crowd(1)
    coupon = make_coupon("MINE", percent=10, customer_limit=1)
    results = buy_in_every_tab(person, market, make_variant(price="200", units=TABS), coupon=coupon)
    assert_one_use_a_customer(coupon, results)


def pausing(monkeypatch, module, name):
    """The function, and time for all others to come as far."""
    function = getattr(module, name)

    def pause(*args, **kwargs):
        found = function(*args, **kwargs)
        time.sleep(PAUSE)
        return found

    monkeypatch.setattr(module, name, pause)


def in_eight_tabs(act):
    """What a checkout does under the lock of its customer, here without it and without an order."""

    def run(number):
        with transaction.atomic():
            act(f"ORD-{number}")

    return together([partial(run, number) for number in range(8)])


def test_without_a_lock_on_the_customer_a_coupon_is_used_twice(crowd, make_coupon, monkeypatch):
    [person] = crowd(1)
    coupon = make_coupon("MINE", percent=10, customer_limit=1)
    pausing(monkeypatch, coupons, "uses_by")
    without_write_lock(monkeypatch)
    results = in_eight_tabs(lambda number: coupons.take(coupon, person, reference=number))
    assert CouponUse.objects.count() > 1 or of_kind(results, OperationalError)


def assert_no_point_spent_twice(person, results):
    assert not [error for error in of_kind(results, Exception) if not isinstance(error, ShopError)]
    spent = Order.objects.exclude(status="cancelled").aggregate(points=Sum("points_used"))["points"]
    assert spent == 50
    assert sum(person.points_entries.values_list("points", flat=True)) == 0


@apart
def test_fifty_tabs_of_one_customer_spend_no_point_twice(crowd, market, make_variant, cash):
    [person] = crowd(1)
    points.earn(person, 50, reference="ORD-OLD")
    variant = make_variant(price="200", units=TABS + 3)
    results = buy_in_every_tab(person, market, variant, use_points=True)
    for _ in range(3):  # at most 20 points an order: where two tabs alone got through, the rest is still to be spent
        if points.balance_of(person):
            results += buy_in_every_tab(person, market, variant, tabs=1, use_points=True)
    assert_no_point_spent_twice(person, results)


def test_without_a_lock_on_the_customer_points_are_spent_twice(crowd, monkeypatch):
    [person] = crowd(1)
    points.earn(person, 50, reference="ORD-OLD")
    pausing(monkeypatch, points, "balance_of")
    without_write_lock(monkeypatch)
    results = in_eight_tabs(lambda number: points.redeem(person, 40, reference=number))
    assert sum(person.points_entries.values_list("points", flat=True)) < 0 or of_kind(results, OperationalError)


def test_fifty_tabs_hold_no_more_than_one_cart_may(crowd, market, make_variant):
    """C37: whatever is added, changed and checked out at once."""
    from shop.cart.services import add_to_cart, change_quantity

    [person] = crowd(1)
    variant = make_variant(units=TABS * 4, max_purchase_qty=3)

    def act(number):
        cart = Cart.objects.get(customer=person)
        if number % 3 == 0:
            return add_to_cart(cart, variant_id=variant.pk, quantity=1 + number % 4, market=market)
        if number % 3 == 1:
            return change_quantity(cart, variant_id=variant.pk, quantity=1 + number % 4, market=market)
        return check_out(person, market)

    results = together([partial(act, number) for number in range(TABS)])
    assert not [error for error in of_kind(results, Exception) if not isinstance(error, ShopError)]
    assert CartLine.objects.get().quantity <= 3
    assert Variant.objects.get(pk=variant.pk).held <= 3
    assert Order.objects.filter(status="pending").count() <= 1


# --- Checkouts that change from one coupon to another, crosswise -----------------------------------------


def test_changing_coupons_crosswise_never_deadlocks(crowd, market, make_variant, make_coupon):
    one, other = make_coupon("ONE", percent=10), make_coupon("OTHER", percent=20)
    people = crowd(20)
    for number, person in enumerate(people):
        CartLine.objects.create(cart=person.cart, variant=make_variant(units=5), quantity=1)
        Cart.objects.filter(customer=person).update(coupon=one if number % 2 else other)
        check_out(person, market)
        Cart.objects.filter(customer=person).update(coupon=other if number % 2 else one)
    results = together([partial(check_out, person, market) for person in people])
    assert len(of_kind(results, Order)) == 20
    assert list(Coupon.objects.order_by("code").values_list("uses", flat=True)) == [10, 10]
