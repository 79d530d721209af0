"""What is to be picked from the shelves for some orders, and what goes into each of their parcels."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext

from ..batches.copies import batch_words, copy_of
from ..batches.queries import Need, allocate, delivery_day
from ..models import Order, OrderLine, ShipmentLine
from ..states import Status

MAX_PACKED = 100
PACKABLE = (Status.PLACED, Status.PROCESSING, Status.SHIPPED)


@dataclass(frozen=True, slots=True)
class Slip:
    """One order with the units that are still to be packed."""

    order: Order
    rows: list[tuple[int, OrderLine]]
    batches: dict[int, str] = field(default_factory=dict)  # by line: which batches to take, in words

    @property
    def marked_rows(self) -> list[tuple[int, OrderLine, str]]:
        return [(quantity, line, self.batches.get(line.pk, "")) for quantity, line in self.rows]

    @property
    def units(self) -> int:
        return sum(quantity for quantity, _ in self.rows)


@dataclass(frozen=True, slots=True)
class Pick:
    """Units of one SKU over all slips, and in how many orders they go."""

    line: OrderLine
    units: int
    orders: int


def slips_of(pks: Iterable[int]) -> list[Slip]:
    """The slips of the orders that have something left to pack, oldest first, at most MOST."""
    orders = (
        Order.objects.filter(pk__in=list(pks), status__in=PACKABLE)
        .with_lines()
        .order_by("created_at", "pk")[:MAX_PACKED]
    )
    sent = ShipmentLine.objects.filter(
        shipment__order__in=[order.pk for order in orders], shipment__is_replacement=False
    )
    packed: dict[int, int] = {}
    for line_id, quantity in sent.values_list("order_line_id", "quantity"):
        packed[line_id] = packed.get(line_id, 0) + quantity
    slips = []
    for order in orders:
        left = [(line.kept - packed.get(line.pk, 0), line) for line in order.lines.all()]
        if rows := [(quantity, line) for quantity, line in left if quantity > 0]:
            slips.append(Slip(order, rows))
    _add_batches(slips)
    return slips


def _add_batches(slips: list[Slip]) -> None:
    """The batches that packing would take now, one slip after another; one query where none is tracked."""
    lines = {line.pk: slip for slip in slips for _, line in slip.rows}
    tracked = dict(OrderLine.objects.filter(pk__in=lines, variant__is_batched=True).values_list("pk", "variant_id"))
    needs = [
        Need(slip.order.pk, line.pk, tracked[line.pk], quantity, delivery_day(slip.order))
        for slip in slips
        for quantity, line in slip.rows
        if line.pk in tracked
    ]
    taken, short = allocate(needs)
    for need in needs:
        slip = lines[need.line_id]
        words = batch_words(copy_of(taken.get(need.line_id, ()))) or gettext("Stock without a batch number")
        if missing := short.get(need.line_id):
            words = gettext("%(units)s units: no batch with a late enough expiry date") % {"units": missing}
        slip.batches[need.line_id] = words


def picks_of(slips: Iterable[Slip]) -> list[Pick]:
    """What to take from the shelves, by SKU."""
    found: dict[str, list[tuple[int, OrderLine]]] = {}
    for slip in slips:
        for quantity, line in slip.rows:
            found.setdefault(line.sku, []).append((quantity, line))
    return [
        Pick(rows[0][1], sum(quantity for quantity, _ in rows), len({line.order_id for _, line in rows}))
        for _, rows in sorted(found.items())
    ]
