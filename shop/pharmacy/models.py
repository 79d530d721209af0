"""Prescriptions: their pictures, what the pharmacist read on them and decided, and the register of Schedule H1.

Written by services.py, checkout.py and review/services.py; entries of the register by register/services.py.
"""

from datetime import date

from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from shop.accounts.models import Customer
from shop.backoffice.actors import SHOP, ActorField
from shop.catalog.models import Variant
from shop.orders.models import Order, OrderLine, ShipmentLine

from .queries import OrderPrescriptionQuerySet, PrescriptionLineQuerySet, PrescriptionQuerySet

MAX_PAGES = 5
VALID_MONTHS = 6


def private_files() -> Storage:
    return storages["private"]


def months_after(day: date, months: int) -> date:
    """The same day of a later month, or its last one."""
    month = day.month - 1 + months
    year, month = day.year + month // 12, month % 12 + 1
    last = (date(year + month // 12, month % 12 + 1, 1) - date.resolution).day
    return date(year, month, min(day.day, last))


class Prescription(models.Model):
    """What a customer uploaded, and what the pharmacist read on it. Its pages stay as they are once it was ordered
    with."""

    customer = models.ForeignKey(Customer, models.PROTECT, related_name="prescriptions")
    created_at = models.DateTimeField("uploaded", default=timezone.now)

    patient_name = models.CharField(max_length=120, blank=True)
    patient_address = models.CharField(max_length=300, blank=True)
    prescriber_name = models.CharField(max_length=120, blank=True)
    prescriber_address = models.CharField(max_length=300, blank=True)
    prescriber_registration = models.CharField("registration number", max_length=60, blank=True)
    issued_on = models.DateField("date of the prescription", null=True, blank=True)
    repeats = models.PositiveSmallIntegerField(default=0, help_text="How often the prescriber allows it again.")
    recorded_at = models.DateTimeField(null=True, blank=True)
    recorded_by = ActorField(default=SHOP)

    objects = PrescriptionQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Prescription {self.pk}"

    @property
    def valid_until(self) -> date | None:
        return months_after(self.issued_on, VALID_MONTHS) if self.issued_on else None

    def is_valid_on(self, day: date) -> bool:
        """Six months from its date, and not before it."""
        until = self.valid_until
        return bool(self.issued_on and until and self.issued_on <= day <= until)


class PrescriptionPage(models.Model):
    """One picture, encoded anew: a photo, or a page of a PDF."""

    prescription = models.ForeignKey(Prescription, models.CASCADE, related_name="pages")
    position = models.PositiveSmallIntegerField()
    file = models.FileField(storage=private_files, upload_to="prescriptions/", max_length=100)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["prescription", "position"], name="one_prescription_page_a_position"),
            models.CheckConstraint(
                condition=Q(position__gte=1, position__lte=MAX_PAGES), name="a_prescription_has_at_most_five_pages"
            ),
        ]

    def __str__(self) -> str:
        return f"Page {self.position} of prescription {self.prescription_id}"


class PrescribedItem(models.Model):
    """So many packs of a product the prescriber wrote each time; with the repeats they are not exceeded by all orders
    together."""

    prescription = models.ForeignKey(Prescription, models.CASCADE, related_name="items")
    variant = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    quantity = models.PositiveSmallIntegerField(help_text="Packs each time.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["prescription", "variant"], name="one_prescribed_item_a_variant"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_prescribed_item_is_of_something"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.variant_id}"


class ChosenPrescription(models.Model):
    """What a customer's next order is placed with."""

    customer = models.OneToOneField(Customer, models.CASCADE, related_name="+", primary_key=True)
    prescription = models.ForeignKey(Prescription, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.prescription_id} for {self.customer_id}"


class OrderPrescription(models.Model):
    """The prescription of an order, until its pharmacist has decided about every line and afterwards."""

    order = models.OneToOneField(Order, models.CASCADE, related_name="prescription")
    prescription = models.ForeignKey(Prescription, models.PROTECT, related_name="orders")
    created_at = models.DateTimeField(default=timezone.now)
    announced_at = models.DateTimeField(null=True, blank=True, help_text="When customer and pharmacist were notified.")
    owner_notified_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = ActorField(default=SHOP)

    objects = OrderPrescriptionQuerySet.as_manager()

    class Meta:
        verbose_name = "prescription to check"
        verbose_name_plural = "prescriptions to check"
        ordering = ["-id"]
        indexes = [models.Index(fields=["created_at"], condition=Q(decided_at=None), name="prescriptions_waiting")]

    def __str__(self) -> str:
        return f"Prescription of {self.order_id}"


class PrescriptionLine(models.Model):
    """What was decided about one line of an order."""

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting for the pharmacist")
        APPROVED = "approved", gettext_lazy("Approved")
        REFUSED = "refused", gettext_lazy("Rejected")

    class Reason(models.TextChoices):
        """The customer reads it."""

        UNREADABLE = "unreadable", gettext_lazy("We can't read the prescription.")
        INCOMPLETE = (
            "incomplete",
            gettext_lazy(
                "The prescription is missing the patient's name, the doctor's name or registration number, or the date."
            ),
        )
        OTHER_MEDICINE = "other", gettext_lazy("The prescription doesn't name this medicine or strength.")
        EXPIRED = "expired", gettext_lazy("The prescription is more than six months old.")
        USED_UP = "used_up", gettext_lazy("The quantity on the prescription has been supplied already.")
        UNSAFE = "unsafe", gettext_lazy("Our pharmacist advises you to ask your doctor first.")

    checked = models.ForeignKey(OrderPrescription, models.CASCADE, related_name="lines")
    line = models.OneToOneField(OrderLine, models.CASCADE, related_name="prescribed")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    reason = models.CharField("reason for rejection", max_length=10, choices=Reason, blank=True)
    quantity = models.PositiveSmallIntegerField(default=0, help_text="Packs that were approved.")
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = ActorField(default=SHOP)
    pharmacist = models.CharField(max_length=200, blank=True, help_text="Who was responsible then.")

    objects = PrescriptionLineQuerySet.as_manager()

    class Meta:
        ordering = ["line"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="refused", reason__gt="", quantity=0)
                | Q(state="approved", reason="", quantity__gte=1)
                | Q(state="waiting", reason="", quantity=0),
                name="a_prescription_line_has_a_reason_or_a_quantity",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_id}: {self.state}"


class RegisterEntry(models.Model):
    """A supply of a Schedule H1 medicine: everything as it was then, in words."""

    shipped = models.OneToOneField(ShipmentLine, models.PROTECT, related_name="+")
    supplied_on = models.DateField()
    order_number = models.CharField(max_length=13)
    drug = models.CharField(max_length=300, help_text="With its strength and pack.")
    batch = models.CharField(max_length=60, blank=True)
    quantity = models.PositiveSmallIntegerField()
    patient_name = models.CharField(max_length=120)
    patient_address = models.CharField(max_length=300)
    prescriber_name = models.CharField(max_length=120)
    prescriber_address = models.CharField(max_length=300)
    prescriber_registration = models.CharField("registration number", max_length=60)

    class Meta:
        verbose_name = "Schedule H1 supply"
        verbose_name_plural = "Schedule H1 register"
        ordering = ["-supplied_on", "-id"]
        indexes = [models.Index(fields=["-supplied_on", "-id"], name="register_by_day")]

    def __str__(self) -> str:
        return f"{self.drug}, {self.supplied_on}"


from .refills.models import Refill, RefillReminder  # noqa: E402, F401 (found by Django here)
