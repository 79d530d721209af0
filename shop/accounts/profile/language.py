"""The language that a customer is written to in: that of the page where they signed up, until they pick another."""

from typing import Any

from django.dispatch import receiver

from shop.markets.services import language_picked

from ..models import Customer
from ..requests import CustomerRequest


@receiver(language_picked)
def keep_language(sender: Any, *, request: CustomerRequest, language: str, **kwargs: Any) -> None:
    """Keep what somebody who is signed in has picked, on their row alone; picking it again changes nothing."""
    if request.user.is_authenticated and request.user.language != language:
        Customer.objects.filter(pk=request.user.pk).update(language=language)
