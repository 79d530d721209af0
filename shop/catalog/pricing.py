"""What a variant costs in a market. One home for the rule of PRODUCT.md 2."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext

from shop.markets.market import Market
from shop.money import discount_percent, display

from .models import Variant
from .units import unit_in_words

SMALL_UNITS, SMALL_MEASURE = {"ml", "g"}, 100  # compared by the hundred; everything else by the one


@dataclass(frozen=True, slots=True)
class Price:
    """A variant's price in one market, in that market's currency."""

    selling: Decimal
    actual: Decimal
    currency: str

    @property
    def discount(self) -> int:
        return discount_percent(self.selling, self.actual)


def price_of(variant: Variant, market: Market) -> Price:
    """The fixed price of the market's location if there is one, else the INR price converted.

    Reads `variant.market_prices` where a query prefetched it (queries.fixed_prices_in).
    """
    fixed_prices = getattr(variant, "market_prices", None)
    if fixed_prices is None:
        fixed_prices = list(variant.fixed_prices.filter(location_id=market.location_id))
    if fixed_prices:
        fixed = fixed_prices[0]
        return Price(market.from_home(fixed.selling_price), market.from_home(fixed.actual_price), market.currency)
    return Price(market.from_inr(variant.selling_price), market.from_inr(variant.actual_price), market.currency)


def unit_price_of(variant: Variant, price: Price) -> str:
    """The selling price for 100 ml or g, or for one piece: ₹216.33 per 100 ml, ₹2.50 per tablet; empty where the net
    quantity is unknown."""
    amount = unit_amount_of(variant, price)
    if amount is None:
        return ""
    unit = variant.net_unit.lower()
    name = f"100 {unit_in_words(unit, 100)}" if unit in SMALL_UNITS else _one(unit)
    return gettext("%(price)s per %(measure)s") % {"price": display(amount, price.currency), "measure": name}


def unit_amount_of(variant: Variant, price: Price) -> Decimal | None:
    """The number of `unit_price_of`, not rounded."""
    if not variant.net_quantity:
        return None
    return price.selling / variant.net_quantity * (SMALL_MEASURE if variant.net_unit.lower() in SMALL_UNITS else 1)


def _one(unit: str) -> str:
    return unit_in_words(unit, 1).removesuffix("s") or gettext("piece")
