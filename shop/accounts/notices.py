"""Telling customers what happened to their account."""

from typing import Any

from .models import Customer
from .notifications import write_to


def notify(customer: Customer, kind: str, subject: str, **context: Any) -> None:
    """Owe a mail, or an SMS to who gave only a mobile."""
    if address := customer.email or customer.phone:
        write_to(address, kind, subject, **context)
