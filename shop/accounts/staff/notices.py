"""Telling the owners of the shop who may open the back office."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.urls import reverse

from ..models import Customer
from ..notifications import write_to
from .roles import OWNER


def owners() -> QuerySet[Customer]:
    """Who is notified of what concerns the whole shop."""
    is_owner = Q(groups__name=OWNER) | Q(is_superuser=True)
    return Customer.objects.filter(is_owner, is_active=True, is_staff=True).distinct()


def notify_owners_of_access(person: Customer, *, roles: Iterable[Group], by: Any = None) -> None:
    """Queue a mail to the owners with the `roles` that a person has from now on; none: no access any more.

    `by` is who gave or took them; who accepts an invitation does it themself. That owner is notified too, since
    somebody else may have been at their browser. The person is not.
    """
    emails = owners().exclude(pk=person.pk).values_list("email", flat=True)
    for email in list(filter(None, emails)) or [settings.SHOP_EMAIL]:
        write_to(
            email,
            "staff_access",
            f"Back office access at {settings.SHOP_NAME} has changed",
            person=person.email or person.phone or person.name,
            roles=", ".join(sorted(role.name for role in roles)),
            by=by and (by.email or by.phone or by.name),
            page_url=settings.SHOP_URL + reverse("admin:accounts_customer_change", args=[person.pk]),
        )
