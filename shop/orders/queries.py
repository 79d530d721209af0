"""Reads of orders. Imported by models.py and therefore knows no model by name."""

import re
from typing import Any, Self

from django.db import models
from django.db.models import Prefetch, Q

from shop.accounts.models import Customer

ORDER_NUMBER = re.compile(r"ORD-[0-9A-Z]{9}", re.IGNORECASE)
MAX_FOUND = 1000  # more is no answer to a search
# The second tab of /orders/: "Cancelled / Replaced".
ENDED_OTHERWISE = ("cancelled", "replaced", "returned")


class OrderQuerySet(models.QuerySet[Any]):
    def held(self) -> Self:
        """Unpaid and with stock set aside, whether or not the time is over."""
        return self.filter(hold_expires_at__isnull=False)

    def ended_otherwise(self) -> Self:
        return self.filter(status__in=ENDED_OTHERWISE)

    def matching(self, words: str) -> Self:
        """Whose number or one of whose products has these words in it; without words all."""
        if not words:
            return self
        named = self.order_by().filter(lines__product_name__icontains=words)
        return self.filter(Q(number__icontains=words) | Q(pk__in=named.values("pk")))

    def search(self, words: str) -> Self:
        """Those that the desk means, the newest of them: by number, name, phone, e-mail or SKU; without words all."""
        words = words.strip()
        if not words:
            return self
        if ORDER_NUMBER.fullmatch(words):
            return self.filter(number=words.upper())
        named = Q(email__icontains=words) | Q(name__icontains=words) | Q(phone__contains=words)
        matches = (
            Q(sought__icontains=words)
            | Q(customer__in=Customer.objects.filter(named).values("pk"))
            | Q(pk__in=self.order_by().filter(lines__variant__sku__in=(words, words.upper())).values("pk"))
        )
        digits = re.sub(r"\D", "", words)
        if len(digits) >= 4 and len(digits) >= len(re.sub(r"[\s+()-]", "", words)):
            matches |= Q(sought__contains=digits[-10:])
        # Looked for once: a list asks for its rows and for their number.
        return self.filter(pk__in=list(self.order_by("-pk").filter(matches).values_list("pk", flat=True)[:MAX_FOUND]))

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
        """With everything the JSON answers show, in two queries."""
        from .models import OrderLine

        brand = "variant__product__brand"
        shown = ("picture", f"{brand}__img_banner", f"{brand}__img_banner_m")
        lines = OrderLine.objects.select_related(*shown).defer(
            *(f"variant__{name}" for name in _columns(OrderLine, "variant")),
            *(f"variant__product__{name}" for name in _columns(OrderLine, "variant", "product")),
        )
        return self.prefetch_related(models.Prefetch("lines", lines))


def _columns(model: type[models.Model], *way: str) -> list[str]:
    """The plain columns of the model at the end of this way: a list of orders shows none of them."""
    for name in way:
        model = model._meta.get_field(name).related_model  # type: ignore[assignment]
    return [field.name for field in model._meta.concrete_fields if not field.is_relation and not field.primary_key]
