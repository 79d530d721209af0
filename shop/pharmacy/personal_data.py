"""A customer who takes the own data along, or leaves for good.

The Drugs Rules have a pharmacy keep prescriptions, and the register of Schedule H1, for three years. So a deleted
account leaves behind those that an order was placed with, until the scheduled job deletes them (jobs.py); they stay
readable to the pharmacist alone. Uploads that no order was placed with go at once.
"""

from typing import Any

from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data

from .models import ChosenPrescription, OrderPrescription, Prescription
from .services import remove_files

FACTS = (
    "created_at", "patient_name", "patient_address", "prescriber_name", "prescriber_address",
    "prescriber_registration", "issued_on", "repeats",
)  # fmt: skip


@receiver(collecting_data)
def disclose_prescriptions(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    own = customer.prescriptions.prefetch_related("pages", "items__variant", "orders__order", "orders__lines__line")
    return {"prescriptions": [_present(prescription) for prescription in own.order_by("pk")]}


@receiver(account_deleted)
def delete_unused_prescriptions(sender: type, customer: Customer, **kwargs: Any) -> None:
    """The customer is locked."""
    ChosenPrescription.objects.filter(customer=customer).delete()
    placed = Prescription.objects.filter(customer=customer, orders__order__placed_at__isnull=False).values("pk")
    for prescription in customer.prescriptions.exclude(pk__in=placed):
        remove_files(list(prescription.pages.all()))
        OrderPrescription.objects.filter(prescription=prescription).delete()
        prescription.delete()


def _present(prescription: Prescription) -> dict[str, Any]:
    return {name: getattr(prescription, name) for name in FACTS} | {
        "pages": prescription.pages.count(),
        "medicines": [{"sku": item.variant.sku, "quantity": item.quantity} for item in prescription.items.all()],
        "orders": [
            {
                "number": checked.order.number,
                "lines": [
                    {"name": one.line.product_name, "state": one.state, "reason": one.reason, "quantity": one.quantity}
                    for one in checked.lines.all()
                ],
            }
            for checked in prescription.orders.all()
        ],
    }
