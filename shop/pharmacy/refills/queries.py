"""Reads of refills, of what may be asked for again, and of when it is due."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Self

from django.db import models
from django.db.models import ExpressionWrapper, F, OuterRef, Q, Subquery
from django.utils import timezone

from shop.markets.geography.local_time import in_zone_of
from shop.markets.queries import market_registry

DAY_BEGINS = timedelta(hours=9)  # where the customer lives: nobody is written to at night
NEVER_KEPT = ("cancelled", "returned")  # orders of which nothing stayed with the customer


class RefillQuerySet(models.QuerySet[Any]):
    def living(self) -> Self:
        return self.exclude(state="ended")

    def due(self) -> Self:
        """By their own date, which a purchase may have moved since."""
        days: dict[date, list[int]] = {}
        for location_id in market_registry().locations:
            days.setdefault(day_of_reminders(location_id), []).append(location_id)
        is_due = Q()
        for day, location_ids in days.items():  # two or three, around the world
            is_due |= Q(location__in=location_ids, next_on__lte=day)
        return self.filter(is_due, state="active")

    def with_purchases(self) -> Self:
        """With `bought_at`, when the customer last bought the product, and `bought_units` of its packs' content."""
        units = ExpressionWrapper(
            (F("quantity") - F("cancelled")) * F("variant__net_quantity"),
            output_field=models.DecimalField(max_digits=14, decimal_places=2),
        )
        product = {"order__customer": OuterRef("customer"), "variant__product": OuterRef("variant__product")}
        latest = bought_lines().filter(**product).order_by("-order__placed_at", "-pk").annotate(units=units)
        return self.annotate(
            bought_at=Subquery(latest.values("order__placed_at")[:1]),
            bought_units=Subquery(latest.values("units")[:1]),
        )


def bought_lines() -> models.QuerySet[Any]:
    """Lines of paid orders of which something is kept."""
    from shop.orders.models import OrderLine

    lines = OrderLine.objects.filter(order__placed_at__isnull=False, quantity__gt=F("cancelled"))
    return lines.exclude(order__status__in=NEVER_KEPT)


def day_of_reminders(location_id: int) -> date:
    """Today from nine in the morning there, yesterday before that."""
    return (in_zone_of(location_id, timezone.now()) - DAY_BEGINS).date()


def next_day(refill: Any) -> date:
    """When a refill of `with_purchases` is due: its own date, or that of a purchase since."""
    own: date = refill.next_on
    is_moved = refill.bought_at is not None and refill.bought_at > refill.counted_at
    return day_after_purchase(refill) if is_moved else own


def day_after_purchase(refill: Any) -> date:
    return timezone.localdate(refill.bought_at) + timedelta(days=days_until_next(refill, refill.bought_units))


def days_until_next(refill: Any, units: Decimal | None = None) -> int:
    """From a purchase of so many units to the next reminder; unknown ones count as the refill's own packs."""
    from .models import LEAD_DAYS

    if refill.per_day is None or not units:
        return int(refill.days)
    return max(1, int(units / refill.per_day) - LEAD_DAYS)
