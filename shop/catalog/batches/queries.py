"""Reads of batches. Imported by models.py and therefore knows no model by name."""

from datetime import date
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from .shelf_life import last_day_of_sale


class BatchQuerySet(models.QuerySet[Any]):
    def first_expired_first(self) -> Self:
        """What expires first comes first; stock from before batches, whose expiry nobody knows, before all."""
        return self.order_by(F("expires").asc(nulls_first=True), "pk")

    def in_shop(self) -> Self:
        """With units that are here and may be packed, unless they expire too soon."""
        return self.filter(units__gt=0, recalled_at=None)

    def packable(self, day: date) -> Self:
        """With units that may be in a parcel that arrives on this day, in the order in which they are taken."""
        return self.in_shop().filter(Q(sold_until=None) | Q(sold_until__gte=day)).first_expired_first()

    def off_sale(self) -> Self:
        """What is here and would arrive too late if it were ordered now."""
        return self.in_shop().filter(sold_until__lt=last_day_of_sale())

    def too_old(self) -> Self:
        """What is here and may not be packed any more, whenever it was promised."""
        return self.in_shop().filter(sold_until__lt=timezone.localdate())
