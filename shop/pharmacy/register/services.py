"""The register of Schedule H1: an entry for each parcel that takes such a medicine to a customer, written with it."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from shop.catalog.composition.prescriptions import Schedule
from shop.orders.models import OrderLine, ShipmentLine
from shop.orders.signals import parcel_packed

from ..models import PrescriptionLine, RegisterEntry
from ..review.guard import not_approved

MAX_BATCHES = RegisterEntry._meta.get_field("batch").max_length
KEPT_FOR = timedelta(days=3 * 366)  # the law asks for three years


@receiver(parcel_packed)
def enter_supplies(sender: type, lines: Iterable[ShipmentLine], **kwargs: Any) -> None:
    """What of a parcel is of Schedule H1 as the product is now, in the transaction that packs it. Nothing that was not
    approved is packed (review/guard.py) or entered; the row of the parcel's line is unique, so each is entered once."""
    rows = ShipmentLine.objects.filter(
        pk__in=[line.pk for line in lines], order_line__variant__product__schedule=Schedule.H1
    )
    for shipped in rows.select_related("shipment", "order_line__order", "order_line__variant__product"):
        _enter(shipped)


def _enter(shipped: ShipmentLine) -> None:
    line = shipped.order_line
    approved = PrescriptionLine.objects.select_related("checked__prescription").filter(line=line).first()
    if approved is None:
        raise not_approved(line.product_name)
    said = approved.checked.prescription
    facts = {
        name: getattr(said, name)
        for name in (
            "patient_name", "patient_address", "prescriber_name", "prescriber_address", "prescriber_registration",
        )
    }  # fmt: skip
    RegisterEntry.objects.get_or_create(
        shipped=shipped,
        defaults={
            "supplied_on": timezone.localdate(shipped.shipment.shipped_at),
            "order_number": line.order.number,
            "drug": drug_words(line),
            "batch": batch_numbers(shipped),
            "quantity": shipped.quantity,
            **facts,
        },
    )


def batch_numbers(shipped: ShipmentLine) -> str:
    """As the parcel keeps them; empty for stock that isn't tracked by batch, then the pharmacist writes them."""
    numbers: list[str] = [copy["number"] for copy in shipped.batches if copy["number"]]
    return ", ".join(numbers)[:MAX_BATCHES]


def drug_words(line: OrderLine) -> str:
    """Its name, what it is made of with strengths, and the pack."""
    made_of = ", ".join(" ".join(part for part in pair if part) for pair in line.variant.product.active_ingredients)
    return ", ".join(part for part in (line.product_name, made_of, line.options) if part)[:300]
