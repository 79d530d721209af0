from django.db import models


class Counter(models.Model):
    """How often something happened in one window of time; written only by services.take."""

    key = models.CharField(max_length=200)
    window = models.BigIntegerField(help_text="Number of the window since 1970, in periods.")
    expires_at = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "window"], name="one_counter_a_window")]

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"
