"""What the catalogue manager's larger works leave behind: imports, and changes of many variants at once."""

import uuid
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import models
from django.utils import timezone

from shop.http.media import local_path

MAX_CHANGES = 5_000


def private_files() -> Storage:
    return storages["private"]


def import_folder(row: "ProductImport", name: str) -> str:
    return f"imports/{uuid.uuid4().hex}/{Path(name).name[-100:]}"


class ProductImport(models.Model):
    """A product file on its way into the catalogue: first counted, then taken over."""

    class State(models.TextChoices):
        COUNTING = "counting", "being checked"
        COUNTED = "counted", "checked, nothing changed yet"
        IMPORTING = "importing"
        DONE = "done", "imported"
        UNDOING = "undoing", "being undone"
        UNDONE = "undone"
        FAILED = "failed", "refused"

    UNDER_WAY = (State.COUNTING, State.IMPORTING, State.UNDOING)

    file = models.FileField(
        upload_to=import_folder, storage=private_files, max_length=250, editable=False, blank=True
    )  # empty for those of the command
    name = models.CharField("file", max_length=200)
    format = models.CharField(max_length=20)
    mapping = models.JSONField(default=dict, blank=True)
    currency = models.CharField(max_length=3, default="INR")
    take_stock = models.BooleanField(default=False)
    take_pictures = models.BooleanField(default=False)
    as_drafts = models.BooleanField(default=False, help_text="Keep new products unpublished.")
    new_names = models.JSONField(
        default=list, help_text="Names that the check found to be new: kind, name, products, similar names."
    )
    choices = models.JSONField(default=dict, help_text="For each new name, the existing record to use instead.")
    state = models.CharField(max_length=10, choices=State, default=State.COUNTING)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    heartbeat_at = models.DateTimeField(
        "heard at", default=timezone.now, db_column="heard_at", help_text="Last sign of progress."
    )
    finished_at = models.DateTimeField(null=True)
    position = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(default=dict)
    problem = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = "import"

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        """The file on this machine."""
        return local_path(self.file)

    @property
    def report_name(self) -> str:
        return self._beside("report.csv")

    @property
    def refused_name(self) -> str:
        return self._beside("refused.csv")

    def _beside(self, name: str) -> str:
        return f"{str(self.file.name).rpartition('/')[0]}/{name}"

    @property
    def percent(self) -> int:
        return min(100, self.position * 100 // self.size) if self.size else 0

    @property
    def is_under_way(self) -> bool:
        return self.state in self.UNDER_WAY


class ImportedChange(models.Model):
    """One row of the catalogue that an import made or changed, with what it needs to be undone."""

    of = models.ForeignKey(ProductImport, models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=20, help_text="Name of the model.")
    object_id = models.BigIntegerField()
    name = models.CharField(max_length=200)
    is_new = models.BooleanField()
    before = models.JSONField(default=dict, help_text="Previous values of the changed fields.")
    after = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True)
    left = models.CharField(max_length=300, blank=True, help_text="Why it was not fully undone.")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["kind", "object_id"], name="imported_object")]

    def __str__(self) -> str:
        return self.name

    @property
    def kind_name(self) -> str:
        return str(apps.get_model("catalog", self.kind)._meta.verbose_name).capitalize()


class PictureAddress(models.Model):
    """Where a picture of a product lies elsewhere, as an import file says: queued until it is fetched, and remembered
    then, so that it is fetched once."""

    class State(models.TextChoices):
        WAITING = "waiting"
        FETCHED = "fetched"
        FAILED = "failed"  # until an import names it again

    product = models.ForeignKey("catalog.Product", models.CASCADE, related_name="picture_addresses")
    variant = models.ForeignKey(
        "catalog.Variant", models.CASCADE, null=True, related_name="+", help_text="Leave empty for every variant."
    )
    address = models.CharField(max_length=500)
    alt = models.CharField(max_length=200, blank=True)
    position = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now, help_text="When to download it, or to try again.")
    problem = models.CharField(max_length=300, blank=True, help_text="Why it failed.")
    picture = models.ForeignKey("catalog.Picture", models.SET_NULL, null=True, related_name="fetched_from")
    is_new_picture = models.BooleanField(default=False, help_text="The shop did not have this picture before.")
    added_to = models.JSONField(default=list, help_text="IDs of the variants it was added to.")
    named_by = models.ForeignKey(ProductImport, models.SET_NULL, null=True, related_name="picture_addresses")

    class Meta:
        ordering = ["position", "id"]
        indexes = [
            models.Index(fields=["state", "due_at"], name="pictures_owed"),
            models.Index(fields=["address"], name="pictures_by_address"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["product", "address"], condition=models.Q(variant=None), name="an_address_once_a_product"
            ),
            models.UniqueConstraint(fields=["variant", "address"], name="an_address_once_a_variant"),
        ]

    def __str__(self) -> str:
        return self.address


class BulkChange(models.Model):
    """One change of prices or stock of many variants: seen first, then applied once."""

    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    what = models.CharField(max_length=300, help_text="Description of the change.")
    reason = models.CharField(max_length=60, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    applied_at = models.DateTimeField(null=True, editable=False)
    apply_at = models.DateTimeField("scheduled for", null=True, editable=False)
    cancelled_at = models.DateTimeField(null=True, editable=False)
    undoes = models.ForeignKey("self", models.SET_NULL, null=True, editable=False, related_name="undone_by")
    # To whatever is on hand when it is applied; else the stock must still be what the preview showed.
    adds_stock = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["apply_at", "id"], condition=models.Q(applied_at=None), name="changes_due")]

    def __str__(self) -> str:
        return self.what

    @property
    def state(self) -> str:
        if self.applied_at:
            return "applied"
        if self.cancelled_at:
            return "cancelled"
        return "scheduled" if self.apply_at else "preview"


class BulkChangeRow(models.Model):
    """What one variant had when the change was previewed, and what it is to have; `refusal` says why it stays."""

    change = models.ForeignKey(BulkChange, models.CASCADE, related_name="rows")
    variant = models.ForeignKey("catalog.Variant", models.CASCADE, related_name="+")
    selling_before = models.DecimalField(max_digits=12, decimal_places=2)
    selling_after = models.DecimalField(max_digits=14, decimal_places=2)
    actual_before = models.DecimalField(max_digits=12, decimal_places=2)
    actual_after = models.DecimalField(max_digits=14, decimal_places=2)
    on_hand_before = models.PositiveIntegerField()
    on_hand_after = models.IntegerField()
    before = models.JSONField(default=dict, help_text="What else changes: prices abroad, and facts of the product.")
    after = models.JSONField(default=dict)
    refusal = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["change", "variant"], name="a_variant_once_a_change")]

    def __str__(self) -> str:
        return f"{self.variant_id} in {self.change_id}"
