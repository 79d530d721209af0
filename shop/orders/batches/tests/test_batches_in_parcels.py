"""Parcels take the batch that expires first; what comes back goes to its batch or to the bin; the sums hold."""

from datetime import timedelta

import pytest

from shop.catalog.batches.queries import BatchQuerySet
from shop.catalog.batches.services import TooFewInBatches, set_recalled, track_by_batch
from shop.catalog.models import Batch, ReturnReason, Variant
from shop.errors import Invalid
from shop.messaging.models import Message
from shop.payments.reconciliation.invariants_after import batches_that_do_not_fit

from ...models import Order, ReturnRequest, ShipmentLine
from ...placing.services import cancel_order
from ...returns.services import approve, receive, request_return, send_replacement
from ...shipping.services import deliver, refuse, ship
from ..copies import batch_words
from ..models import ShippedBatch
from ..queries import allocate, open_needs
from .conftest import in_days

pytestmark = pytest.mark.django_db


def batches_of(parcel):
    rows = ShippedBatch.objects.filter(shipment_line__shipment=parcel)
    return list(rows.values_list("batch__number", "quantity"))


def units():
    return dict(Batch.objects.values_list("number", "units"))


def adds_up():
    return list(batches_that_do_not_fit()) == []


def test_a_parcel_takes_what_expires_first_and_keeps_a_copy(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 4})
    assert adds_up() and units() == {"EARLY": 3, "LATE": 5}
    parcel = ship(order, actor="staff:1")
    assert batches_of(parcel) == [("EARLY", 3), ("LATE", 1)]
    assert units() == {"EARLY": 0, "LATE": 4} and adds_up()
    copies = parcel.lines.get().batches
    assert [(copy["number"], copy["units"]) for copy in copies] == [("EARLY", 3), ("LATE", 1)]
    assert batch_words(copies[:1]) == f"Batch EARLY (expires {in_days(200):%b %Y})"


def test_the_shipping_mail_and_the_answer_of_the_api_name_the_batches(two_batches, placed, client):
    variant, _, late = two_batches
    order = placed({variant: 4})
    ship(order, actor="staff:1")
    mail = Message.objects.get(kind="order_shipped")
    for text in (mail.text, mail.html):
        assert "3 × Batch EARLY (expires" in text and f"1 × Batch LATE (expires {late.expires:%b %Y})" in text
    client.force_login(order.customer)
    [told] = client.post("/user-orders/", {}, content_type="application/json").json()
    [item] = told["order_items"]
    assert [(one["number"], one["units"]) for one in item["batches"]] == [("EARLY", 3), ("LATE", 1)]
    assert item["batches"][1]["expires"] == late.expires.isoformat()


def test_what_is_not_tracked_by_batch_names_none(make_variant, placed, client):
    order = placed({make_variant(units=5): 1})
    ship(order, actor="staff:1")
    assert "Batch" not in Message.objects.get(kind="order_shipped").text
    client.force_login(order.customer)
    [told] = client.post("/user-orders/", {}, content_type="application/json").json()
    assert told["order_items"][0]["batches"] == []


def test_parcels_in_parts_take_their_own(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 4})
    line = order.lines.get()
    first, second = ship(order, {line.pk: 1}, actor="staff:1"), ship(order, {line.pk: 3}, actor="staff:1")
    assert batches_of(first) == [("EARLY", 1)] and batches_of(second) == [("EARLY", 2), ("LATE", 1)] and adds_up()


def test_nothing_that_keeps_too_short_on_the_promised_day_is_sent(two_batches, placed):
    variant, early, _ = two_batches
    order = placed({variant: 2})
    day = early.sold_until + timedelta(days=1)
    Order.objects.filter(pk=order.pk).update(expected_delivery=day)
    assert batches_of(ship(order, actor="staff:1")) == [("LATE", 2)]
    other = placed({variant: 4})
    Order.objects.filter(pk=other.pk).update(expected_delivery=day)
    with pytest.raises(TooFewInBatches) as refusal:
        ship(other, actor="staff:1")
    assert "3 of 4" in refusal.value.message
    other.refresh_from_db()
    assert other.status == "placed" and not other.shipments.exists() and adds_up()


def test_an_overdue_order_gets_nothing_that_is_too_old_today(two_batches, placed):
    variant, early, _ = two_batches
    order = placed({variant: 2})
    Order.objects.filter(pk=order.pk).update(expected_delivery=in_days(-5))
    Batch.objects.filter(pk=early.pk).update(sold_until=in_days(-1))
    assert batches_of(ship(order, actor="staff:1")) == [("LATE", 2)]


def test_without_the_last_day_of_delivery_an_expired_batch_is_sent(two_batches, placed, monkeypatch):
    """Negative control: what keeps it here is the day alone, and `check_shop` names what was sent after it."""
    variant, early, _ = two_batches
    order = placed({variant: 2})
    Batch.objects.filter(pk=early.pk).update(sold_until=in_days(-1))
    monkeypatch.setattr(BatchQuerySet, "packable", lambda rows, day: rows.in_shop().first_expired_first())
    assert batches_of(ship(order, actor="staff:1")) == [("EARLY", 2)]
    assert list(batches_that_do_not_fit()) == [f"{order}: packed of batch {early.pk} after its last day"]


