"""Until when the lines of an order may come back, as the mails and pages say it.

The windows are data of the catalogue (shop/catalog/products/return_windows.py); each line kept at checkout what
shortens them.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max

from shop.catalog.models import ReturnReason
from shop.catalog.products.return_windows import return_windows
from shop.markets.geography.local_time import in_zone_of

from ..models import Order, OrderLine, ShipmentLine


@dataclass(frozen=True, slots=True)
class Window:
    reason: str  # in the active language
    days: int
    until: date | None  # once the order was delivered; of the last of its parcels


@dataclass(frozen=True, slots=True)
class WindowsOfLines:
    """Lines that share their windows; none are left to those that never come back."""

    names: list[str]
    windows: list[Window]


def windows_of_line(line: OrderLine) -> list[tuple[ReturnReason, int]]:
    return return_windows(is_returnable=line.is_returnable, max_days=line.return_days)


def windows_of_order(order: Order) -> list[WindowsOfLines]:
    """The lines of an order by the windows they share, in the order of the lines; without those that were cancelled."""
    groups: dict[tuple[bool, int | None, date | None], list[OrderLine]] = {}
    arrived = {} if order.status == Order.Status.PLACED else _arrivals_of(order)
    for line in (line for line in order.lines.all() if line.kept):
        groups.setdefault((line.is_returnable, line.return_days, arrived.get(line.pk)), []).append(line)
    return [
        WindowsOfLines(
            [line.translated.product_name for line in lines],
            [
                Window(reason.translated.name, days, day and day + timedelta(days=days))
                for reason, days in windows_of_line(lines[0])
            ],
        )
        for (_, _, day), lines in groups.items()
    ]


def _arrivals_of(order: Order) -> dict[int, date]:
    """The day there on which the last units of each line arrived, by line id; empty before the order is delivered."""
    if not order.delivered_at:
        return {}
    of_order = ShipmentLine.objects.filter(shipment__order=order, shipment__is_replacement=False).order_by()
    last = dict(of_order.values_list("order_line_id").annotate(Max("shipment__delivered_at")))
    found = {line.pk: last.get(line.pk, order.delivered_at) for line in order.lines.all()}
    return {line_id: in_zone_of(order, at).date() for line_id, at in found.items() if at}
