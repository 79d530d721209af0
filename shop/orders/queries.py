"""Reads of orders. Imported by models.py and therefore knows no model by name."""

import re
from decimal import Decimal
from typing import Any, Self

from django.db import models
from django.db.models import (
    BigIntegerField,
    Case,
    DecimalField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Sum,
    When,
)
from django.db.models.functions import Cast, Coalesce, Least, Round
from django.utils import timezone
from django.utils.translation import gettext_noop

from shop.accounts.models import Customer

ORDER_NUMBER = re.compile(r"ORD-[0-9A-Z]{9}", re.IGNORECASE)
MAX_FOUND = 1000  # more is no answer to a search
# The second tab of /orders/: "Cancelled / Replaced".
ENDED_OTHERWISE = ("cancelled", "replaced", "returned")
# How an order that nobody paid ended by itself: in the notes of its events.
RAN_OUT, CHECKED_OUT_AGAIN = gettext_noop("Not paid in time."), gettext_noop("Replaced by a newer checkout.")
LAPSED_NOTES = (RAN_OUT, CHECKED_OUT_AGAIN)


# Of a line, as OrderLine.cancelled_inr has it: in whole paise, of which the first units have the odd ones.
_PAISE = Cast(Round((F("line_inr") - F("reduction_inr")) * 100), BigIntegerField())
_CANCELLED_PAISE = _PAISE / F("quantity") * F("cancelled") + Least(_PAISE % F("quantity"), F("cancelled"))
CANCELLED_INR = ExpressionWrapper(
    Cast(_CANCELLED_PAISE, DecimalField(max_digits=14, decimal_places=2)) * Decimal("0.01"),
    DecimalField(max_digits=14, decimal_places=2),
)


