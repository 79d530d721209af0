"""Where the units came from and went to: every unit that was sold was received in the month before."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from shop.catalog.models import StockMovement, Variant
from shop.orders.models import OrderLine, ReturnRequest

from .orders import Sale

Kind = StockMovement.Kind
BATCH = 500


def add_movements(sales: list[Sale]) -> None:
    """What is on hand stays, and grows by what came back."""
    movements = [movement for sale in sales for line in sale.lines for movement in _movements_of(sale, line)]
    restock: dict[tuple[Any, ...], int] = Counter()
    for movement in movements:
        if movement.kind == Kind.SOLD:
            month = timezone.localtime(movement.at).replace(day=1, hour=6, minute=0, second=0, microsecond=0)
            restock[movement.variant_id, month] += movement.quantity
    received = (
        StockMovement(variant_id=pk, kind=Kind.RECEIVED, quantity=units, reference="monthly delivery", at=at)
        for (pk, at), units in restock.items()
    )
    everything = sorted([*received, *movements], key=lambda movement: movement.at)
    StockMovement.objects.bulk_create(everything, batch_size=BATCH)
    _add_up(everything)


def _movements_of(sale: Sale, line: OrderLine) -> Iterator[StockMovement]:
    def moved(kind: str, at: Any, quantity: int = line.quantity) -> StockMovement:
        reference = sale.order.number
        return StockMovement(variant_id=line.variant_id, kind=kind, quantity=quantity, reference=reference, at=at)

    yield moved(Kind.HELD, sale.story.at)
    if not sale.placed_at:
        yield moved(Kind.RELEASED, sale.ended_at)
        return
    yield moved(Kind.SOLD, sale.placed_at)
    request = sale.request if sale.request and sale.request.line is line else None
    if sale.ended_at:
        yield moved(Kind.RETURNED, sale.ended_at)
    elif request and request.is_restocked:
        yield moved(Kind.RETURNED, request.received_at, request.quantity)
    elif request and request.status == ReturnRequest.Status.REPLACED:
        yield moved(Kind.HELD, request.closed_at, request.quantity)
        yield moved(Kind.SOLD, request.closed_at, request.quantity)


def _add_up(movements: list[StockMovement]) -> None:
    units: dict[int, Counter[str]] = {}
    for movement in movements:
        units.setdefault(movement.variant_id, Counter())[movement.kind] += movement.quantity
    variants = list(Variant.objects.filter(pk__in=units).only("received", "on_hand", "sold"))
    for variant in variants:
        moved = units[variant.pk]
        variant.received += moved[Kind.RECEIVED]
        variant.on_hand += moved[Kind.RETURNED]
        variant.sold += moved[Kind.SOLD] - moved[Kind.RETURNED]
    Variant.objects.bulk_update(variants, ["received", "on_hand", "sold"], batch_size=200)
