"""received = on_hand + held + sold at every commit; a unit is never given to two."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connections, transaction

from shop.errors import OutOfStock
from shop.invalidation.models import Change

from ...models import Product, StockMovement, Variant
from .. import services as stock


def counts(variant):
    variant.refresh_from_db()
    return variant.received, variant.on_hand, variant.held, variant.sold


def test_a_unit_moves_from_shelf_to_hold_to_sold_and_back(make_variant):
    variant = make_variant(units=3)
    stock.hold({variant.pk: 2}, reference="ORD-1")
    assert counts(variant) == (3, 1, 2, 0)
    stock.sell({variant.pk: 1}, reference="ORD-1")
    stock.release({variant.pk: 1}, reference="ORD-1")
    assert counts(variant) == (3, 2, 0, 1)
    stock.take_back({variant.pk: 1}, reference="ORD-1")
    assert counts(variant) == (3, 3, 0, 0)
    kinds = list(StockMovement.objects.order_by("pk").values_list("kind", "quantity"))
    assert kinds == [("received", 3), ("held", 2), ("sold", 1), ("released", 1), ("returned", 1)]


def test_a_hold_takes_all_or_nothing(make_variant):
    plenty, scarce = make_variant(units=5), make_variant(units=1)
    with pytest.raises(OutOfStock) as refusal, transaction.atomic():
        stock.hold({plenty.pk: 2, scarce.pk: 2}, reference="ORD-1")
    assert refusal.value.extra == {"variant_id": scarce.pk}
    assert counts(plenty) == (5, 5, 0, 0)


def test_the_last_unit_takes_the_product_out_of_stock_and_its_return_brings_it_back(make_variant):
    variant = make_variant(units=1)
    stock.hold({variant.pk: 1}, reference="ORD-1")
    assert not Product.objects.get().in_stock
    stock.release({variant.pk: 1}, reference="ORD-1")
    assert Product.objects.get().in_stock


def test_more_cannot_be_written_off_than_is_on_hand(make_variant):
    variant = make_variant(units=2)
    with pytest.raises(OutOfStock):
        stock.receive(variant, -3)
    assert counts(variant) == (2, 2, 0, 0)


def test_the_database_itself_refuses_stock_that_does_not_add_up(make_variant):
    variant = make_variant(units=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Variant.objects.filter(pk=variant.pk).update(on_hand=1)


def _hold_at_once(take, times):
    def one(number):
        try:
            with transaction.atomic():
                take(number)
            return "held"
        except OutOfStock:
            return "out of stock"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_twelve_buyers_of_five_units_get_exactly_five(make_variant):
    variant = make_variant(units=5)
    answers = _hold_at_once(lambda number: stock.hold({variant.pk: 1}, reference=f"ORD-{number}"), 12)
    assert answers.count("held") == 5
    assert counts(variant) == (5, 0, 5, 0)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_read_before_the_write_would_sell_a_unit_twice(make_variant):
    """Negative control: both look, both find one unit, both take it; the sum of what they got is two."""
    from threading import Barrier

    variant, together, taken = make_variant(units=1), Barrier(2, timeout=20), []

    def take_unprotected(number):
        try:
            if Variant.objects.get(pk=variant.pk).on_hand >= 1:
                together.wait()
                Variant.objects.filter(pk=variant.pk).update(on_hand=0, held=1)
                taken.append(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(take_unprotected, range(2)))
    assert len(taken) == 2


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_holds_of_the_same_variants_in_opposite_order_never_deadlock(make_variant):
    first, second = make_variant(units=50), make_variant(units=50)
    orders = [{first.pk: 1, second.pk: 1}, {second.pk: 1, first.pk: 1}]
    answers = _hold_at_once(lambda number: stock.hold(orders[number % 2], reference=f"ORD-{number}"), 12)
    assert answers == ["held"] * 12


@pytest.mark.django_db
@pytest.mark.parametrize(("units", "is_told"), [(12, False), (11, True)])
def test_pages_are_told_of_numbers_that_they_show(make_variant, units, is_told):
    """Ten of a variant may be ordered, and no page says that there are more."""
    variant = make_variant(units=units, max_purchase_qty=10)
    for move in (stock.hold, stock.release):
        Change.objects.all().delete()
        move({variant.pk: 2}, reference="ORD-1")
        assert Change.objects.filter(kind=Change.Kind.STOCK).exists() == is_told
