"""What waits in the inbox from the start: messages, complaints, returns. Later apps register theirs (registry.py)."""

from datetime import timedelta
from typing import Any

from django.db.models import Case, DateTimeField, ExpressionWrapper, F, QuerySet, Value, When
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy

from shop.orders.backoffice.board import WAITING_RETURNS
from shop.orders.models import Courier, ReturnRequest
from shop.orders.returns.services import DUE_AFTER

from ..models import Complaint, Enquiry
from .registry import InboxSource, Shown, register

ANSWER_WITHIN = timedelta(days=1)  # a goal for staff; nobody is promised it
DECIDE_WITHIN = timedelta(days=2)
LENGTH = 140


def _after(moment: str, time: timedelta) -> Any:
    return ExpressionWrapper(F(moment) + Value(time), output_field=DateTimeField())


def _messages() -> QuerySet[Any]:
    new = Enquiry.objects.filter(state=Enquiry.State.NEW)
    return new.annotate(since=F("created_at"), due=_after("created_at", ANSWER_WITHIN))


def _complaints() -> QuerySet[Any]:
    running: QuerySet[Any] = Complaint.objects.exclude(state=Complaint.State.RESOLVED)
    return running.with_due().annotate(since=F("created_at"))  # type: ignore[attr-defined, no-any-return]


def _returns() -> QuerySet[Any]:
    """To be decided; or back at the shop, with a replacement owed. (Parcels on their way back wait for nobody.)"""
    open_ones = ReturnRequest.objects.filter(WAITING_RETURNS).exclude(status=ReturnRequest.Status.APPROVED)
    owed = When(status=ReturnRequest.Status.RECEIVED, then=_after("received_at", DUE_AFTER))
    return open_ones.annotate(since=F("created_at"), due=Case(owed, default=_after("created_at", DECIDE_WITHIN)))


def _show_message(row: Enquiry) -> Shown:
    return Shown(row.name, Truncator(row.text).chars(LENGTH), reverse("admin:care_enquiry_change", args=[row.pk]))


def _show_complaint(row: Complaint) -> Shown:
    step = gettext("Acknowledge") if row.state == Complaint.State.RECEIVED else gettext("Resolve")
    words = f"{step} {row.number}: {Truncator(row.text).chars(LENGTH)}"
    return Shown(row.name, words, reverse("admin:care_complaint_change", args=[row.pk]))


def _show_return(row: ReturnRequest) -> Shown:
    order = row.line.order
    words = gettext("%(kind)s of %(quantity)s × %(name)s: %(reason)s") % {
        "kind": row.get_kind_display(),
        "quantity": row.quantity,
        "name": row.line.product_name,
        "reason": row.reason,
    }
    url = reverse("admin:orders_order_change", args=[order.pk])
    return Shown(order.address["full_name"], words, f"{url}#returns")


def _of_return(row: ReturnRequest) -> dict[str, Any]:
    return {"couriers": list(Courier.objects.filter(is_active=True))}


def register_sources() -> None:
    register(
        InboxSource(
            "message", gettext_lazy("Message"), gettext_lazy("Messages"), "care.enquiry", _messages,
            lambda: Enquiry.objects.prefetch_related("events"), _show_message, "care/inbox/_message.html",
        )
    )  # fmt: skip
    register(
        InboxSource(
            "complaint", gettext_lazy("Complaint"), gettext_lazy("Complaints"), "care.complaint", _complaints,
            lambda: Complaint.objects.prefetch_related("events"), _show_complaint, "care/inbox/_complaint.html",
        )
    )  # fmt: skip
    register(
        InboxSource(
            "return", gettext_lazy("Return"), gettext_lazy("Returns"), "orders.returnrequest", _returns,
            lambda: ReturnRequest.objects.select_related("line__order", "reason").prefetch_related("photos"),
            _show_return, "care/inbox/_return.html", _of_return,
        )
    )  # fmt: skip
