"""The register of Schedule H1: an entry for each parcel that takes such a medicine to a customer."""

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from shop.catalog.composition.prescriptions import Schedule
from shop.jobs.services import for_each
from shop.orders.models import OrderLine, ShipmentLine

from ..models import PrescriptionLine, RegisterEntry

BATCH = 500
MAX_BATCHES = RegisterEntry._meta.get_field("batch").max_length
KEPT_FOR = timedelta(days=3 * 366)  # the law asks for three years


def enter_supplies() -> int:
    """A scheduled job: what was shipped and has no entry yet. The row of the parcel is unique, so each is entered
    once."""
    known = RegisterEntry.objects.filter(shipped=OuterRef("pk"))
    approved = PrescriptionLine.objects.filter(line=OuterRef("order_line"), state=PrescriptionLine.State.APPROVED)
    lines = ShipmentLine.objects.filter(
        ~Exists(known),
        Exists(approved),
        order_line__variant__product__schedule=Schedule.H1,
        shipment__shipped_at__gt=timezone.now() - KEPT_FOR,
    )
    return for_each(
        "enter_supplies", lines.select_related("shipment", "order_line__order").order_by("pk")[:BATCH], _enter
    )


def _enter(shipped: ShipmentLine) -> bool:
    line = shipped.order_line
    said = PrescriptionLine.objects.select_related("checked__prescription").get(line=line).checked.prescription
    facts = {
        name: getattr(said, name)
        for name in (
            "patient_name", "patient_address", "prescriber_name", "prescriber_address", "prescriber_registration",
        )
    }  # fmt: skip
    return RegisterEntry.objects.get_or_create(
        shipped=shipped,
        defaults={
            "supplied_on": timezone.localdate(shipped.shipment.shipped_at),
            "order_number": line.order.number,
            "drug": drug_words(line),
            "batch": batch_numbers(shipped),
            "quantity": shipped.quantity,
            **facts,
        },
    )[1]


def batch_numbers(shipped: ShipmentLine) -> str:
    """As the parcel keeps them; empty for stock that isn't tracked by batch, then the pharmacist writes them."""
    numbers: list[str] = [copy["number"] for copy in shipped.batches if copy["number"]]
    return ", ".join(numbers)[:MAX_BATCHES]


def drug_words(line: OrderLine) -> str:
    """Its name, what it is made of with strengths, and the pack."""
    made_of = ", ".join(" ".join(part for part in pair if part) for pair in line.variant.product.active_ingredients)
    return ", ".join(part for part in (line.product_name, made_of, line.options) if part)[:300]
