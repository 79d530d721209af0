"""Packers at one moment: a batch is never oversold, and no unit is in two parcels."""

from functools import partial

import pytest
from django.db import connection
from django.db.models import F

from shop.cart.models import CartLine
from shop.catalog.batches import services as batches
from shop.catalog.batches.services import TooFewInBatches, end_sales, set_recalled
from shop.catalog.models import Batch, Variant
from shop.payments.reconciliation.invariants_after import batches_that_do_not_fit

from ...models import Order, Shipment
from ...placing.services import confirm_order
from ...shipping.services import ship
from ...tests.racing import of_kind, together, without_write_lock
from ..models import ShippedBatch
from .conftest import come_in

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
ROUNDS = [pytest.param(1, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)]


def orders_of(crowd, order_of, make_variant, *, people, usable):
    """Paid orders of one unit each, of which a recall leaves so many units."""
    variant = make_variant(units=0)
    good = come_in(variant, "GOOD", usable)
    bad = come_in(variant, "BAD", people - usable)
    buyers = crowd(people)
    placed = []
    for buyer in buyers:
        CartLine.objects.create(cart=buyer.cart, variant=variant, quantity=1)
        order = order_of(buyer)
        confirm_order(order, actor="provider")
        placed.append(order)
    set_recalled(bad)
    return variant, good, placed


def sent_of(batch):
    return sum(ShippedBatch.objects.filter(batch=batch).values_list("quantity", flat=True))


@pytest.mark.parametrize("rounds", ROUNDS)
def test_200_packers_of_10_units_send_10(crowd, order_of, make_variant, rounds, figure):
    _, good, placed = orders_of(crowd, order_of, make_variant, people=200, usable=10)
    reached = 0
    for _ in range(rounds):
        results = together([partial(ship, order, actor="staff:1") for order in placed])
        good.refresh_from_db()
        assert len(of_kind(results, Shipment)) == sent_of(good) == good.packed == 10 and good.units == 0
        assert len(of_kind(results, TooFewInBatches)) == 190
        assert list(batches_that_do_not_fit()) == []
        reached += 1
        _unpack(good)
    figure(f"10 sent of 10 in {reached} of {rounds} rounds", "10 of 10")


def _unpack(batch):
    """All as it was before anything was packed."""
    ShippedBatch.objects.all().delete()
    Shipment.objects.all().delete()
    Order.objects.filter(status="shipped").update(status="placed")
    Batch.objects.filter(pk=batch.pk).update(units=F("packed"), packed=0)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
def test_without_the_lock_and_the_conditional_update_a_batch_is_oversold(crowd, order_of, make_variant, monkeypatch):
    """Negative control: it shows that the race above can be lost."""
    _, good, placed = orders_of(crowd, order_of, make_variant, people=40, usable=5)
    without_write_lock(monkeypatch)
    monkeypatch.setattr(batches, "take", _careless)
    monkeypatch.setattr("shop.orders.batches.services.batches.lock_variants", _unlocked)
    together([partial(ship, order, actor="staff:1") for order in placed])
    assert sent_of(good) > 5


def _unlocked(ids):
    return {variant.pk: variant for variant in Variant.objects.filter(pk__in=ids)}


def _careless(variant_id, units, *, deliver_on, reference, actor, name=""):
    """Read, then write what was read less one."""
    for batch in Batch.objects.packable(deliver_on).filter(variant=variant_id):
        if batch.units >= units:
            left, packed = batch.units - units, batch.packed + units
            Batch.objects.filter(pk=batch.pk).update(units=left, packed=packed)
            return [batches.Taken(batch, units)]
    raise TooFewInBatches("None left.")


@pytest.mark.parametrize("rounds", ROUNDS)
def test_nothing_is_sent_of_a_batch_that_is_recalled_meanwhile(crowd, order_of, make_variant, rounds):
    for _ in range(rounds):
        _, good, placed = orders_of(crowd, order_of, make_variant, people=12, usable=8)
        packers = [partial(ship, order, actor="staff:1") for order in placed]
        together([*packers[:6], partial(set_recalled, good), *packers[6:], end_sales])
        good.refresh_from_db()
        assert good.recalled_at and sent_of(good) == good.packed and list(batches_that_do_not_fit()) == []
        assert len(of_kind(together(packers), Shipment)) == 0
