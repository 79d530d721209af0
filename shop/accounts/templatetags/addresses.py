"""The street of an address, from the list of its fields."""

from collections.abc import Mapping
from typing import Any

from django import template

from ..addresses.fields import street_lines
from ..models import Address

register = template.Library()


@register.filter
def street(address: Address | Mapping[str, Any]) -> str:
    """The street on one line: of an Address, or of an order's copy."""
    return ", ".join(street_lines(address.as_fields() if isinstance(address, Address) else address))


@register.filter
def street_for_staff(address: Mapping[str, Any]) -> list[str]:
    """The street of an order's copy, line by line, with what only the API sets."""
    return street_lines(address, for_staff=True)
