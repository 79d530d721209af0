"""What people write to the shop."""

from datetime import datetime
from secrets import token_urlsafe

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from shop.backoffice.actors import ActorField
from shop.errors import Invalid
from shop.markets.models import Location
from shop.messaging.languages import language_now
from shop.messaging.safe_templates import check_text

from .queries import ComplaintQuerySet


class CodeMessage(models.Model):
    """Who wrote, what, and about which order. What was sent twice is one message: see `submission`."""

    name = models.CharField(max_length=100)
    phone = models.CharField("telephone", max_length=30)
    email = models.EmailField(max_length=254)
    order_number = models.CharField(max_length=20, blank=True)
    text = models.TextField()
    created_at = models.DateTimeField("received", default=timezone.now)
    submission = models.CharField(max_length=64, unique=True, editable=False)
    language = models.CharField(max_length=8, default=language_now, db_default="en", editable=False)

    class Meta:
        abstract = True


class Enquiry(CodeMessage):
    """A message of the contact form. Moved on by enquiries/services.py alone."""

    class State(models.TextChoices):
        NEW = "new", "New"
        ANSWERED = "answered", "Answered"
        CLOSED = "closed", "Closed"

    state = models.CharField(max_length=8, choices=State, default=State.NEW)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="enquiry_newest"),
            models.Index(fields=["state", "-created_at"], name="enquiry_by_state"),
            models.Index(fields=["email"], name="enquiry_by_email"),
            models.Index(fields=["phone"], name="enquiry_by_phone"),
        ]
        verbose_name = "message"

    def __str__(self) -> str:
        return f"Message {self.pk} of {self.name}"


class EnquiryEvent(models.Model):
    """An answer, or a change of state. Rows are added and never changed."""

    enquiry = models.ForeignKey(Enquiry, models.CASCADE, related_name="events")
    at = models.DateTimeField(default=timezone.now)
    actor = ActorField()
    state = models.CharField("new status", max_length=8, choices=Enquiry.State)
    words = models.TextField("answer", blank=True)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return self.get_state_display()


class Complaint(CodeMessage):
    """A complaint to the grievance officer, with its two deadlines. Moved on by complaints/services.py
    alone."""

    class State(models.TextChoices):
        RECEIVED = "received", "Received"
        ACKNOWLEDGED = "acknowledged", "Acknowledged"
        RESOLVED = "resolved", "Resolved"

    number = models.CharField(max_length=13, unique=True)
    state = models.CharField(max_length=12, choices=State, default=State.RECEIVED)
    acknowledge_by = models.DateTimeField()
    resolve_by = models.DateTimeField()
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolution = models.TextField(blank=True)
    location = models.ForeignKey(
        Location,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Times are shown in this country's time zone.",
    )

    objects = ComplaintQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["state", "acknowledge_by"], name="complaint_by_state"),
            models.Index(fields=["email"], name="complaint_by_email"),
            models.Index(fields=["phone"], name="complaint_by_phone"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def due_at(self) -> datetime | None:
        """When the clock that runs now runs out; None once it is resolved."""
        if self.state == self.State.RESOLVED:
            return None
        return self.acknowledge_by if self.state == self.State.RECEIVED else self.resolve_by


class ComplaintEvent(models.Model):
    """A step of a complaint. Rows are added and never changed."""

    complaint = models.ForeignKey(Complaint, models.CASCADE, related_name="events")
    at = models.DateTimeField(default=timezone.now)
    actor = ActorField()
    state = models.CharField("new status", max_length=12, choices=Complaint.State)
    words = models.TextField(blank=True)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return self.get_state_display()


class Assignment(models.Model):
    """Who takes care of one thing that waits in the inbox; a row goes when nobody does."""

    source = models.CharField(max_length=20, help_text="Key of the kind of thing.")
    object_id = models.BigIntegerField()
    assignee = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "object_id"], name="one_assignee_a_thing")]

    def __str__(self) -> str:
        return f"{self.source} {self.object_id}"


class ReplyTemplate(models.Model):
    """A text that staff answer with; they can change it before it is sent."""

    VARIABLES = ("name", "order", "agent")

    name = models.CharField(max_length=80, unique=True)
    text = models.TextField(
        max_length=4000,
        help_text="Variables: {{ name }} (of the customer), {{ order }} (its number, where there is one), "
        "{{ agent }} (who answers), {{ shop_name }}, {{ shop_url }}, {{ shop_email }}.",
    )
    is_active = models.BooleanField("in use", default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        try:
            check_text(self.text, self.VARIABLES, field="text")
        except Invalid as refusal:
            raise ValidationError(refusal.fields) from refusal


class Subscription(models.Model):
    """A newsletter subscription, from the form over the link in an email to unsubscribing. Who comes back gets a new
    row, so that each consent stays on record with its time and its words."""

    email = models.EmailField(max_length=254)
    key = models.CharField(max_length=43, unique=True, default=token_urlsafe, editable=False)  # in the links of mails
    text_version = models.CharField("agreed to text", max_length=20)
    language = models.CharField(max_length=8, default=language_now, db_default="en", editable=False)
    asked_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-asked_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["email"], condition=models.Q(left_at=None), name="subscribed_once")
        ]
        verbose_name = "newsletter subscriber"

    def __str__(self) -> str:
        return self.email
