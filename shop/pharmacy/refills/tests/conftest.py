"""Buyers of packs that are used up some day."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.models import Order
from shop.pharmacy.tests.conftest import paid, pharmacy, tablets  # noqa: F401 (fixtures)

from ...models import Refill
from ..services import RefillRequest, save_refill

MONTHLY = RefillRequest(1, interval=30)


@pytest.fixture
def honey(make_variant, make_product):
    return make_variant("250", units=90, product=make_product("Forest Honey"), net_quantity=Decimal(500), net_unit="g")


@pytest.fixture
def capsules(make_variant, make_product):
    """A pack of sixty."""
    product = make_product("Amla Capsules")
    return make_variant("400", units=90, product=product, net_quantity=Decimal(60), net_unit="capsules")


@pytest.fixture
def buy(new_buyer, order_of):  # noqa: F811 (fixtures)
    """buy({variant: 1}, days=3): a new customer's paid order of so many days ago."""

    def buy(lines, *, days=0, customer=None):
        from shop.orders.conftest import fill

        if customer is None:
            customer = new_buyer(lines)
        else:
            from shop.markets.queries import market_registry

            fill(customer, lines, market_registry().market(market_registry().by_code["IN"]))
        order = paid(order_of(customer))
        customer.cart.lines.all().delete()
        Order.objects.filter(pk=order.pk).update(placed_at=timezone.now() - timedelta(days=days))
        order.refresh_from_db()
        return order

    return buy


@pytest.fixture
def asked(buy):
    """asked(variant): a refill of a buyer of long ago; `days` since it was asked for."""

    def asked(variant, *, days=0, refill_request=MONTHLY, customer=None):
        order = buy({variant: 1}, days=100, customer=customer)
        refill = save_refill(order.customer, variant, refill_request, location_id=1)
        back = timedelta(days=days)
        Refill.objects.filter(pk=refill.pk).update(
            next_on=refill.next_on - back, counted_at=refill.counted_at - back, changed_at=refill.changed_at - back
        )
        refill.refresh_from_db()
        return refill

    return asked


@pytest.fixture
def due(asked):
    """due(variant): a refill whose day came yesterday."""
    return lambda variant, **more: asked(variant, days=31, **more)


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


@pytest.fixture
def signed_in():
    """signed_in(customer): their browser."""

    def browser(customer):
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(customer)
        return client

    return browser
