"""Reads of orders. Imported by models.py and therefore knows no model by name."""

from typing import Self

from django.db import models
from django.db.models import Q

# The second tab of /orders/: "Cancelled / Replaced".
ENDED_OTHERWISE = ("cancelled", "replaced", "returned")


class OrderQuerySet(models.QuerySet):
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

    def with_lines(self) -> Self:
        """What a list or a page of orders shows, in three queries whatever their number."""
        return self.prefetch_related("lines__picture")

    def with_parcels(self) -> Self:
        """What the tracker and the parcels of one order need."""
        return self.prefetch_related("events", "shipments__courier", "shipments__lines__order_line")

    def with_returns(self) -> Self:
        """What may come back of one order, what was asked for, and its papers."""
        of_lines = ("return_requests__reason", "return_requests__photos", "shipped__shipment", "variant")
        return self.prefetch_related(*(f"lines__{name}" for name in of_lines), "invoices")

    def for_calls(self) -> Self:
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
