"""A customer who takes the own data along, or leaves for good: then the newsletter ends, and what was
written to the shop stays with what came of it."""

from typing import Any

from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data

from .models import Complaint, Enquiry, Subscription


@receiver(collecting_data)
def disclose_messages(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    """What was written from the customer's own address, which the account has verified."""
    if not customer.email:
        return {}
    enquiries = Enquiry.objects.filter(email=customer.email).prefetch_related("events")
    complaints = Complaint.objects.filter(email=customer.email).prefetch_related("events")
    moments = ("asked_at", "confirmed_at", "left_at", "text_version")
    return {
        "messages": [_present(enquiry) for enquiry in enquiries],
        "complaints": [{"number": complaint.number, **_present(complaint)} for complaint in complaints],
        "newsletter": list(Subscription.objects.filter(email=customer.email).values(*moments)),
    }


@receiver(account_deleted)
def end_newsletter(sender: type, customer: Customer, **kwargs: Any) -> None:
    if customer.email:
        Subscription.objects.filter(email=customer.email).delete()


def _present(message: Enquiry | Complaint) -> dict[str, Any]:
    facts = {name: getattr(message, name) for name in ("created_at", "name", "phone", "order_number", "text", "state")}
    answers = [{"at": event.at, "text": event.words} for event in message.events.all() if event.words]
    return facts | {"answers": answers}
