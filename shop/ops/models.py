from django.db import models
from django.utils import timezone


class Chore(models.Model):
    """Scheduled job (settings.SCHEDULED_JOBS): when it is due, and who runs it right now.

    `held_until` is a lease that its runner renews; after a kill it ends by itself.
    """

    name = models.CharField(max_length=200, primary_key=True, help_text="Dotted path of the function.")
    due_at = models.DateTimeField(default=timezone.now)
    holder = models.CharField(max_length=32, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    ran_at = models.DateTimeField(null=True, blank=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return self.name
