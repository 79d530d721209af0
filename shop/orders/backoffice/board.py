"""The desk's board: which orders wait at which step, the oldest first, and how many came each day."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy

from shop.messaging.languages import LazyText

from ..models import Order, ReturnRequest
from ..shipping.services import arrived_units
from ..signals import naming_columns
from ..states import Status

DAYS = 7
CARDS = 20  # shown of a column; the rest is in the list
Orders = QuerySet[Order]
# What of a return waits for the desk: a decision, the units, a replacement. (Money goes back by itself.)
WAITING_RETURNS = Q(status=ReturnRequest.Status.REQUESTED) | Q(status=ReturnRequest.Status.APPROVED) | Q(
    status=ReturnRequest.Status.RECEIVED, kind=ReturnRequest.Kind.REPLACEMENT
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A step at which orders wait; `waiting` narrows orders to them and notes `since` when.

    `steps` are names of desk_steps.STEPS; without one, the card leads to `place` on the order's page.
    """

    key: str
    label: LazyText | str
    waiting: Callable[[Orders], Orders]
    steps: tuple[str, ...] = ()
    place: str = ""
    place_label: LazyText | str = ""


@dataclass(frozen=True, slots=True)
class Card:
    order: Order
    since: datetime

    @property
    def age(self) -> str:
        return age_of(self.since)

    @property
    def units(self) -> int:
        return self.order.unit_count

    @property
    def arrived(self) -> int:
        """Units that were delivered while others were not."""
        return arrived_units(self.order) if self.order.status == Status.SHIPPED else 0

    @property
    def is_late(self) -> bool:
        """Promised for a day that is over."""
        promised = self.order.expected_delivery
        return promised is not None and promised < timezone.localdate()


@dataclass(frozen=True, slots=True)
class Stack:
    """A column with its oldest cards; `count` and `total_inr` are of all its orders."""

    column: Column
    count: int
    total_inr: Decimal
    cards: list[Card]

    @property
    def more(self) -> int:
        return self.count - len(self.cards)


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    orders: int


def age_of(since: datetime) -> str:
    """How long ago that was, in words of one unit: "3 hours"."""
    return timesince(since, depth=1)


def columns() -> list[Column]:
    """Those of this app and of the apps that come after it."""
    answers: list[Any] = [answer for _, answer in naming_columns.send(Order)]
    return [*OWN_COLUMNS, *(column for answer in answers for column in answer)]


def orders_to_do(orders: Orders, what: str) -> Orders:
    """The orders that wait at one step of the desk (the key of a column); all for an unknown one."""
    column = next((column for column in columns() if column.key == what), None)
    return column.waiting(orders) if column else orders


def board(words: str = "") -> list[Stack]:
    """All columns with their oldest orders, in as many queries however many orders there are."""
    found = Order.objects.search(words)
    stacks = []
    shown: dict[str, list[tuple[int, datetime]]] = {}
    for column in columns():
        waiting = column.waiting(found).order_by()
        sums = waiting.with_due().aggregate(count=Count("pk"), total=Sum("due", default=Decimal(0)))  # type: ignore[attr-defined]
        oldest = waiting.order_by("since", "pk").values_list("pk", "since")[:CARDS] if sums["count"] else []  # type: ignore[misc]
        shown[column.key] = list(oldest)
        stacks.append((column, sums))
    shown_ids = {pk for rows in shown.values() for pk, _ in rows}
    orders = Order.objects.filter(pk__in=shown_ids).with_lines().prefetch_related("shipments__lines").in_bulk()
    return [
        Stack(column, sums["count"], sums["total"], [Card(orders[pk], since) for pk, since in shown[column.key]])
        for column, sums in stacks
    ]


def days() -> list[Day]:
    """Placed orders of the last seven days, today first."""
    today = timezone.localdate()
    start = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    rows = Order.objects.filter(placed_at__gte=start).order_by().annotate(day=TruncDate("placed_at")).values("day")
    counts = {row["day"]: row["orders"] for row in rows.annotate(orders=Count("pk"))}
    return [Day(day, counts.get(day, 0)) for day in (today - timedelta(days=back) for back in range(DAYS))]


# --- The columns ----------------------------------------------------------------------------------


def _with_status(status: str) -> Callable[[Orders], Orders]:
    return lambda orders: orders.filter(status=status).annotate(since=F("created_at"))


def _shipped(orders: Orders) -> Orders:
    """With the units they have, and those that are in parcels."""
    return _with_status(Status.SHIPPED)(orders).with_parcel_units()  # type: ignore[attr-defined]


def _partly_shipped(orders: Orders) -> Orders:
    return _shipped(orders).filter(units__gt=F("sent_units"))  # type: ignore[misc]


def _on_the_way(orders: Orders) -> Orders:
    return _shipped(orders).filter(units__lte=F("sent_units"))  # type: ignore[misc]


def _with_returns(orders: Orders) -> Orders:
    requests = (
        ReturnRequest.objects.filter(WAITING_RETURNS, line__order=OuterRef("pk")).order_by().values("line__order")
    )
    since = Subquery(requests.annotate(since=Min("created_at")).values("since"))
    waiting = ReturnRequest.objects.filter(WAITING_RETURNS).values("line__order")
    return orders.filter(pk__in=waiting).annotate(since=since)


OWN_COLUMNS = (
    Column("pack", gettext_lazy("To pack"), _with_status(Status.PLACED), ("process",)),
    Column("ship", gettext_lazy("To ship"), _with_status(Status.PROCESSING), ("ship",)),
    Column("rest", gettext_lazy("Partly shipped"), _partly_shipped, ("ship",)),
    Column("way", gettext_lazy("On the way"), _on_the_way, ("deliver", "refuse")),
    Column("returns", gettext_lazy("Returns"), _with_returns, place="returns", place_label=gettext_lazy("Decide")),
    Column(
        "unpaid",
        gettext_lazy("Waiting for payment"),
        _with_status(Status.PENDING),
        place="next",
        place_label=gettext_lazy("Open"),
    ),
)
