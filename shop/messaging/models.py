from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

TRIED_FOR = timedelta(days=3)


class MessageQuerySet(models.QuerySet["Message"]):
    def owed(self) -> Self:
        """Not sent, and still worth sending."""
        now = timezone.now()
        fresh = Q(gone_stale_at=None) | Q(gone_stale_at__gt=now)
        return self.filter(fresh, sent_at=None, created_at__gt=now - TRIED_FOR)

    def due(self) -> Self:
        return self.owed().filter(next_try_at__lte=timezone.now())

    def stale(self) -> Self:
        """Too late to be sent, with a text that is still kept."""
        return self.filter(sent_at=None, gone_stale_at__lte=timezone.now()).exclude(text="")


class Message(models.Model):
    """The outbox: one mail or SMS, written in the same transaction as what it tells about."""

    class Channel(models.TextChoices):
        MAIL = "mail", "Email"
        SMS = "sms", "SMS"

    channel = models.CharField(max_length=4, choices=Channel)
    kind = models.CharField(max_length=40, help_text="Type of message, such as order_placed or sign_up_code.")
    key = models.CharField(
        max_length=120,
        unique=True,
        null=True,
        blank=True,
        help_text="A second message with the same key is not created.",
    )
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    html = models.TextField(blank=True)
    headers = models.JSONField(default=dict, blank=True, help_text="Extra email headers, by name.")
    created_at = models.DateTimeField(default=timezone.now)
    next_try_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    gone_stale_at = models.DateTimeField(
        null=True, blank=True, help_text="Not sent after this time, for example when a code has expired."
    )
    last_error = models.CharField(max_length=200, blank=True)
    request_id = models.CharField(max_length=32, blank=True, help_text="ID of the request that created it.")

    objects = MessageQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["next_try_at"], condition=models.Q(sent_at=None), name="message_owed")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
