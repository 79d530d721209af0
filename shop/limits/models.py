from django.db import models


class Counter(models.Model):
    """How often something happened since the first time in a window; written by services.take."""

    key = models.CharField(max_length=80, unique=True)
    expires_at = models.DateTimeField(db_index=True, help_text="End of the counting period.")
    count = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"