class OrderQuerySet(models.QuerySet[Any]):
    def held(self) -> Self:
        """Unpaid and with stock set aside, whether or not the time is over."""
        return self.filter(hold_expires_at__isnull=False)

    def ended_otherwise(self) -> Self:
        """Without those that nobody paid and that ran out or were checked out anew: they read "Not paid"."""
        from .models import OrderEvent

        lapsed = OrderEvent.objects.filter(order=OuterRef("pk"), note__in=LAPSED_NOTES)
        return self.filter(status__in=ENDED_OTHERWISE).exclude(Exists(lapsed), placed_at=None)

    def matching(self, words: str) -> Self:
        """Whose number or one of whose products has these words in it; without words all."""
        if not words:
            return self
        named = self.order_by().filter(lines__product_name__icontains=words)
        return self.filter(Q(number__icontains=words) | Q(pk__in=named.values("pk")))

    def search(self, words: str) -> Self:
        """Those that the desk means, the newest of them: by number, name, phone, e-mail, SKU or tracking number;
        without words all."""
        words = words.strip()
        if not words:
            return self
        if ORDER_NUMBER.fullmatch(words):
            return self.filter(number=words.upper())
        named = Q(email__icontains=words) | Q(name__icontains=words) | Q(phone__contains=words)
        matches = (
            Q(search_text__icontains=words)
            | Q(customer__in=Customer.objects.filter(named).values("pk"))
            | Q(pk__in=self.order_by().filter(lines__variant__sku__in=(words, words.upper())).values("pk"))
            | Q(pk__in=self.order_by().filter(shipments__tracking_number__in=(words, words.upper())).values("pk"))
        )
        digits = re.sub(r"\D", "", words)
        if len(digits) >= 4 and len(digits) >= len(re.sub(r"[\s+()-]", "", words)):
            matches |= Q(search_text__contains=digits[-10:])
        # Looked for once: a list asks for its rows and for their number.
        return self.filter(pk__in=list(self.order_by("-pk").filter(matches).values_list("pk", flat=True)[:MAX_FOUND]))

    def with_due(self) -> Self:
        """With `due`: `due_inr`, worked out by the database."""
        from .models import OrderLine

        lines = OrderLine.objects.filter(order=OuterRef("pk"), cancelled__gt=0).order_by().values("order")
        cancelled = Subquery(lines.annotate(inr=Sum(CANCELLED_INR)).values("inr"))
        return self.annotate(due=F("total_inr") - Coalesce(cancelled, Decimal(0)))

    def with_parcel_units(self) -> Self:
        """With `units`, `sent_units` and `arrived_units` of orders that are shipped; None for all others."""
        from .models import OrderLine, ShipmentLine

        lines = OrderLine.objects.filter(order=OuterRef("pk")).order_by().values("order")
        sent = ShipmentLine.objects.filter(shipment__order=OuterRef("pk"), shipment__is_replacement=False)
        counts = {
            "units": lines.annotate(found=Sum(F("quantity") - F("cancelled"))),
            "sent_units": _units_in(sent),
            "arrived_units": _units_in(sent.filter(shipment__delivered_at__isnull=False)),
        }
        is_shipped = Q(status="shipped")
        return self.annotate(
            **{
                name: Case(When(is_shipped, then=Coalesce(Subquery(rows.values("found")), 0)))
                for name, rows in counts.items()
            }
        )

    def with_lines(self) -> Self:
        """What a list or a page of orders shows, in three queries whatever their number."""
        return self.prefetch_related("lines__picture")

    def with_parcels(self) -> Self:
        """What the tracker and the parcels of one order need."""
        from .models import Shipment, ShipmentLine

        return self.prefetch_related(
            "events",
            Prefetch("shipments", Shipment.objects.select_related("courier")),
            Prefetch("shipments__lines", ShipmentLine.objects.select_related("order_line")),
        )

    def with_returns(self) -> Self:
        """What may come back of one order, what was asked for, and its papers."""
        from .models import ReturnRequest, ShipmentLine

        return self.prefetch_related(
            "lines__variant",
            Prefetch("lines__return_requests", ReturnRequest.objects.select_related("reason")),
            "lines__return_requests__photos",
            Prefetch("lines__shipped", ShipmentLine.objects.select_related("shipment")),
            "invoices",
        )

    def for_api(self) -> Self:
        """With everything the JSON answers show, in three queries."""
        from .models import OrderLine, ShipmentLine

        brand = "variant__product__brand"
        shown = ("picture", f"{brand}__img_banner", f"{brand}__img_banner_m")
        lines = OrderLine.objects.select_related(*shown).defer(
            *(f"variant__{name}" for name in _columns(OrderLine, "variant")),
            *(f"variant__product__{name}" for name in _columns(OrderLine, "variant", "product")),
        )
        parcels = models.Prefetch("shipped", ShipmentLine.objects.only("order_line_id", "batches").order_by("pk"))
        return self.prefetch_related(models.Prefetch("lines", lines.prefetch_related(parcels)))


def _units_in(lines: Any) -> Any:
    return lines.order_by().values("shipment__order").annotate(found=Sum("quantity"))


class OrderDraftQuerySet(models.QuerySet[Any]):
    def with_state(self) -> Self:
        """With `is_placed`, which `state` reads."""
        from .models import Order

        placed = Order.objects.filter(draft=OuterRef("pk"), placed_at__isnull=False)
        return self.annotate(is_placed=Exists(placed))

    def in_state(self, state: str) -> Self:
        """Those whose `state` it is now; none for a word that is no state."""
        now = timezone.now()
        left = self.with_state()
        conditions = {
            "paid": Q(is_placed=True),
            "withdrawn": Q(is_placed=False, withdrawn_at__isnull=False),
            "open": Q(is_placed=False, withdrawn_at=None, sent_at=None),
            "sent": Q(is_placed=False, withdrawn_at=None, sent_at__isnull=False, expires_at__gt=now),
            "expired": Q(is_placed=False, withdrawn_at=None, sent_at__isnull=False, expires_at__lte=now),
        }
        return left.filter(conditions[state]) if state in conditions else left.none()


def _columns(model: type[models.Model], *way: str) -> list[str]:
    """The plain columns of the model at the end of this way: a list of orders shows none of them."""
    for name in way:
        model = model._meta.get_field(name).related_model  # type: ignore[assignment]
    return [field.name for field in model._meta.concrete_fields if not field.is_relation and not field.primary_key]
