"""What is sold and in no parcel yet, which batches would go into it, and which a parcel took."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from shop.catalog.batches.services import Taken
from shop.catalog.models import Batch

from ..models import Order, OrderLine, ShipmentLine

OPEN = (Order.Status.PLACED, Order.Status.PROCESSING, Order.Status.SHIPPED)


@dataclass(frozen=True, slots=True)
class Need:
    """Units of an order line that are in no parcel yet, and the day they are promised for."""

    order_id: int
    line_id: int
    variant_id: int
    units: int
    deliver_on: date


def delivery_day(order: Order) -> date:
    """The promised day, or today where that is over."""
    today = timezone.localdate()
    return max(order.expected_delivery or today, today)


def open_needs(variants: Iterable[int] | None = None) -> list[Need]:
    """Of placed orders that have not ended, the oldest first: all variants that are tracked by batch, or these."""
    in_parcels = Coalesce(Sum("shipped__quantity", filter=Q(shipped__shipment__is_replacement=False)), 0)
    lines = OrderLine.objects.filter(order__status__in=OPEN, order__placed_at__isnull=False)
    lines = lines.filter(variant__is_batched=True) if variants is None else lines.filter(variant__in=list(variants))
    left = lines.annotate(left=F("quantity") - F("cancelled") - in_parcels).filter(left__gt=0)
    rows = left.select_related("order").order_by("order__placed_at", "pk")
    return [Need(line.order_id, line.pk, line.variant_id, line.left, delivery_day(line.order)) for line in rows]


def unpacked_by_variant(variants: Iterable[int] | None = None) -> dict[int, int]:
    """Units sold and in no parcel yet."""
    found: dict[int, int] = {}
    for need in open_needs(variants):
        found[need.variant_id] = found.get(need.variant_id, 0) + need.units
    return found


def allocate(needs: Sequence[Need]) -> tuple[dict[int, list[Taken]], dict[int, int]]:
    """Line id to the batches that would go into its parcel if these were packed one after another, and line id to the
    units that no batch covers. Nothing is changed."""
    variants = {need.variant_id for need in needs}
    batches: dict[int, list[Batch]] = {}
    for batch in Batch.objects.in_shop().filter(variant__in=variants).first_expired_first() if variants else ():
        batches.setdefault(batch.variant_id, []).append(batch)
    taken: dict[int, list[Taken]] = {}
    short: dict[int, int] = {}
    for need in needs:
        left = need.units
        for batch in batches.get(need.variant_id, ()):
            is_good = batch.sold_until is None or batch.sold_until >= need.deliver_on
            if share := min(left, batch.units) if is_good else 0:
                batch.units -= share  # of the object alone
                left -= share
                taken.setdefault(need.line_id, []).append(Taken(batch, share))
        if left:
            short[need.line_id] = left
    return taken, short


def batches_of_lines(order: Order) -> dict[int, list[dict[str, Any]]]:
    """Line id to the copies of the batches in the parcels of an order, replacements among them."""
    found: dict[int, list[dict[str, Any]]] = {}
    rows = ShipmentLine.objects.filter(shipment__order=order).exclude(batches=[])
    for line_id, copies in rows.values_list("order_line_id", "batches"):
        found.setdefault(line_id, []).extend(copies)
    return found
