"""Reads of messages. Imported by models.py and therefore knows no model by name."""

from datetime import timedelta
from typing import Any, Self

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone


class ComplaintQuerySet(models.QuerySet[Any]):
    def with_due(self) -> Self:
        """With `due`: when the clock that runs now runs out; nothing once it is resolved."""
        clock = Case(
            When(state="received", then=F("acknowledge_by")),
            When(state="acknowledged", then=F("resolve_by")),
            default=Value(None),
            output_field=models.DateTimeField(null=True),
        )
        return self.annotate(due=clock)

    def running_out(self, *, acknowledge: timedelta, resolve: timedelta) -> Self:
        """Whose clock ends within these times, or has ended."""
        now = timezone.now()
        waits = Q(state="received", acknowledge_by__lte=now + acknowledge)
        return self.filter(waits | Q(state="acknowledged", resolve_by__lte=now + resolve))
