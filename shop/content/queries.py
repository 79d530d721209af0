"""Which articles visitors may read, and when the next one comes."""

from datetime import datetime
from typing import Any, Self

from django.db import models
from django.utils import timezone


class PostQuerySet(models.QuerySet[Any]):
    def shown(self) -> Self:
        """What is published and whose moment has come, the newest first."""
        return self.filter(is_published=True, published_at__lte=timezone.now())

    def next_moment(self) -> datetime | None:
        """When the next scheduled article comes."""
        scheduled = self.filter(is_published=True, published_at__gt=timezone.now())
        return scheduled.order_by("published_at").values_list("published_at", flat=True).first()
