"""How much of its life a batch has left when it arrives at the customer, as the shop promises."""

from datetime import date, timedelta

from django.conf import settings
from django.utils import timezone

from shop.markets.queries import market_registry

DISPATCH_DAYS = 4  # from the order to the carrier, and a day off


def sold_until(manufactured: date | None, expires: date | None) -> date | None:
    """The last day of delivery that leaves the promised rest of life: the larger of settings.BATCH_REST_DAYS and
    settings.BATCH_REST_PERCENT of the whole life. None for a batch whose expiry nobody knows."""
    if expires is None:
        return None
    rest = timedelta(days=settings.BATCH_REST_DAYS)
    if manufactured is not None:
        days = (expires - manufactured).days
        rest = max(rest, timedelta(days=-(-days * settings.BATCH_REST_PERCENT // 100)))
    return expires - rest


def last_day_of_sale() -> date:
    """Batches that are sold until an earlier day are off sale today: what is ordered now would arrive too late. That is
    settings.BATCH_DELIVERY_DAYS, or the slowest of the shop's locations where that takes longer."""
    slowest = max((location.transit_days for location in market_registry().locations.values()), default=0)
    days = max(settings.BATCH_DELIVERY_DAYS, slowest + DISPATCH_DAYS)
    return timezone.localdate() + timedelta(days=days)
