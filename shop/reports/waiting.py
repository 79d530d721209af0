"""What waits for somebody of the staff: counted beside the entries of the navigation and on the dashboard."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.cache import cache
from django.db.models import CharField, Count, DateTimeField, DecimalField, Min, QuerySet, Sum, Value
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext, gettext_lazy

from shop.care.models import Complaint, Enquiry
from shop.jobs.models import FailedRow
from shop.messaging.languages import LazyText
from shop.money import INR, display, from_paise
from shop.orders.backoffice.board import orders_to_do
from shop.orders.models import Order, ReturnRequest
from shop.orders.returns.services import to_settle
from shop.payments.models import ProviderEvent, Refund
from shop.pharmacy.models import OrderPrescription
from shop.reviews.models import Answer, Question, Review

KEPT_SECONDS = 10
CACHE_KEY = "waiting"
MONEY = DecimalField(max_digits=20, decimal_places=2)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Rows of one list that wait; `query` is the list's address that shows them."""

    key: str
    label: LazyText
    model: str  # whose admin lists them: "orders.order"
    query: str
    rows: Callable[[], QuerySet[Any]]
    paise: str = ""  # the field of what one row is worth, in paise; or
    inr: str = ""  # in INR
    due: str = ""  # the field that says until when one row may wait; or
    since: str = ""  # since when it waits
    is_work: bool = True  # for the staff; else for the customer
    is_rare: bool = False  # has a tile only while there are any

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
    due: datetime | None  # of the row whose clock runs out first
    since: datetime | None  # of the row that waits longest

    @property
    def note(self) -> str:
        """What it is worth, or how long is left or over, in words."""
        now = timezone.now()
        if self.due and self.due < now:
            return gettext("Overdue by {time}").format(time=timesince(self.due, now))
        if self.due:
            return gettext("{time} left").format(time=timeuntil(self.due, now))
        if self.since:
            return gettext("Oldest: {time}").format(time=timesince(self.since, now, depth=1))
        return "" if not self.inr else display(self.inr, INR)


def _orders(status: str) -> Callable[[], QuerySet[Any]]:
    return lambda: Order.objects.filter(status=status)


def _returns(status: str) -> Callable[[], QuerySet[Any]]:
    return lambda: ReturnRequest.objects.filter(status=status)


def _complaints(state: str) -> Callable[[], QuerySet[Any]]:
    return lambda: Complaint.objects.filter(state=state)


def _texts(model: type[Review] | type[Question] | type[Answer]) -> Callable[[], QuerySet[Any]]:
    return lambda: model.objects.filter(state=model.State.WAITING)


NOT_BACK = (Refund.Status.REQUESTED, Refund.Status.PENDING, Refund.Status.FAILED)
WAITING = (
    Waiting("pack", gettext_lazy("To pack"), "orders.order", "status__exact=placed", _orders(Order.Status.PLACED)),
    Waiting(
        "ship", gettext_lazy("To ship"), "orders.order", "status__exact=processing", _orders(Order.Status.PROCESSING)
    ),
    Waiting(
        "rest", gettext_lazy("Partly shipped"), "orders.order", "to_do=rest",
        lambda: orders_to_do(Order.objects.all(), "rest"),
    ),
    Waiting(
        "unpaid", gettext_lazy("Awaiting payment"), "orders.order", "status__exact=pending",
        _orders(Order.Status.PENDING), inr="total_inr", is_work=False,
    ),
    Waiting(
        "refunds", gettext_lazy("Pending refunds"), "payments.refund", f"status__in={','.join(NOT_BACK)}",
        lambda: Refund.objects.filter(status__in=NOT_BACK), paise="amount_paise",
    ),
    Waiting(
        "returns", gettext_lazy("Returns to decide"), "orders.returnrequest", "status__exact=requested",
        _returns(ReturnRequest.Status.REQUESTED),
    ),
    Waiting(
        "owed", gettext_lazy("Returns to settle"), "orders.returnrequest", "due=owed",
        lambda: to_settle(ReturnRequest.objects.all()),
    ),
    Waiting(
        "failed", gettext_lazy("Failed automatic tasks"), "chores.failedrow", "", FailedRow.objects.all,
        since="first_at", is_rare=True,
    ),
    Waiting(
        "complaints", gettext_lazy("Complaints to acknowledge"), "care.complaint", "state__exact=received",
        _complaints(Complaint.State.RECEIVED), due="acknowledge_by",
    ),
    Waiting(
        "acknowledged", gettext_lazy("Complaints to resolve"), "care.complaint", "state__exact=acknowledged",
        _complaints(Complaint.State.ACKNOWLEDGED), due="resolve_by",
    ),
    Waiting(
        "messages", gettext_lazy("New messages"), "care.enquiry", "state__exact=new",
        lambda: Enquiry.objects.filter(state=Enquiry.State.NEW), since="created_at",
    ),
    Waiting(
        "prescriptions", gettext_lazy("Prescriptions to check"), "pharmacy.orderprescription", "",
        OrderPrescription.objects.waiting, due="due", is_rare=True,
    ),
    Waiting(
        "reviews", gettext_lazy("Reviews to approve"), "reviews.review", "state__exact=waiting", _texts(Review),
        since="submitted_at", is_rare=True,
    ),
    Waiting(
        "questions", gettext_lazy("Questions to approve"), "reviews.question", "state__exact=waiting", _texts(Question),
        since="submitted_at", is_rare=True,
    ),
    Waiting(
        "answers", gettext_lazy("Answers to approve"), "reviews.answer", "state__exact=waiting", _texts(Answer),
        since="submitted_at", is_rare=True,
    ),
    Waiting(
        "events", gettext_lazy("Failed provider events"), "payments.providerevent",
        "failed_at__isempty=0&handled_at__isempty=1", lambda: ProviderEvent.objects.failed(),
        is_rare=True,
    ),
)  # fmt: skip


def count_waiting() -> dict[str, Counted]:
    """By key of WAITING; at most KEPT_SECONDS old, for it is asked with every page of the staff."""
    counted: dict[str, Counted] | None = cache.get(CACHE_KEY)
    if counted is None:
        counted = _count()
        cache.set(CACHE_KEY, counted, KEPT_SECONDS)
    return counted


def _count() -> dict[str, Counted]:
    """All of it in one query."""
    first, *others = (_totals(waiting) for waiting in WAITING)
    by_key = {waiting.key: waiting for waiting in WAITING}
    counted = {}
    for key, rows, worth, due, since in first.union(*others, all=True):
        inr = from_paise(int(worth)) if worth and by_key[key].paise else worth
        counted[key] = Counted(rows, inr, due, since)
    return counted


def _totals(waiting: Waiting) -> QuerySet[Any]:
    """One row, of the same columns for each: key, rows, worth, due, since. Databases that take the types of a
    union from its first part want them named."""
    no_money, no_moment = (Cast(Value(None), field) for field in (MONEY, DateTimeField()))
    totals = {
        "rows": Count("pk"),
        "worth": Sum(waiting.inr or waiting.paise or no_money),
        "due": Min(waiting.due or no_moment),
        "since": Min(waiting.since or no_moment),
    }
    key = Value(waiting.key, CharField())
    rows: QuerySet[Any] = waiting.rows().order_by().values(key=key).annotate(**totals).values_list("key", *totals)
    return rows


def work_by_model() -> dict[str, int]:
    """How much of it is the staff's to do, by the model whose admin lists it."""
    counted = count_waiting()
    work: dict[str, int] = {}
    for waiting in WAITING:
        if waiting.is_work:
            work[waiting.model] = work.get(waiting.model, 0) + counted[waiting.key].rows
    return work
