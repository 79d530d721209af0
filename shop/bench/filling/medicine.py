"""Batches, recalls and prescriptions for what catalogue.py and orders.py made, in the database of the environment:
`python -m shop.bench.filling.medicine`. Nothing where there are batches already.

A hundredth of the orders has a prescription, of which some wait; a fifth of the variants is
tracked by batch, and one batch that many parcels took is recalled.
"""

import os
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
django.setup()

from django.contrib.auth.models import Group
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import PHARMACIST
from shop.catalog.models import Batch, Product, Variant
from shop.invalidation.services import invalidate
from shop.orders.batches.models import Recall, ShippedBatch
from shop.orders.models import Order, OrderLine, ShipmentLine
from shop.pharmacy.models import OrderPrescription, Prescription, PrescriptionLine, PrescriptionPage

from . import settle

BATCH = 5000
TRACKED, PRESCRIBED, RECALLED = 5, 100, 5000  # one in so many variants and orders; units of the batch that is recalled
UNITS = 9


def fill() -> None:
    if Batch.objects.exists():
        return
    _track()
    _prescribe()
    owner = Customer.objects.get(email="owner@example.com")
    owner.groups.add(Group.objects.get(name=PHARMACIST))  # who opens the pharmacist's screens in the measurement
    invalidate("shop")
    settle()


def _track() -> None:
    """Two batches of each, the units of which are on hand; parcels took one that is recalled."""
    today = timezone.localdate()
    variants = Variant.objects.filter(on_hand__gte=UNITS).order_by("pk")
    pks = [pk for number, pk in enumerate(variants.values_list("pk", flat=True)) if number % TRACKED == 0]
    for start in range(0, len(pks), BATCH):
        some = pks[start : start + BATCH]
        Variant.objects.filter(pk__in=some).update(is_batched=True)
        Batch.objects.bulk_create(
            Batch(
                variant_id=pk, number=f"{letter}{pk}", expires=today + timedelta(days=days + pk % 300),
                sold_until=today + timedelta(days=days - 100 + pk % 300), received=units, units=units,
            )
            for pk in some
            for letter, days, units in (("A", 200, 4), ("B", 500, UNITS - 4))
        )  # fmt: skip
    sent = list(ShipmentLine.objects.order_by("pk").values_list("pk", "quantity")[:RECALLED])
    recalled = Batch.objects.create(
        variant_id=pks[0], number="RECALLED", expires=today + timedelta(days=300), recalled_at=timezone.now(),
        received=sum(units for _, units in sent), packed=sum(units for _, units in sent),
    )  # fmt: skip
    ShippedBatch.objects.bulk_create(
        (ShippedBatch(shipment_line_id=pk, batch=recalled, quantity=units) for pk, units in sent), batch_size=BATCH
    )
    Recall.objects.create(batch=recalled, reason="Seal not tight", by="shop", notified_at=timezone.now())


def _prescribe() -> None:
    """One page each, whose file nobody opens here; those of orders that are not packed wait."""
    now = timezone.now()
    orders = Order.objects.filter(placed_at__isnull=False).order_by("pk").only("pk", "customer_id", "status")
    chosen = [order for number, order in enumerate(orders.iterator(chunk_size=BATCH)) if number % PRESCRIBED == 0]
    lines = {line.order_id: line for line in OrderLine.objects.filter(order__in=[order.pk for order in chosen])}
    Product.objects.filter(variants__in=[line.variant_id for line in lines.values()]).update(
        is_prescription=True, schedule="H"
    )
    said = Prescription.objects.bulk_create(Prescription(customer_id=order.customer_id) for order in chosen)
    PrescriptionPage.objects.bulk_create(
        PrescriptionPage(prescription=one, position=1, file="prescriptions/none.jpg", digest=str(one.pk))
        for one in said
    )
    checked = OrderPrescription.objects.bulk_create(
        OrderPrescription(order=order, prescription=one, decided_at=None if order.status == "placed" else now)
        for order, one in zip(chosen, said, strict=True)
    )
    PrescriptionLine.objects.bulk_create(
        PrescriptionLine(
            checked=row, line=lines[row.order_id], state="waiting" if row.decided_at is None else "approved",
            quantity=0 if row.decided_at is None else 1,
        )
        for row in checked
    )  # fmt: skip


if __name__ == "__main__":
    fill()
