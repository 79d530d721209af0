from django.db import models
from django.utils import timezone


class Message(models.Model):
    """The outbox: one mail or SMS, written in the same transaction as what it tells about."""

    class Channel(models.TextChoices):
        MAIL = "mail"
        SMS = "sms"

    channel = models.CharField(max_length=4, choices=Channel)
    kind = models.CharField(max_length=40, help_text="What it tells, such as order_placed or sign_up_code.")
    key = models.CharField(
        max_length=120, unique=True, null=True, blank=True, help_text="A second message with this key is not written."
    )
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    html = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    next_try_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    gone_stale_at = models.DateTimeField(
        null=True, blank=True, help_text="Not sent after this: an expired code is worthless."
    )
    last_error = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["next_try_at"], condition=models.Q(sent_at=None), name="message_owed")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
