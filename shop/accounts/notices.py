"""Telling customers what happened to their account."""

from typing import Any

from shop.messaging.services import queue_mail, queue_sms

from .models import Customer


def notify(customer: Customer, kind: str, subject: str, **context: Any) -> None:
    """Owe a mail, or an SMS to who gave only a mobile, made of templates/emails/<kind>."""
    if customer.email:
        queue_mail(kind=kind, to=customer.email, subject=subject, template=kind, context=context)
    elif customer.phone:
        queue_sms(kind=kind, to=customer.phone, template=kind, context=context)
