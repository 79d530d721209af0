"""Batches into parcels and back. Called inside the transaction that ships or receives, under the lock of the order."""

from collections.abc import Iterable

from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.utils.translation import gettext

from shop.catalog.batches import services as batches
from shop.catalog.batches.shelf_life import last_day_of_sale
from shop.catalog.models import Variant
from shop.catalog.stock import services as stock
from shop.errors import Invalid

from ..models import OrderEvent, OrderLine, ReturnRequest, Shipment, ShipmentLine
from ..shipping.event_notes import RETURN_OF_BATCH
from ..signals import parcel_packed
from .copies import copy_of
from .models import ReturnedBatch, ShippedBatch
from .queries import delivery_day


def pack_batches(shipment: Shipment, lines: Iterable[ShipmentLine], *, actor: str) -> None:
    """Take what these new lines of a parcel hold of the batches that expire first; lines of variants that are not
    tracked by batch stay as they are. Later apps note then what was packed (`parcel_packed`). Locks the variants in
    ascending order. Raises TooFewInBatches."""
    lines = list(lines)
    _take_batches(shipment, lines, actor)
    parcel_packed.send(Shipment, lines=lines)


def _take_batches(shipment: Shipment, lines: list[ShipmentLine], actor: str) -> None:
    ids = OrderLine.objects.filter(pk__in=[line.order_line_id for line in lines]).values("variant_id")
    tracked = {pk for pk, variant in batches.lock_variants(ids).items() if variant.is_batched}
    if not tracked:
        return
    day = last_day_of_sale() if shipment.is_replacement else delivery_day(shipment.order)
    named = OrderLine.objects.in_bulk([line.order_line_id for line in lines])
    for line in sorted(lines, key=lambda one: named[one.order_line_id].variant_id):
        own = named[line.order_line_id]
        if own.variant_id not in tracked:
            continue
        taken = batches.take(
            own.variant_id, line.quantity, deliver_on=day, reference=shipment.order.number, actor=actor,
            name=own.product_name,
        )  # fmt: skip
        ShippedBatch.objects.bulk_create(
            ShippedBatch(shipment_line=line, batch=one.batch, quantity=one.units) for one in taken
        )
        line.batches = copy_of(taken)
        line.save(update_fields=["batches"])


def take_in_parcels(parcels: "QuerySet[Shipment]", *, reference: str, actor: str) -> None:
    """All of these parcels came back unopened, and the stock of their units is on hand already: the units are in their
    batches again, and those of batches that are off sale are written off."""
    rows = ShipmentLine.objects.filter(shipment__in=parcels, order_line__variant__is_batched=True)
    units: dict[int, dict[int, int]] = {}
    for line in rows.select_related("order_line").prefetch_related("shipped_batches").order_by("pk"):
        variant_id = line.order_line.variant_id
        left = [(row, row.quantity - row.came_back) for row in line.shipped_batches.all()]
        back = units.setdefault(variant_id, {})
        _add(back, left)
        if before := line.quantity - sum(row.quantity for row, _ in left):
            batch = batches.opening_batch_of_sent(variant_id, before)
            back[batch.pk] = back.get(batch.pk, 0) + before
    for variant_id, back in sorted(units.items()):
        binned = batches.put_back(variant_id, back, reference=reference, actor=actor)
        if binned:
            stock.lose({variant_id: binned}, note=reference)


def _add(back: dict[int, int], rows: Iterable[tuple[ShippedBatch, int]]) -> None:
    """Count these units as back, and add them up by batch."""
    for row, units in rows:
        if units:
            ShippedBatch.objects.filter(pk=row.pk).update(came_back=F("came_back") + units)
            back[row.batch_id] = back.get(row.batch_id, 0) + units


def take_in_return(
    request: ReturnRequest, *, is_restocked: bool, is_refused_parcel: bool, actor: str, number: str = ""
) -> None:
    """The units of a return are back at the shop: in their batch again, or written off; `number` is the batch on the
    pack, which is asked for where the customer has units of several. The stock of what is restocked is on hand already.

    Locks the variant, which may be one without batches: nothing happens then. Raises Invalid for a batch that the
    customer did not get, or a reason for which nothing goes back on sale.
    """
    line = request.line
    variant = Variant.objects.get(pk=line.variant_id)
    if not variant.is_batched:
        return
    if is_restocked and not request.reason.is_restockable:
        words = gettext("Units returned for this reason are written off: %(reason)s.")
        raise Invalid(words % {"reason": request.reason.name})
    batches.lock_variants([variant.pk])
    chosen = _chosen(_sent_rows(line, is_refused_parcel=is_refused_parcel), request.quantity, number)
    back: dict[int, int] = {}
    _add(back, chosen)
    if before := request.quantity - sum(back.values()):
        batch = batches.opening_batch_of_sent(variant.pk, before)
        back[batch.pk] = back.get(batch.pk, 0) + before
    binned = 0
    for batch_id, units in sorted(back.items()):
        away = batches.put_back(
            variant.pk, {batch_id: units}, reference=line.order.number, actor=actor, to_bin=not is_restocked
        )
        returned = ReturnedBatch.objects.create(
            request=request, batch_id=batch_id, quantity=units, is_binned=bool(away)
        )
        binned += away
        if number := returned.batch.number:
            note = RETURN_OF_BATCH % {"batch": number}
            OrderEvent.objects.create(order=line.order, actor=actor, note=note)
    if is_restocked and binned:
        stock.lose({variant.pk: binned}, note=line.order.number)


def _sent_rows(line: OrderLine, *, is_refused_parcel: bool) -> list[tuple[ShippedBatch, int]]:
    """Units of a line that may come back, first those of parcels that arrived, and of these the line's own before
    replacements: what is still on its way may be refused, and comes back then by itself."""
    rows = ShippedBatch.objects.filter(
        shipment_line__order_line=line,
        shipment_line__shipment__refused_at__isnull=not is_refused_parcel,
        came_back__lt=F("quantity"),
    )
    is_moving = ExpressionWrapper(Q(shipment_line__shipment__delivered_at=None), BooleanField())
    ordered = rows.select_related("batch").order_by(is_moving, "shipment_line__shipment__is_replacement", "pk")
    return [(row, row.quantity - row.came_back) for row in ordered]


def _chosen(rows: list[tuple[ShippedBatch, int]], units: int, number: str) -> list[tuple[ShippedBatch, int]]:
    """Of which rows so many units are; what no row covers was sent before batches were tracked."""
    number = number.strip().upper()
    known = sorted({row.batch.number for row, _ in rows})
    if number:
        rows = [(row, left) for row, left in rows if row.batch.number == number]
        if sum(left for _, left in rows) < units:
            words = gettext("This customer got other batches: %(numbers)s.") % {"numbers": _listed(known)}
            raise Invalid(words, fields={"batch": [words]})
    elif len(known) > 1 and sum(left for _, left in rows) > units:
        words = gettext("Enter the batch number on the pack: %(numbers)s.") % {"numbers": _listed(known)}
        raise Invalid(words, fields={"batch": [words]})
    chosen = []
    for row, left in rows:
        share = min(left, units)
        units -= share
        chosen.append((row, share))
    return chosen


def _listed(numbers: Iterable[str]) -> str:
    return ", ".join(filter(None, numbers)) or "–"
