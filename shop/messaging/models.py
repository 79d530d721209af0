from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from .names import name_of

TRIED_FOR = timedelta(days=3)


class MessageQuerySet(models.QuerySet["Message"]):
    def pending(self) -> Self:
        """Not sent, and still worth sending."""
        now = timezone.now()
        fresh = Q(gone_stale_at=None) | Q(gone_stale_at__gt=now)
        return self.filter(fresh, sent_at=None, created_at__gt=now - TRIED_FOR)

    def due(self) -> Self:
        return self.pending().filter(next_try_at__lte=timezone.now())

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
    language = models.CharField(max_length=8, default="en", db_default="en")
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
        return f"{name_of(self.kind)} {self.pk}"

    @property
    def state(self) -> str:
        """How it stands, in a word or two of English that the back office translates."""
        if self.sent_at:
            return gettext_noop("Sent")
        if self.gone_stale_at and self.gone_stale_at <= timezone.now():
            return gettext_noop("Out of date")
        return gettext_noop("Trying again") if self.attempts else gettext_noop("Waiting")


class MessageText(models.Model):
    """What staff wrote in place of a text that the shop comes with; an empty part is the shipped one.

    There is a row for each message and language (made after a migration).
    """

    ANNOUNCES = "shop"

    template = models.CharField("message", max_length=40, editable=False)
    language = models.CharField(max_length=5, default="en", editable=False)
    subject = models.CharField(max_length=200, blank=True, help_text="Empty: the shop's own subject.")
    text = models.TextField(
        "email text", max_length=6000, blank=True, help_text="Empty: the shop's own text, as it stands below."
    )
    sms = models.TextField(
        "SMS text",
        max_length=1000,
        blank=True,
        help_text="Empty: the shop's own text. In India it must match the text registered with your provider (DLT).",
    )

    class Meta:
        ordering = ["template", "language"]
        constraints = [models.UniqueConstraint(fields=["template", "language"], name="one_text_a_message")]

    def __str__(self) -> str:
        return name_of(self.template)

    @property
    def is_changed(self) -> bool:
        return bool(self.subject or self.text or self.sms)
