"""An order goes only where the shop delivers, arrives when it can, and is paid in cash where that is taken."""

from datetime import timedelta

import pytest

from shop.catalog.models import Product
from shop.errors import ShopError
from shop.markets.models import Location, ServiceRule
from shop.markets.services import NotServed

from ...models import Order

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer(make_variant, new_buyer):
    return new_buyer({make_variant(price="250", units=10): 2})


@pytest.fixture
def rule():
    return lambda **fields: ServiceRule.objects.create(location_id=1, prefix="5600", **fields)


def test_an_address_that_is_not_served_orders_nothing(buyer, order_of, rule):
    rule(is_served=False)
    with pytest.raises(NotServed, match="We don't deliver to 560001"):
        order_of(buyer)
    assert not Order.objects.exists()


def test_a_rule_s_days_are_added_to_the_delivery(buyer, order_of, make_variant, new_buyer, rule):
    usual = order_of(buyer).expected_delivery
    rule(extra_days=4)
    other = new_buyer({make_variant(price="250"): 1})
    assert order_of(other).expected_delivery == usual + timedelta(days=4)


def test_the_slowest_line_decides_the_delivery_date(order_of, make_variant, new_buyer):
    def expected(*lines):
        variants = [make_variant(price="250") for _ in lines]
        for variant, (dispatch, buffer) in zip(variants, lines, strict=True):
            own = Product.objects.filter(pk=variant.product_id)
            own.update(dispatch_max_day=dispatch, buffer_delivery_day=buffer)
        return order_of(new_buyer(dict.fromkeys(variants, 1))).expected_delivery

    usual = expected((1, 20))
    assert expected((1, 20), (4, 20)) == expected((4, 20), (1, 20)) == usual + timedelta(days=3)
    assert expected((1, 25), (4, 20)) == usual + timedelta(days=5)
    assert expected((1, 0), (1, 20)) == usual


@pytest.fixture
def cash_up_to():
    """cash_up_to(1000): the most that India pays in cash."""

    def allow(amount):
        india = Location.objects.get(pk=1)
        india.cash_on_delivery_max = amount
        india.save()

    return allow


@pytest.mark.parametrize("most", [None, "528.99"])
def test_cash_is_refused_above_what_the_country_takes(buyer, order_of, cash_up_to, most):
    cash_up_to(most)
    with pytest.raises(ShopError, match="Cash on delivery isn't available"):
        order_of(buyer, payment_method="cash")


def test_cash_is_taken_up_to_the_country_s_most_unless_a_rule_says_no(buyer, order_of, cash_up_to, rule):
    cash_up_to("529")
    own = rule(cash_on_delivery=False)
    with pytest.raises(ShopError, match="Cash on delivery isn't available"):
        order_of(buyer, payment_method="cash")
    own.delete()
    assert order_of(buyer, payment_method="cash").status == "placed"
