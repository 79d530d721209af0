"""What this app adds to a customer's timeline: messages and complaints."""

from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy

from shop.accounts.customers.registry import Shown, TimelineSource, register
from shop.accounts.models import Customer

from .models import Complaint, Enquiry

LENGTH = 200
TONES = {
    Enquiry.State.NEW: "warn",
    Enquiry.State.ANSWERED: "good",
    Complaint.State.RECEIVED: "bad",
    Complaint.State.ACKNOWLEDGED: "warn",
    Complaint.State.RESOLVED: "good",
}


def written_by(customer: Customer) -> Q:
    """What came from the customer's email, or names the mobile number: typed in a form that anyone can fill in, so
    it is shown to staff with the name that was typed, and to nobody else."""
    found = Q(pk__in=[])
    if customer.email:
        found |= Q(email=customer.email)
    if customer.phone:
        digits = customer.phone.removeprefix("+")
        spellings = [customer.phone, digits]
        if customer.phone.startswith("+91"):
            spellings += [digits[2:], f"0{digits[2:]}"]
        found |= Q(phone__in=spellings)
    return found


def _messages(customer: Customer) -> QuerySet[Enquiry]:
    return Enquiry.objects.filter(written_by(customer))


def _complaints(customer: Customer) -> QuerySet[Complaint]:
    rows: QuerySet[Complaint] = Complaint.objects.filter(written_by(customer))
    return rows


def _show(row: Any, source: str, words: str) -> Shown:
    url = reverse("admin:care_inbox_item", args=[source, row.pk])
    detail = ", ".join(filter(None, [f"From {row.name}", row.order_number]))
    return Shown(Truncator(words).chars(LENGTH), url, row.get_state_display(), TONES[row.state], detail)


def _show_message(row: Enquiry) -> Shown:
    return _show(row, "message", row.text)


def _show_complaint(row: Complaint) -> Shown:
    return _show(row, "complaint", f"{row.number}: {row.text}")


def register_timeline() -> None:
    register(
        TimelineSource(
            "message", gettext_lazy("Message"), gettext_lazy("Messages"), "care.view_enquiry", _messages, _show_message
        )
    )
    register(
        TimelineSource(
            "complaint",
            gettext_lazy("Complaint"),
            gettext_lazy("Complaints"),
            "care.view_complaint",
            _complaints,
            _show_complaint,
        )
    )
