"""Prescriptions in the inbox until each line of their order is decided. What is on them stands on the pharmacist's own
page alone."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import ngettext

from shop.care.inbox.registry import InboxSource, Shown, register

from ..models import OrderPrescription


def register_source() -> None:
    register(
        InboxSource(
            "prescription", "Prescription", "Prescriptions", "pharmacy.orderprescription",
            OrderPrescription.objects.waiting, _rows, _show, "pharmacy/inbox/_prescription.html", _context,
        )
    )  # fmt: skip


def _rows() -> QuerySet[Any]:
    rows: QuerySet[Any] = OrderPrescription.objects.select_related("order").prefetch_related("lines__line")
    return rows


def _show(row: OrderPrescription) -> Shown:
    count = len(row.lines.all())
    words = ngettext("%(count)s medicine to approve", "%(count)s medicines to approve", count) % {"count": count}
    return Shown(row.order.number, words, _page(row))


def _context(row: OrderPrescription) -> dict[str, Any]:
    return {"review_url": _page(row)}


def _page(row: OrderPrescription) -> str:
    return reverse("admin:pharmacy_orderprescription_change", args=[row.pk])
