"""Units of batches: received, on sale, off sale before they expire, and in step with the stock of the variant."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from shop.errors import Invalid
from shop.markets.queries import market_registry

from ...models import Batch, BatchMovement, StockMovement, Variant
from ...stock import services as stock
from ..scanning import Scan, read_scan
from ..services import (
    TooFewInBatches,
    end_sales,
    find_variant,
    lock_variants,
    put_back,
    receive_batch,
    renew_last_days,
    set_recalled,
    take,
    track_by_batch,
    write_off,
)
from ..shelf_life import last_day_of_sale, sold_until

pytestmark = pytest.mark.django_db


def in_days(days):
    return timezone.localdate() + timedelta(days=days)


def receive(variant, number="B1", units=10, expires=400, manufactured=-30, **more):
    more.setdefault("actor", "staff:1")
    return receive_batch(
        variant.pk, number=number, manufactured=in_days(manufactured), expires=in_days(expires), units=units, **more
    )


def counts(variant):
    variant.refresh_from_db()
    return variant.received, variant.on_hand, variant.held, variant.sold, variant.unmet


def test_receiving_puts_units_on_sale_and_the_stock_from_before_becomes_the_opening_batch(make_variant):
    variant = make_variant(units=5)
    stock.hold({variant.pk: 2}, reference="ORD-1")
    receive(variant, units=10)
    assert counts(variant) == (15, 13, 2, 0, 0)
    assert list(Batch.objects.order_by("pk").values_list("number", "units")) == [("", 5), ("B1", 10)]
    assert list(BatchMovement.objects.values_list("kind", "quantity")) == [("opened", 5), ("received", 10)]
    assert StockMovement.objects.last().reference == "B1"


def test_a_form_sent_twice_receives_once_and_more_of_a_batch_has_the_same_dates(make_variant):
    variant = make_variant(units=0)
    first = receive(variant, key="form-1")
    assert receive(variant, key="form-1").pk == first.pk
    receive(variant, " b1 ", units=5, key="form-2")
    assert counts(variant)[1] == Batch.objects.get().units == 15
    with pytest.raises(Invalid) as refusal:
        receive(variant, expires=500)
    assert list(refusal.value.fields) == ["expires"] and counts(variant)[1] == 15


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"number": " – "}, "number"),
        ({"units": 0}, "units"),
        ({"manufactured": 1}, "manufactured"),
        ({"expires": -40}, "expires"),
        ({"expires": 20}, "expires"),
        ({"expires": 366 * 20}, "expires"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(make_variant, given, field):
    variant = make_variant(units=3)
    with pytest.raises(Invalid) as refusal:
        receive(variant, **given)
    assert list(refusal.value.fields) == [field]
    assert not Batch.objects.exists() and not Variant.objects.get(pk=variant.pk).is_batched


def test_stock_that_is_tracked_by_batch_moves_with_its_batch_alone(make_variant):
    variant = make_variant(units=5)
    track_by_batch(variant.pk)
    with pytest.raises(stock.TrackedByBatch):
        stock.receive(variant, 5)
    with pytest.raises(stock.TrackedByBatch):
        stock.receive(variant, -5)
    assert counts(variant) == (5, 5, 0, 0, 0)
    write_off(Batch.objects.get(), 2, actor="staff:1", note="Broken")
    assert counts(variant) == (3, 3, 0, 0, 0)
    for units, note in ((4, "Broken"), (1, " ")):
        with pytest.raises(Invalid):
            write_off(Batch.objects.get(), units, actor="staff:1", note=note)
    assert counts(variant) == (3, 3, 0, 0, 0)


def test_the_promised_rest_of_life_is_the_larger_of_45_days_and_30_per_cent():
    made = date(2026, 1, 1)
    assert sold_until(made, made + timedelta(days=100)) == made + timedelta(days=55)
    assert sold_until(made, made + timedelta(days=1000)) == made + timedelta(days=700)
    assert sold_until(made, made + timedelta(days=150)) == made + timedelta(days=105)
    assert sold_until(made, made + timedelta(days=151)) == made + timedelta(days=151 - 46)
    assert sold_until(None, made) == made - timedelta(days=45)
    assert sold_until(None, None) is None


def test_what_expires_first_goes_first_and_nothing_that_keeps_too_short(make_variant):
    variant = make_variant(units=2)
    late, early = receive(variant, "LATE", 5, expires=800), receive(variant, "EARLY", 5, expires=200)
    lock_variants([variant.pk])
    taken = take(variant.pk, 8, deliver_on=in_days(5), reference="ORD-1", actor="staff:1")
    assert [(str(one.batch), one.units) for one in taken] == [("opening batch", 2), ("EARLY", 5), ("LATE", 1)]
    early.refresh_from_db(), late.refresh_from_db()
    assert (early.units, early.packed, late.units, late.packed) == (0, 5, 4, 1)
    put_back(variant.pk, {early.pk: 5}, reference="ORD-1", actor="staff:1")
    # What is promised for a day on which EARLY keeps too short is taken of LATE, as far as that goes.
    with pytest.raises(TooFewInBatches), transaction.atomic():
        take(variant.pk, 5, deliver_on=early.sold_until + timedelta(days=1), reference="ORD-2", actor="staff:1")
    found = take(variant.pk, 4, deliver_on=early.sold_until + timedelta(days=1), reference="ORD-2", actor="staff:1")
    assert [(one.batch.number, one.units) for one in found] == [("LATE", 4)]


def on_sale():
    """The fewest days before its last day of delivery that a batch is on sale."""
    return (last_day_of_sale() - timezone.localdate()).days


def test_batches_are_off_sale_before_the_slowest_delivery_would_be_too_late(settings, india):
    slowest = max(location.transit_days for location in market_registry().locations.values())
    assert on_sale() == max(settings.BATCH_DELIVERY_DAYS, slowest + 4)
    settings.BATCH_DELIVERY_DAYS = 60
    assert on_sale() == 60


def pass_time(batch, days):
    Batch.objects.filter(pk=batch.pk).update(sold_until=in_days(days))


def test_a_batch_that_ends_is_written_off_as_far_as_nobody_reserved_it(make_variant):
    variant = make_variant(units=0)
    batch = receive(variant, units=10)
    stock.hold({variant.pk: 3}, reference="ORD-1")
    pass_time(batch, on_sale() - 1)
    assert end_sales() == 7
    assert counts(variant) == (3, 0, 3, 0, 0)  # received and on hand fall together
    batch.refresh_from_db()
    assert (batch.units, batch.discarded) == (3, 7)
    assert end_sales() == 0
    pass_time(batch, -1)
    assert end_sales() == 3
    assert counts(variant) == (3, 0, 3, 0, 3)
    assert end_sales() == 0


def test_a_batch_with_enough_life_left_stays_on_sale(make_variant):
    variant = make_variant(units=4)
    batch = receive(variant)
    pass_time(batch, on_sale())
    assert end_sales() == 0 and counts(variant)[1] == 14


def send(variant, units):
    stock.hold({variant.pk: units}, reference="ORD-1")
    stock.sell({variant.pk: units}, reference="ORD-1")
    take(variant.pk, units, deliver_on=in_days(5), reference="ORD-1", actor="staff:1")


def test_changed_settings_change_the_last_day_of_batches_that_are_here(make_variant, settings):
    variant = make_variant(units=2)
    long, unknown = receive(variant, "LONG", expires=970), receive(variant, "MADE?", expires=400, manufactured=-1)
    used = receive(variant, "USED", units=1, expires=370)
    assert renew_last_days() == 0
    send(variant, 3)
    settings.BATCH_REST_DAYS, settings.BATCH_REST_PERCENT = 200, 50
    assert renew_last_days() == 2 and renew_last_days() == 0
    days = dict(Batch.objects.values_list("number", "sold_until"))
    assert (days["LONG"], days["MADE?"]) == (in_days(970 - 500), in_days(400 - 201))
    assert (days["USED"], days[""]) == (used.sold_until, None)  # nothing of it is here; nobody knows when it expires
    settings.BATCH_REST_DAYS = 960
    renew_last_days()
    for batch in (long, unknown):
        batch.refresh_from_db()
        assert batch.sold_until == batch.expires - timedelta(days=960)
    assert end_sales() == 20 and counts(variant)[1] == 0


def test_a_changed_setting_leaves_what_was_sent_before_in_time(make_variant, settings):
    variant = make_variant(units=0)
    batch = receive(variant)
    send(variant, 1)
    settings.BATCH_REST_DAYS = 500
    assert renew_last_days() == 1
    batch.refresh_from_db()
    assert batch.sold_until == timezone.localdate()


def test_units_that_come_in_go_first_to_the_orders_that_wait_for_them(make_variant):
    variant = make_variant(units=0)
    batch = receive(variant, units=5)
    stock.hold({variant.pk: 4}, reference="ORD-1")
    assert set_recalled(batch) and not set_recalled(batch)
    assert counts(variant) == (4, 0, 4, 0, 4)
    receive(variant, "B2", units=3)
    assert counts(variant) == (4, 0, 4, 0, 1)
    stock.release({variant.pk: 2}, reference="ORD-1")  # one of them is covered, and goes on sale
    assert counts(variant) == (3, 1, 2, 0, 0)
    assert Batch.objects.get(number="B2").units == 1 + 2


def test_units_come_back_to_their_batch_unless_it_is_off_sale(make_variant):
    variant = make_variant(units=0)
    batch = receive(variant, units=5)
    stock.hold({variant.pk: 5}, reference="ORD-1")
    stock.sell({variant.pk: 5}, reference="ORD-1")
    take(variant.pk, 5, deliver_on=in_days(1), reference="ORD-1", actor="staff:1")
    assert put_back(variant.pk, {batch.pk: 2}, reference="ORD-1", actor="staff:1") == 0
    assert put_back(variant.pk, {batch.pk: 1}, reference="ORD-1", actor="staff:1", to_bin=True) == 1
    set_recalled(batch)
    assert put_back(variant.pk, {batch.pk: 1}, reference="ORD-1", actor="staff:1") == 1
    batch.refresh_from_db()
    assert (batch.received, batch.units, batch.packed, batch.discarded) == (5, 2, 1, 2)


def test_the_database_refuses_a_batch_that_does_not_add_up(make_variant):
    batch = receive(make_variant())
    with pytest.raises(IntegrityError), transaction.atomic():
        Batch.objects.filter(pk=batch.pk).update(units=11)
    with pytest.raises(IntegrityError), transaction.atomic():
        Variant.objects.filter(pk=batch.variant_id).update(unmet=1)


def test_a_scanned_code_is_a_barcode_or_holds_batch_and_dates():
    day = date(2027, 6, 30)
    assert read_scan(" 8901234567890 ") == Scan("8901234567890")
    assert read_scan("(01)08901234567890(17)270630(10)AB-12") == Scan("08901234567890", "AB-12", None, day)
    raw = "]d201089012345678901725060011250101\x1d10AB12\x1d2112"
    assert read_scan(raw) == Scan("08901234567890", "AB12", date(2025, 1, 1), date(2025, 6, 30))
    assert read_scan("0108901234567890179913") == Scan("0108901234567890179913")


def test_a_scanned_code_finds_its_variant(make_variant):
    variant = make_variant(barcode="8901234567890")
    for code in ("8901234567890", "08901234567890", variant.sku, variant.sku.lower()):
        assert find_variant(code) == variant
    make_variant(barcode="8901234567890")
    for code in ("8901234567890", "nothing", ""):
        with pytest.raises(Invalid) as refusal:
            find_variant(code)
        assert list(refusal.value.fields) == ["code"]
