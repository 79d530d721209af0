"""A payment attempt is a row, and so is a refund and each event from the provider."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from shop.money import INR, display, from_paise
from shop.orders.models import Order
from shop.orders.payment_methods import recorded_choices

from .queries import UNPAID, PaymentQuerySet, ProviderEventQuerySet


class Payment(models.Model):
    """One provider order for one order of ours, and the money that came in through it."""

    class Status(models.TextChoices):
        CREATED = "created"  # written here; the provider may not know it yet
        OPEN = "open"  # the provider has its order; nobody paid yet
        FAILED = "failed"  # the last try failed; a later one may still succeed
        CAPTURED = "captured"  # money is ours
        REFUSED = "refused"  # captured money that did not fit; owed back

    order = models.ForeignKey(Order, models.PROTECT, related_name="payments")
    method = models.CharField(max_length=8, choices=recorded_choices, default="provider")
    receipt = models.CharField(max_length=40, unique=True, help_text="Identifies this attempt to the payment provider.")
    razorpay_order_id = models.CharField(max_length=40, unique=True, null=True, blank=True)
    razorpay_payment_id = models.CharField(max_length=40, unique=True, null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.CREATED)
    amount_paise = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3, default="INR")
    captured_paise = models.PositiveBigIntegerField(default=0)
    refunded_paise = models.PositiveBigIntegerField(default=0)
    simulated = models.BooleanField(default=False)
    failure = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    captured_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(
        null=True,
        blank=True,
        help_text="A request is creating the provider's order; once this has passed, it got no answer.",
    )
    check_at = models.DateTimeField(
        null=True, blank=True, default=timezone.now, help_text="When to check with the provider next."
    )

    objects = PaymentQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["status", "created_at"], name="payments_by_status"),
            models.Index(fields=["check_at"], condition=Q(check_at__isnull=False), name="payments_to_check"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["order", "simulated"],
                condition=Q(status__in=UNPAID),
                name="one_open_payment_an_order",
            ),
            models.CheckConstraint(
                condition=Q(refunded_paise__lte=models.F("captured_paise")), name="refunds_within_capture"
            ),
        ]

    def __str__(self) -> str:
        return self.razorpay_order_id or self.receipt

    @property
    def capture_id(self) -> str:
        """Names the money that came in: the provider's payment, or the receipt of cash."""
        return self.razorpay_payment_id or self.receipt

    @property
    def captured(self) -> str:
        return display(from_paise(self.captured_paise), INR)

    @property
    def refunded(self) -> str:
        return display(from_paise(self.refunded_paise), INR)


class StrayCapture(models.Model):
    """Captured money beyond the one payment that paid its order; it goes back in full."""

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="strays")
    razorpay_payment_id = models.CharField(max_length=40, unique=True)
    amount_paise = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.razorpay_payment_id


class Refund(models.Model):
    class Status(models.TextChoices):
        REQUESTED = "requested"  # written before the provider is called
        PENDING = "pending"  # the provider has it
        PROCESSED = "processed"
        FAILED = "failed"

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="refunds")
    razorpay_payment_id = models.CharField(max_length=40, help_text="The payment that is refunded.")
    idempotency_key = models.CharField(max_length=40, unique=True)
    razorpay_refund_id = models.CharField(max_length=40, unique=True, null=True, blank=True)
    amount_paise = models.PositiveBigIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.REQUESTED)
    reference = models.CharField(
        max_length=60, blank=True, help_text="Transfer reference, if cash was refunded by bank transfer."
    )
    reason = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)
    processed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["status"], name="refunds_by_status")]
        constraints = [models.CheckConstraint(condition=Q(amount_paise__gt=0), name="a_refund_returns_something")]

    def __str__(self) -> str:
        return f"Refund of {self.amount} ({self.idempotency_key})"

    @property
    def amount(self) -> str:
        return display(from_paise(self.amount_paise), INR)


class LostWindow(models.Model):
    """A time whose rows are lost: from the copy that the shop was restored from until it was restored.

    The provider still knows what was paid in it (reconciliation/lost_orders.py).
    """

    since = models.DateTimeField(unique=True)
    until = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.since} to {self.until}"


class LostCapture(models.Model):
    """Captured money whose order was lost with its rows; it goes back in full."""

    razorpay_payment_id = models.CharField(max_length=40, unique=True)
    razorpay_order_id = models.CharField(max_length=40)
    order_number = models.CharField(max_length=40, blank=True)
    amount_paise = models.PositiveBigIntegerField()
    idempotency_key = models.CharField(max_length=60, unique=True, help_text="Key of the latest attempt.")
    tries = models.PositiveSmallIntegerField(default=1)
    razorpay_refund_id = models.CharField(max_length=40, unique=True, null=True, blank=True)
    status = models.CharField(max_length=10, choices=Refund.Status, default=Refund.Status.REQUESTED)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.razorpay_payment_id


class ProviderEvent(models.Model):
    """A webhook call, stored as it came; worked on afterwards."""

    event_id = models.CharField(max_length=80, unique=True)
    event = models.CharField(max_length=60)
    body = models.TextField()
    received_at = models.DateTimeField(default=timezone.now)
    handled_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0, help_text="Failed attempts to process it.")
    last_error = models.CharField(max_length=300, blank=True)
    failed_at = models.DateTimeField(
        null=True, blank=True, help_text="Not retried since this time, after too many failures."
    )
    razorpay_order_id = models.CharField(max_length=40, blank=True, db_index=True)
    razorpay_payment_id = models.CharField(max_length=40, blank=True)

    objects = ProviderEventQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["received_at"], condition=Q(handled_at=None), name="events_to_handle")]

    def __str__(self) -> str:
        return f"{self.event} {self.event_id}"


class SimulatedRecord(models.Model):
    """What the simulated provider remembers: its orders, payments, refunds, events and faults.

    The shop itself never reads these; it asks the provider (shop/payments/simulator/).
    """

    id = models.CharField(max_length=40, primary_key=True)
    account = models.CharField(max_length=40, help_text="Key ID of the provider account.")
    kind = models.CharField(max_length=10)
    parent = models.CharField(max_length=40, blank=True, help_text="Order of a payment, or payment of a refund.")
    mark = models.CharField(max_length=80, blank=True, help_text="Receipt or idempotency key.")
    body = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at", "id"]
        indexes = [
            models.Index(fields=["account", "kind", "parent"], name="simulated_by_parent"),
            models.Index(fields=["account", "kind", "mark"], name="simulated_by_mark"),
        ]

    def __str__(self) -> str:
        return self.id
