"""When and where something stands on the home page: published, from and until, and in which locations.

What is published is remembered with its times; whoever shows it asks what stands right now, and a
page that is kept ends when that changes next (markets/page_cache.show_until).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.markets.market import Market
from shop.markets.models import Location

Standing = TypeVar("Standing", bound="Scheduled")


class Scheduled(models.Model):
    """A draft until it is published; then seen from `starts_at` (or at once) until `ends_at` (or for ever)."""

    ANNOUNCES = "shop"

    position = models.PositiveSmallIntegerField(default=0)
    is_published = models.BooleanField(
        "published", default=True, help_text="If off, it's a draft that only the preview shows."
    )
    starts_at = models.DateTimeField(
        "show from", null=True, blank=True, help_text="Leave empty to show it straight away."
    )
    ends_at = models.DateTimeField(
        "show until", null=True, blank=True, help_text="Leave empty to show it indefinitely."
    )
    locations = models.ManyToManyField(
        Location, blank=True, related_name="+", help_text="Leave empty to show it everywhere."
    )

    class Meta:
        abstract = True
        ordering = ["position", "id"]

    def clean(self) -> None:
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            raise ValidationError({"ends_at": gettext("The end must be after the start.")})

    def stands(self, now: datetime, market: Market) -> bool:
        """Whether it is seen then and there; asks no database where `locations` were read with it."""
        is_time = (not self.starts_at or self.starts_at <= now) and (not self.ends_at or now < self.ends_at)
        places = {location.pk for location in self.locations.all()} if is_time else set()
        return is_time and (not places or market.location_id in places)

    @property
    def is_everywhere(self) -> bool:
        return not self.locations.all()

    def state(self, now: datetime | None = None) -> str:
        """Draft, Scheduled, Live or Ended, in English, which the back office translates."""
        now = now or timezone.now()
        if not self.is_published:
            return gettext_noop("Draft")
        if self.ends_at and self.ends_at <= now:
            return gettext_noop("Ended")
        return gettext_noop("Scheduled") if self.starts_at and self.starts_at > now else gettext_noop("Live")


def standing(things: Iterable[Standing], now: datetime, market: Market) -> tuple[Standing, ...]:
    return tuple(thing for thing in things if thing.stands(now, market))
