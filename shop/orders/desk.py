"""What the order desk sees at a glance: how much waits at which step, and how many orders came each day."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone

from .models import Order, OrderLine, ShipmentLine
from .states import Status

DAYS = 7
TO_DO = {
    "pack": "To pack",
    "ship": "To ship",
    "rest": "Rest to ship",
    "way": "On the way",
    "unpaid": "Unpaid",
}


@dataclass(frozen=True, slots=True)
class Tile:
    key: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    orders: int


def orders_to_do(orders: QuerySet[Order], what: str) -> QuerySet[Order]:
    """The orders that wait at one step of the desk (a key of TO_DO)."""
    if what == "rest":
        return _with_rest(orders.filter(status=Status.SHIPPED))
    return orders.filter(_waiting_at()[what])


def _waiting_at() -> dict[str, Q]:
    return {
        "pack": Q(status=Status.PLACED),
        "ship": Q(status=Status.PROCESSING),
        "way": Q(status=Status.SHIPPED),
        "unpaid": Q(status=Status.PENDING),
    }


def _with_rest(orders: QuerySet[Order]) -> QuerySet[Order]:
    """Of which some units are in no parcel yet."""
    units = OrderLine.objects.filter(order=OuterRef("pk")).order_by().values("order").annotate(units=Sum("quantity"))
    parcels = ShipmentLine.objects.filter(shipment__order=OuterRef("pk"), shipment__is_replacement=False)
    sent = parcels.order_by().values("shipment__order")
    sent_units = Coalesce(Subquery(sent.annotate(units=Sum("quantity")).values("units")), 0)
    return orders.annotate(sent_units=sent_units, units=Subquery(units.values("units"))).filter(units__gt=sent_units)


def tiles() -> list[Tile]:
    waiting = _waiting_at()
    counts = Order.objects.filter(status__in=[Status.PENDING, Status.PLACED, Status.PROCESSING, Status.SHIPPED])
    found = counts.aggregate(**{key: Count("pk", filter=rule) for key, rule in waiting.items()})
    found["rest"] = orders_to_do(Order.objects.all(), "rest").count()
    return [Tile(key, label, found[key]) for key, label in TO_DO.items()]


def days() -> list[Day]:
    """Placed orders of the last seven days, today first."""
    today = timezone.localdate()
    start = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    rows = Order.objects.filter(placed_at__gte=start).order_by().annotate(day=TruncDate("placed_at")).values("day")
    counts = {row["day"]: row["orders"] for row in rows.annotate(orders=Count("pk"))}
    return [Day(day, counts.get(day, 0)) for day in (today - timedelta(days=back) for back in range(DAYS))]
