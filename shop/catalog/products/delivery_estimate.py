"""When a product would arrive at one PIN code of India, asked on its page before anything is bought."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.translation import gettext, gettext_noop

from shop.markets.geography.pincodes import PIN, look_up_one
from shop.markets.market import Market
from shop.markets.queries import service_for

from ..models import Product
from .delivery_dates import delivery_for

NO_PIN = gettext_noop("Enter the six digits of a PIN code.")


@dataclass(frozen=True)
class PinDelivery:
    """The answer for one PIN code: the day, or why there is none, in words."""

    pincode: str
    arrives: date | None = None
    refusal: str = ""
    note: str = ""
    place: str = ""


def delivery_to_pin(product: Product, market: Market, typed: str) -> PinDelivery:
    pincode = "".join(typed.split())[:12]
    if not PIN.fullmatch(pincode):
        return PinDelivery(pincode, refusal=gettext(NO_PIN))
    service, facts = service_for(market.location_id, pincode), look_up_one(pincode)
    if refusal := facts.contradiction("") or service.refusal(pincode):
        return PinDelivery(pincode, refusal=refusal)
    arrives = delivery_for(product, market).deliver_by + timedelta(days=service.extra_days)
    place = ", ".join(part for part in (facts.city, facts.state) if part)
    return PinDelivery(pincode, arrives, note=facts.warning() or service.note, place=place)
