"""Parts of an address: its street, from the list of its fields, and its country."""

from collections.abc import Mapping
from typing import Any

from django import template

from shop.markets.market import local_country_name

from ..addresses.fields import street_lines
from ..models import Address

register = template.Library()


@register.filter
def street(address: Address | Mapping[str, Any]) -> str:
    """The street on one line: of an Address, or of an order's copy."""
    return ", ".join(street_lines(address.as_fields() if isinstance(address, Address) else address))


@register.filter
def country_of(address: Mapping[str, Any]) -> str:
    """The country of an order's copy, in the active language."""
    return local_country_name(address.get("country_code", ""), address.get("country", ""))


@register.filter
def street_for_staff(address: Mapping[str, Any]) -> list[str]:
    """The street of an order's copy, line by line, with what only the API sets."""
    return street_lines(address, for_staff=True)
