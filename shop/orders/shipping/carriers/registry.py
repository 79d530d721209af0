"""The carriers that the shop knows by name; every other one is filled in by hand."""

from dataclasses import replace

from ...models import Courier
from .base import Carrier
from .by_hand import by_hand
from .india_post import INDIA_POST

KNOWN = {carrier.name.casefold(): carrier for carrier in (INDIA_POST,)}


def carrier_of(courier: Courier | None) -> Carrier:
    """The known carrier of that name, else what staff typed of it. A tracking link that they typed counts first."""
    typed = by_hand(courier)
    known = KNOWN.get(typed.name.strip().casefold())
    return replace(known, tracking_url=typed.tracking_url or known.tracking_url) if known else typed


def clean_number(courier: Courier | None, typed: str) -> str:
    """A tracking number as the carrier writes it, empty where none was typed. Raises Invalid (tracking_number)."""
    return carrier_of(courier).clean_number(typed) if typed.strip() else ""
