"""Reads of prescriptions: which may be ordered with again, how much is left of them, and what waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import DateTimeField, Exists, ExpressionWrapper, F, OuterRef, Q, Sum, Value
from django.db.models.functions import Coalesce

if TYPE_CHECKING:
    from .models import Prescription

ANSWER_WITHIN = timedelta(hours=4)


class PrescriptionQuerySet(models.QuerySet[Any]):
    def used(self) -> Self:
        """An order was placed with it, and not cancelled."""
        return self.filter(orders__in=_standing())

    def unused(self) -> Self:
        return self.exclude(orders__in=_standing())


class OrderPrescriptionQuerySet(models.QuerySet[Any]):
    def waiting(self) -> Self:
        """Of placed orders, until every line that was not cancelled is decided; with `since` and `due`."""
        from .models import PrescriptionLine

        undecided = PrescriptionLine.objects.waiting().filter(checked=OuterRef("pk"))
        due = ExpressionWrapper(F("order__placed_at") + Value(ANSWER_WITHIN), output_field=DateTimeField())
        found = self.filter(Exists(undecided), decided_at=None, order__status="placed")
        return found.annotate(since=F("order__placed_at"), due=due)


class PrescriptionLineQuerySet(models.QuerySet[Any]):
    def waiting(self) -> Self:
        """Neither decided nor cancelled meanwhile."""
        return self.filter(state="waiting", line__quantity__gt=F("line__cancelled"))


def _standing() -> Any:
    from .models import OrderPrescription

    placed = OrderPrescription.objects.filter(order__placed_at__isnull=False)
    return placed.exclude(order__status="cancelled").values("pk")


def units_supplied(prescription: Prescription, states: Sequence[str], *, besides: int | None = None) -> dict[int, int]:
    """Variant id to the packs in all standing orders with a prescription whose lines are in these states, without those
    that were cancelled; `besides` is the id of an order that is not counted."""
    from .models import PrescriptionLine

    lines = PrescriptionLine.objects.filter(checked__prescription=prescription, state__in=states)
    standing = lines.filter(checked__order__placed_at__isnull=False).exclude(checked__order__status="cancelled")
    rows = standing.exclude(checked__order=besides).order_by().values("line__variant")
    kept = rows.annotate(units=Coalesce(Sum(F("line__quantity") - F("line__cancelled")), 0))
    return dict(kept.values_list("line__variant", "units"))


def units_left(prescription: Prescription) -> dict[int, int]:
    """Variant id to the packs that one more order may hold: what was written each time, and with all orders that were
    approved or wait not beyond all repeats."""
    return _left(prescription, units_supplied(prescription, ("waiting", "approved")))


def units_approvable(prescription: Prescription, *, order_id: int) -> dict[int, int]:
    """The same of an order that was placed; others that still wait take nothing from it."""
    return _left(prescription, units_supplied(prescription, ("approved",), besides=order_id))


def _left(prescription: Prescription, supplied: Mapping[int, int]) -> dict[int, int]:
    times = 1 + prescription.repeats
    return {
        item.variant_id: max(0, min(item.quantity, item.quantity * times - supplied.get(item.variant_id, 0)))
        for item in prescription.items.all()
    }


def undecided_lines(order_id: int) -> Any:
    """Order lines that may not be packed: kept, of a medicine that needs a prescription now or did when it was
    ordered, and not approved."""
    from shop.orders.models import OrderLine

    kept = OrderLine.objects.filter(order=order_id, quantity__gt=F("cancelled"))
    needs_one = Q(variant__product__is_prescription=True) | Q(prescribed__isnull=False)
    return kept.filter(needs_one).exclude(prescribed__state="approved")
