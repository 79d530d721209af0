"""Reads of orders. Imported by models.py and therefore knows no model by name."""

from typing import Self

from django.db import models

# The second tab of /orders/: "Cancelled / Replaced".
ENDED_OTHERWISE = ("cancelled", "replaced", "returned")


class OrderQuerySet(models.QuerySet):
    def held(self) -> Self:
        """Unpaid and with stock set aside, whether or not the time is over."""
        return self.filter(hold_expires_at__isnull=False)

    def ended_otherwise(self) -> Self:
        return self.filter(status__in=ENDED_OTHERWISE)

    def with_lines(self) -> Self:
        """What a list or a page of orders shows, in three queries whatever their number."""
        return self.prefetch_related("lines__picture")

    def for_calls(self) -> Self:
        """With everything the JSON answers show, in a constant number of queries."""
        brands = ("lines__variant__product__brand__img_banner", "lines__variant__product__brand__img_banner_m")
        return self.with_lines().prefetch_related(*brands)
