"""Following an order without signing in: by its number and one of its phone numbers."""

import re
import unicodedata
from datetime import timedelta

from django.utils.translation import gettext, gettext_noop

from shop.errors import NotFound
from shop.limits.services import consume

from ..models import Order

TRIES_AN_ORDER = 10  # an hour, of one client
TRIES_A_CLIENT = 200  # an hour, over all orders; carriers share addresses among many
PERIOD = timedelta(hours=1)
NUMBER = re.compile(r"ORD-[A-Z0-9]{9}")
LEAST_DIGITS = 6
NOT_FOUND = gettext_noop("We can't find an order with this number and phone number. Please check your confirmation.")


def track_order(*, number: str, phone: str, client: str) -> Order:
    """The order with its events and parcels.

    Raises TooMany after ten tries an hour for one order from one client; NotFound, in the same words
    whether number or phone is wrong.
    """
    number = canonical_number(number)
    consume("track_any", client, limit=TRIES_A_CLIENT, period=PERIOD)
    consume("track", f"{number}:{client}", limit=TRIES_AN_ORDER, period=PERIOD)
    order: Order | None = (
        Order.objects.with_parcels().filter(number=number).first() if NUMBER.fullmatch(number) else None
    )
    if order is None or not _is_phone_of(order, phone):
        raise NotFound(gettext(NOT_FOUND))
    return order


def canonical_number(typed: str) -> str:
    """ord abc123xyz, ABC123XYZ and ORD-ABC123XYZ are one number."""
    characters = re.sub(r"[^0-9A-Z]", "", unicodedata.normalize("NFKC", typed).upper())
    characters = characters[3:] if len(characters) == 12 and characters.startswith("ORD") else characters
    return f"ORD-{characters}"[:40]


def _is_phone_of(order: Order, typed: str) -> bool:
    digits = _digits(typed)
    if len(digits) < LEAST_DIGITS:
        return False
    spellings = set()
    for prefix in ("", "alt_"):
        code, number = (_digits(order.address.get(f"{prefix}{part}", "")) for part in ("phone_code", "phone_number"))
        if number:
            spellings |= {number, code + number}
    return digits in spellings


def _digits(typed: str) -> str:
    """The digits of a phone number in any script, without the zeros that are dialled before it."""
    return "".join(str(unicodedata.digit(char)) for char in str(typed) if char.isdigit()).lstrip("0")
