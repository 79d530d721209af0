"""The desk and the customer at one moment: one of them wins, and the stock adds up."""

from functools import partial

import pytest
from django.db import OperationalError

from shop.catalog.models import Variant
from shop.errors import Invalid

from ...models import Order, Shipment
from ...placing.services import cancel_order, confirm_order
from ...states import WrongState
from ...tests.racing import of_kind, together, without_write_lock
from ..services import deliver, refuse, ship

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
ROUNDS = [pytest.param(3, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)]


@pytest.fixture
def placed(transactional_db, make_variant, new_buyer, order_of):
    """placed(3): a paid order of so many units of one variant."""

    def make(units):
        order = order_of(new_buyer({make_variant(units=9): units}))
        confirm_order(order, actor="provider")
        return order

    return make


def partly_shipped(placed):
    """An order with three units left: from the second parcel on the lock alone keeps them apart."""
    order = placed(4)
    ship(order, {order.lines.get().pk: 1}, actor="staff:1")
    return order


def sold_of(order):
    return Variant.objects.get(pk=order.lines.get().variant_id).sold


@pytest.mark.parametrize("rounds", ROUNDS)
def test_cancelling_against_shipping_has_one_winner(placed, rounds):
    for _ in range(rounds):
        order = placed(2)
        cancel, send = partial(cancel_order, order, actor="customer"), partial(ship, order, actor="staff:1")
        results = together([cancel, send, cancel, send])
        status = Order.objects.get(pk=order.pk).status
        assert len(of_kind(results, WrongState)) == 3
        assert (status, Shipment.objects.filter(order=order).count(), sold_of(order)) in {
            ("cancelled", 0, 0),
            ("shipped", 1, 2),
        }


@pytest.mark.parametrize("rounds", ROUNDS)
def test_parcels_sent_at_once_hold_no_unit_twice(placed, rounds):
    for _ in range(rounds):
        order = partly_shipped(placed)
        results = together([partial(ship, order, {order.lines.get().pk: 2}, actor="staff:1")] * 4)
        assert Shipment.objects.filter(order=order).count() == 2
        assert len(of_kind(results, Invalid)) == 3


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_parcel_is_delivered_or_refused_and_never_both(placed, rounds):
    for _ in range(rounds):
        order = placed(1)
        parcel = ship(order, actor="staff:1")
        together([partial(deliver, parcel, actor="staff:1"), partial(refuse, parcel, actor="staff:2")] * 2)
        parcel.refresh_from_db()
        assert (parcel.delivered_at is None) != (parcel.refused_at is None)
        assert sold_of(order) == (1 if parcel.delivered_at else 0)


def test_without_the_lock_units_are_sent_twice_or_writers_break_down(placed, monkeypatch):
    """Negative control: it shows that the race above can be lost."""
    without_write_lock(monkeypatch)
    for _ in range(20):
        order = partly_shipped(placed)
        results = together([partial(ship, order, {order.lines.get().pk: 2}, actor="staff:1")] * 8)
        if Shipment.objects.filter(order=order).count() > 2 or of_kind(results, OperationalError):
            return
    pytest.fail("nothing went wrong")
