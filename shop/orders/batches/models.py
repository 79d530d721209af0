"""Batches in parcels and returns, and recalls. Only services.py of this package writes them."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from shop.backoffice.actors import ActorField
from shop.catalog.models import Batch


class ShippedBatch(models.Model):
    """Units of one batch in one line of a parcel; `came_back` of them are with the shop again."""

    shipment_line = models.ForeignKey("orders.ShipmentLine", models.CASCADE, related_name="shipped_batches")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="+")
    quantity = models.PositiveSmallIntegerField()
    came_back = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["shipment_line", "batch"], name="one_row_a_batch_in_a_shipment_line"),
            models.CheckConstraint(
                condition=Q(quantity__gte=1, came_back__gte=0, came_back__lte=F("quantity")),
                name="a_shipped_batch_comes_back_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.batch_id}"


class ReturnedBatch(models.Model):
    """Units of one batch that came back with a return: to their batch, or written off."""

    request = models.ForeignKey("orders.ReturnRequest", models.CASCADE, related_name="returned_batches")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="+")
    quantity = models.PositiveSmallIntegerField()
    is_binned = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=Q(quantity__gte=1), name="a_returned_batch_holds_something")]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.batch_id}"


class Recall(models.Model):
    """A batch that must not be used any more, and why."""

    batch = models.OneToOneField(Batch, models.PROTECT, related_name="recall", verbose_name=gettext_lazy("batch"))
    reason = models.CharField(
        gettext_lazy("reason"), max_length=300, help_text=gettext_lazy("Customers read it in the notice.")
    )
    advice = models.CharField(
        gettext_lazy("advice"),
        max_length=300,
        blank=True,
        help_text=gettext_lazy("For example: stop using it and send it back. Customers read it in the notice."),
    )
    by = ActorField(gettext_lazy("recalled by"))
    at = models.DateTimeField(gettext_lazy("recalled"), default=timezone.now)
    notified_at = models.DateTimeField(gettext_lazy("notice sent"), null=True)

    class Meta:
        verbose_name = gettext_lazy("recall")
        verbose_name_plural = gettext_lazy("recalls")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.batch}: {self.reason}"
