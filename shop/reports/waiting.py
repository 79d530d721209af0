"""What waits for somebody of the staff: counted beside the entries of the navigation and on the dashboard."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from django.core.cache import cache
from django.db.models import Count, QuerySet, Sum
from django.urls import reverse

from shop.money import from_paise
from shop.orders.models import Order, ReturnRequest
from shop.payments.models import Refund

KEPT_SECONDS = 10
CACHE_KEY = "waiting"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Rows of one screen that wait; `query` is the list's address that shows them."""

    key: str
    label: str
    model: str  # whose screen lists them: "orders.order"
    query: str
    rows: Callable[[], QuerySet]
    paise: str = ""  # the field of what one row is worth, in paise; or
    inr: str = ""  # in INR
    is_work: bool = True  # for the staff; else for the customer

    @property
    def permission(self) -> str:
        app, model = self.model.split(".")
        return f"{app}.view_{model}"

    @property
    def url(self) -> str:
        return f"{reverse('admin:{}_{}_changelist'.format(*self.model.split('.')))}?{self.query}"


@dataclass(frozen=True, slots=True)
class Counted:
    rows: int
    inr: Decimal | None


def _orders(status: str) -> Callable[[], QuerySet]:
    return lambda: Order.objects.filter(status=status)


def _returns(status: str) -> Callable[[], QuerySet]:
    return lambda: ReturnRequest.objects.filter(status=status)


NOT_BACK = (Refund.Status.REQUESTED, Refund.Status.PENDING, Refund.Status.FAILED)
WAITING = (
    Waiting("pack", "To pack", "orders.order", "status__exact=placed", _orders(Order.Status.PLACED)),
    Waiting("ship", "To ship", "orders.order", "status__exact=processing", _orders(Order.Status.PROCESSING)),
    Waiting(
        "unpaid", "Payments waiting", "orders.order", "status__exact=pending", _orders(Order.Status.PENDING),
        inr="total_inr", is_work=False,
    ),
    Waiting(
        "refunds", "Refunds waiting", "payments.refund", f"status__in={','.join(NOT_BACK)}",
        lambda: Refund.objects.filter(status__in=NOT_BACK), paise="amount_paise",
    ),
    Waiting(
        "returns", "Returns to decide", "orders.returnrequest", "status__exact=requested",
        _returns(ReturnRequest.Status.REQUESTED),
    ),
    Waiting(
        "owed", "Returns to settle", "orders.returnrequest", "status__exact=received",
        _returns(ReturnRequest.Status.RECEIVED),
    ),
)  # fmt: skip


def count_waiting() -> dict[str, Counted]:
    """By key of WAITING; at most KEPT_SECONDS old, for it is asked with every page of the staff."""
    counted = cache.get(CACHE_KEY)
    if counted is None:
        counted = _count()
        cache.set(CACHE_KEY, counted, KEPT_SECONDS)
    return counted


def _count() -> dict[str, Counted]:
    counted = {}
    for waiting in WAITING:
        worth = waiting.inr or waiting.paise
        sums = {"worth": Sum(worth, default=0)} if worth else {}
        found = waiting.rows().order_by().aggregate(rows=Count("pk"), **sums)
        inr = from_paise(found["worth"]) if waiting.paise else found.get("worth")
        counted[waiting.key] = Counted(found["rows"], inr)
    return counted


def work_by_model() -> dict[str, int]:
    """How much of it is the staff's to do, by the model whose screen lists it."""
    counted = count_waiting()
    work: dict[str, int] = {}
    for waiting in WAITING:
        if waiting.is_work:
            work[waiting.model] = work.get(waiting.model, 0) + counted[waiting.key].rows
    return work
