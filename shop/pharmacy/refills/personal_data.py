"""A customer who takes the own data along, or leaves for good: reminders go with the account."""

from typing import Any

from django.db.models import F
from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data

from ..models import RefillReminder

FACTS = ("quantity", "days", "per_day", "next_on", "state", "created_at")


@receiver(collecting_data)
def disclose_refills(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    own = customer.refills.order_by("pk").annotate(sku=F("variant__sku"), product=F("variant__product__name"))
    sent = RefillReminder.objects.filter(customer=customer).order_by("pk")
    return {
        "refill_reminders": list(own.values("product", "sku", *FACTS)),
        "refill_reminders_sent": list(sent.values_list("sent_at", flat=True)),
    }


@receiver(account_deleted)
def delete_refills(sender: type, customer: Customer, **kwargs: Any) -> None:
    """The customer is locked."""
    RefillReminder.objects.filter(customer=customer).delete()
    customer.refills.all().delete()
