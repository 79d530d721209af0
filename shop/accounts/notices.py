"""Telling customers what happened to their account."""

from typing import Any

from django.conf import settings
from django.utils.text import format_lazy

from shop.messaging.languages import LazyText

from .models import Customer
from .notifications import write_to


def at_shop(subject: str | LazyText) -> LazyText:
    """A translated subject with the shop's name in the place of {shop_name}."""
    return format_lazy(subject, shop_name=settings.SHOP_NAME)


def notify(customer: Customer, kind: str, subject: str | LazyText, **context: Any) -> None:
    """Queue an email in the account's language, or an SMS where only a mobile number is known; {shop_name} in the
    subject is filled in."""
    if address := customer.email or customer.phone:
        write_to(address, kind, at_shop(subject), language=customer.language, **context)
