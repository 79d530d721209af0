"""Batches of variants, and why their units changed. Only services.py writes them."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice.actors import SHOP, ActorField

from .queries import BatchQuerySet
from .shelf_life import last_day_of_sale


class Batch(models.Model):
    """Units of one variant that were made together. `received` = `units` + `packed` + `discarded` at every commit."""

    variant = models.ForeignKey("catalog.Variant", models.CASCADE, related_name="batches")
    number = models.CharField(
        gettext_lazy("batch number"),
        max_length=40,
        blank=True,
        help_text=gettext_lazy("As printed on the pack. Empty for stock from before batches were tracked."),
    )
    manufactured = models.DateField(gettext_lazy("manufactured"), null=True, blank=True)
    expires = models.DateField(gettext_lazy("expires"), null=True, blank=True)
    sold_until = models.DateField(
        gettext_lazy("sold until"), null=True, editable=False, help_text=gettext_lazy("Last day of delivery.")
    )
    received = models.PositiveIntegerField(gettext_lazy("received"), default=0, editable=False)
    units = models.PositiveIntegerField(gettext_lazy("in the shop"), default=0, editable=False)
    packed = models.PositiveIntegerField(gettext_lazy("sent"), default=0, editable=False)
    discarded = models.PositiveIntegerField(gettext_lazy("written off"), default=0, editable=False)
    recalled_at = models.DateTimeField(gettext_lazy("recalled"), null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BatchQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("batch")
        verbose_name_plural = gettext_lazy("batches")
        ordering = ["expires", "id"]
        indexes = [
            models.Index(fields=["variant", "expires"], name="batches_of_variant"),
            models.Index(fields=["expires", "id"], name="batches_by_expiry"),  # the list of the staff
            models.Index(fields=["sold_until"], condition=Q(units__gt=0), name="batches_by_end_of_sale"),
            models.Index(fields=["number"], name="batches_by_number"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["variant", "number"], name="one_batch_a_number"),
            models.CheckConstraint(
                condition=Q(received=F("units") + F("packed") + F("discarded")), name="batch_adds_up"
            ),
            models.CheckConstraint(
                condition=Q(units__gte=0, packed__gte=0, discarded__gte=0), name="batch_never_negative"
            ),
            models.CheckConstraint(
                condition=Q(manufactured=None) | Q(expires=None) | Q(expires__gt=F("manufactured")),
                name="batch_expires_after_manufacture",
            ),
        ]

    def __str__(self) -> str:
        return self.number or gettext("opening batch")

    @property
    def state(self) -> str:
        """Whether its units are sold, in words."""
        if self.recalled_at:
            return gettext("recalled")
        if self.sold_until and self.sold_until < last_day_of_sale():
            return gettext("off sale")
        return gettext("on sale") if self.units else gettext("used up")


class BatchMovement(models.Model):
    """Why the units of a batch changed; `reference` is an order number or a note."""

    class Kind(models.TextChoices):
        OPENED = "opened", gettext_lazy("Stock from before")
        RECEIVED = "received", gettext_lazy("Received")
        PACKED = "packed", gettext_lazy("Sent")
        RETURNED = "returned", gettext_lazy("Returned to the shelf")
        BINNED = "binned", gettext_lazy("Returned and written off")
        EXPIRED = "expired", gettext_lazy("Written off before expiry")
        CORRECTED = "corrected", gettext_lazy("Written off")

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="movements")
    kind = models.CharField(gettext_lazy("kind"), max_length=9, choices=Kind)
    quantity = models.PositiveIntegerField(gettext_lazy("quantity"))
    reference = models.CharField(gettext_lazy("reference"), max_length=80, blank=True, db_index=True)
    actor = ActorField(default=SHOP)
    at = models.DateTimeField(gettext_lazy("date"), default=timezone.now)
    key = models.CharField(
        max_length=80, unique=True, null=True, editable=False, help_text="Identifies the form, so it is saved once."
    )

    class Meta:
        verbose_name = gettext_lazy("batch movement")
        verbose_name_plural = gettext_lazy("batch movements")
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=Q(quantity__gte=1), name="a_batch_movement_moves_something")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.quantity}"
