"""Reminders to buy a pack again, and the messages in which they were sent."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from shop.accounts.models import Customer
from shop.catalog.models import Variant
from shop.markets.models import Location

from .queries import RefillQuerySet

INTERVALS = (30, 60, 90)  # days
MIN_PACK_DAYS, MAX_PACK_DAYS = 10, 365
LEAD_DAYS = 5  # before a pack runs out, so that the next one is there in time


class Refill(models.Model):
    """That a customer wants to be reminded of one pack. A new purchase of its product moves the date
    (queries.next_day); nothing is bought by itself. Written by services.py and reminders.py."""

    class State(models.TextChoices):
        ACTIVE = "active", gettext_lazy("Active")
        PAUSED = "paused", gettext_lazy("Paused")
        ENDED = "ended", gettext_lazy("Stopped")

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="refills")
    variant = models.ForeignKey(Variant, models.CASCADE, related_name="+", verbose_name="pack")
    quantity = models.PositiveSmallIntegerField("packs", default=1)
    days = models.PositiveSmallIntegerField(help_text="From a purchase or a reminder to the next reminder.")
    per_day = models.DecimalField(
        max_digits=6,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="Used a day, in the unit of the pack; only for reminders when the pack runs out.",
    )
    next_on = models.DateField("next reminder", help_text="Unless a later purchase moves it.")
    counted_at = models.DateTimeField(default=timezone.now, help_text="A purchase after this moves the date.")
    state = models.CharField(max_length=6, choices=State, default=State.ACTIVE)
    changed_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField("asked for", default=timezone.now)
    location = models.ForeignKey(Location, models.CASCADE, related_name="+", help_text="Whose prices reminders name.")

    objects = RefillQuerySet.as_manager()

    class Meta:
        verbose_name = "refill reminder"
        ordering = ["next_on", "id"]
        indexes = [models.Index(fields=["next_on"], condition=Q(state="active"), name="refills_due")]
        constraints = [
            models.UniqueConstraint(fields=["customer", "variant"], name="one_refill_a_pack"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_refill_is_of_something"),
            models.CheckConstraint(
                condition=Q(per_day__isnull=True, days__in=INTERVALS)
                | Q(per_day__gt=0, days__gte=MIN_PACK_DAYS - LEAD_DAYS, days__lte=MAX_PACK_DAYS - LEAD_DAYS),
                name="a_refill_is_by_interval_or_by_use",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.variant_id} for {self.customer_id}"


class RefillReminder(models.Model):
    """One message, with all refills that were due; its link opens them without signing in."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="refill_reminders")
    refills = models.ManyToManyField(Refill, related_name="reminders")
    sent_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"Refill reminder {self.pk}"
