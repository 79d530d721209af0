from django.db import models
from django.utils import timezone


class FileToRemove(models.Model):
    """A file that belongs to no row, by storage (settings.STORAGES) and name: gone from here once it is removed."""

    storage = models.CharField(max_length=20)
    name = models.CharField(max_length=300)
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name


class FailedRow(models.Model):
    """A row that a scheduled job cannot handle: it is tried again in each run, and staff see it until it is handled."""

    chore = models.CharField(max_length=60)
    kind = models.CharField(max_length=60, help_text="Kind of record, such as order.")
    row_id = models.CharField("id", max_length=60)
    name = models.CharField(max_length=120)
    error = models.CharField(max_length=300)
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-last_at", "-id"]
        verbose_name = "failed row"
        constraints = [models.UniqueConstraint(fields=["chore", "kind", "row_id"], name="a_failed_row_once_a_chore")]

    def __str__(self) -> str:
        return f"{self.chore}: {self.name}"