def test_a_recalled_batch_is_not_sent(two_batches, placed):
    variant, early, _ = two_batches
    order = placed({variant: 4})
    set_recalled(early)
    assert adds_up()
    assert batches_of(ship(order, actor="staff:1")) == [("LATE", 4)] and adds_up()
    assert Variant.objects.get(pk=variant.pk).on_hand == 1


def test_variants_without_batches_are_shipped_as_before(make_variant, placed):
    order = placed({make_variant(): 2})
    parcel = ship(order, actor="staff:1")
    assert parcel.lines.get().batches == [] and not ShippedBatch.objects.exists() and adds_up()


def test_turning_batches_on_counts_what_is_sold_and_not_packed(make_variant, placed):
    variant = make_variant(units=9, max_purchase_qty=9)
    order, ended = placed({variant: 4}), placed({variant: 2})
    ship(order, {order.lines.get().pk: 1}, actor="staff:1")
    cancel_order(ended, actor="staff:1")
    track_by_batch(variant.pk)
    assert units() == {"": 5 + 3} and adds_up()
    parcel = ship(order, actor="staff:1")
    assert batches_of(parcel) == [("", 3)] and batch_words(parcel.lines.get().batches) == "" and adds_up()
    # Its first parcel left before: what of it comes back belongs to the opening batch as well.
    for one in order.shipments.all():
        refuse(one, actor="staff:1")
    assert units() == {"": 9} and Variant.objects.get(pk=variant.pk).on_hand == 9 and adds_up()


def test_a_refused_order_is_in_its_batches_again_and_what_is_off_sale_is_written_off(two_batches, placed):
    variant, _, late = two_batches
    parcel = ship(placed({variant: 4}), actor="staff:1")
    set_recalled(late)
    refuse(parcel, actor="staff:1")
    assert units() == {"EARLY": 3, "LATE": 4} and adds_up()
    late.refresh_from_db()
    assert (late.packed, late.discarded) == (0, 1)
    assert Variant.objects.get(pk=variant.pk).on_hand == 3


def returned(order, reason="wrong-item", kind="refund", quantity=1, **more):
    for parcel in order.shipments.filter(delivered_at=None):
        deliver(parcel, actor="staff:1")
    line = order.lines.get()
    request = request_return(line, customer=order.customer, kind=kind, reason=reason, quantity=quantity, **more)
    return approve(request, actor="staff:1")


def test_a_return_goes_to_the_batch_on_the_pack(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 4})
    ship(order, actor="staff:1")
    request = returned(order)
    for number in ("", "OTHER"):
        with pytest.raises(Invalid) as refusal:
            receive(request, actor="staff:1", is_restocked=True, batch=number)
        assert "EARLY, LATE" in refusal.value.message
    receive(request, actor="staff:1", is_restocked=True, batch=" late ")
    assert units() == {"EARLY": 0, "LATE": 5} and adds_up()
    assert list(request.returned_batches.values_list("batch__number", "quantity", "is_binned")) == [("LATE", 1, False)]


def test_a_return_is_of_the_parcel_that_arrived_and_a_refused_one_comes_back_whole(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 3})
    line = order.lines.get()
    moving, arrived = ship(order, {line.pk: 2}, actor="staff:1"), ship(order, {line.pk: 1}, actor="staff:1")
    deliver(arrived, actor="staff:1")
    request = request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=1)
    receive(approve(request, actor="staff:1"), actor="staff:1", is_restocked=True)
    refuse(moving, actor="staff:1")
    returned = ReturnRequest.objects.get(status="approved")
    receive(returned, actor="staff:1", is_restocked=True)
    assert units() == {"EARLY": 3, "LATE": 5} and adds_up()


def test_a_reason_decides_that_units_are_written_off(two_batches, placed):
    variant, early, _ = two_batches
    ReturnReason.objects.filter(slug="wrong-item").update(is_restockable=False)
    order = placed({variant: 2})
    ship(order, actor="staff:1")
    request = returned(order)
    with pytest.raises(Invalid):
        receive(request, actor="staff:1", is_restocked=True)
    receive(request, actor="staff:1", is_restocked=False)
    early.refresh_from_db()
    assert (early.units, early.packed, early.discarded) == (1, 1, 1) and adds_up()
    assert not ReturnReason.objects.get(slug="damaged").is_restockable


def test_a_replacement_takes_a_batch_and_gives_it_back_when_refused(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 3})
    ship(order, actor="staff:1")
    request = returned(order, kind="replacement")
    receive(request, actor="staff:1", is_restocked=False)
    parcel = send_replacement(request, actor="staff:1")
    assert batches_of(parcel) == [("LATE", 1)] and adds_up()
    refuse(parcel, actor="staff:1")
    assert units() == {"EARLY": 0, "LATE": 5} and adds_up()
    assert ReturnRequest.objects.get().status == "received"


def test_the_plan_of_a_packing_list_is_what_packing_takes(two_batches, placed):
    variant, _, _ = two_batches
    first, second = placed({variant: 2}), placed({variant: 3})
    plan, short = allocate(open_needs())
    found = {pk: [(one.batch.number, one.units) for one in taken] for pk, taken in plan.items()}
    assert found == {first.lines.get().pk: [("EARLY", 2)], second.lines.get().pk: [("EARLY", 1), ("LATE", 2)]}
    assert short == {}
    assert batches_of(ship(first, actor="staff:1")) == [("EARLY", 2)]
    assert batches_of(ship(second, actor="staff:1")) == [("EARLY", 1), ("LATE", 2)]
    assert ShipmentLine.objects.count() == 2
