"""The price facet: bounds, steps, and what a limit in shown money means in the index.

The specification's multiples of 50 and steps of 10 hold for INR; elsewhere the nearest 1-2-5 step to
the value of ₹50, and a fifth of it (PRODUCT.md 2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from django.db.models import Exists, OuterRef, Q
from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop
from pyroaring import BitMap

from shop.catalog.models import VariantPrice
from shop.markets.market import Market
from shop.money import INR, display_short, quantum

from ..base import Facet, Pairs
from ..index import bitmap_of, rows_in

if TYPE_CHECKING:
    from ...listing.matches import IndexSelection
    from ...schemas import CategoryProducts

STEP_INR = Decimal(50)
UNLIMITED = 2**62
PRICE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")


@dataclass(frozen=True)
class Steps:
    """`bound`: bounds are multiples of it; `slider`: of this the chosen prices; `unit`: prices are
    rounded to it before they are compared with the lowest one chosen (1 in INR)."""

    bound: Decimal
    slider: Decimal
    unit: Decimal


@dataclass(frozen=True)
class Limits:
    """Lowest and highest price that pass, both included: in paise where prices follow the rate, in
    thousandths of the location's own currency where they are fixed."""

    paise: tuple[int, int]
    fixed: tuple[int, int]


def steps_of(market: Market) -> Steps:
    return _steps(market.currency, market.rate)


@lru_cache
def _steps(currency: str, rate: Decimal) -> Steps:
    if currency == INR:
        return Steps(STEP_INR, Decimal(10), Decimal(1))
    smallest = quantum(currency)
    value = STEP_INR / rate
    power = Decimal(1).scaleb(value.adjusted())
    bound = max(min((power * step for step in (1, 2, 5, 10)), key=lambda step: abs(step - value)), smallest)
    slider = max(bound / 5, smallest)
    return Steps(bound, slider, max(Decimal(1).scaleb(slider.adjusted() - 1), smallest))


def rounded_bounds(lowest: Decimal, highest: Decimal, market: Market) -> tuple[Decimal, Decimal]:
    """The ends of the price slider around the lowest and highest shown price."""
    step = steps_of(market).bound
    return _multiple(lowest, step, ROUND_FLOOR), _multiple(highest, step, ROUND_CEILING)


def limits_of(market: Market, price_min: Decimal | None, price_max: Decimal | None) -> Limits:
    """A product passes when its rounded selling price is at least the minimum and its selling price
    at most the maximum, as shown in the market."""
    home = market.rate / market.home_rate if not market.in_home_currency else Decimal(1)
    scales = (market.rate * 100, home * 1000)
    half = quantum(market.currency) / 2
    lows, highs = [0, 0], [UNLIMITED, UNLIMITED]
    if price_min is not None:
        unit = steps_of(market).unit
        passes = _multiple(price_min, unit, ROUND_CEILING) - unit / 2
        shown = _multiple(passes, quantum(market.currency), ROUND_CEILING)
        lows = [_whole((shown - half) * scale) for scale in scales]
    if price_max is not None:
        shown = _multiple(price_max, quantum(market.currency), ROUND_FLOOR)
        highs = [_whole((shown + half) * scale) - 1 for scale in scales]
    return Limits((lows[0], highs[0]), (lows[1], highs[1]))


def _multiple(amount: Decimal, step: Decimal, rounding: str) -> Decimal:
    return (amount / step).to_integral_value(rounding) * step


def _whole(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_CEILING))


@dataclass(frozen=True)
class ChosenPrices:
    """In the money that is shown; None: no limit."""

    min: Decimal | None = None
    max: Decimal | None = None

    def __bool__(self) -> bool:
        return self.min is not None or self.max is not None


@dataclass(frozen=True)
class PriceGroup:
    """The price filter: its ends, its step and what is chosen, as a number field takes them."""

    bounds: tuple[Decimal, Decimal]
    chosen: ChosenPrices
    market: Market

    template: ClassVar[str] = "search/facets/_price_filter.html"
    is_shown: ClassVar[bool] = True

    @property
    def step(self) -> Decimal:
        return steps_of(self.market).slider

    @property
    def numbers(self) -> dict[str, str]:
        low, high = self.bounds
        numbers = {"low": low, "high": high, "step": self.step, "min": self.chosen.min, "max": self.chosen.max}
        return {name: "" if number is None else _plain(number) for name, number in numbers.items()}


@dataclass(frozen=True)
class Priced:
    """Products with a price between these limits."""

    limits: Limits

    def rows(self, selection: IndexSelection) -> BitMap:
        rows, found = selection.place, BitMap()
        if selection.fixed is not None:
            low, high = self.limits.fixed
            amounts = selection.fixed.amounts
            found = bitmap_of(selection.fixed.rows[(amounts >= low) & (amounts <= high)]) & rows
            rows = rows - selection.fixed.bitmap
        candidates = rows_in(rows)
        paise = selection.index.columns["price"][candidates]
        low, high = self.limits.paise
        return found | bitmap_of(candidates[(paise >= low) & (paise <= high)])

    def condition(self, market: Market) -> Q:
        fixed = VariantPrice.objects.filter(variant=OuterRef("first_variant"), location=market.location_id)
        low, high = (Decimal(min(limit, UNLIMITED // 10**8)) / 1000 for limit in self.limits.fixed)
        within = fixed.filter(selling_price__gte=low, selling_price__lte=high)
        low_inr, high_inr = (Decimal(min(limit, UNLIMITED // 10**8)) / 100 for limit in self.limits.paise)
        by_rate = Q(price_inr__gte=low_inr, price_inr__lte=high_inr) & ~Exists(fixed)
        return by_rate | Q(Exists(within))


class PriceFacet(Facet):
    name = "price"
    label = gettext_noop("Price")
    parameters = ("price_min", "price_max")
    is_money = True

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, ChosenPrices]:
        return {cls.name: ChosenPrices(body.price.min, body.price.max)}

    def read(self, query: QueryDict, within: Sequence[int]) -> ChosenPrices:
        low, high = (_price(query.get(name, "")) for name in self.parameters)
        is_nonsense = low is not None and high is not None and low > high
        return ChosenPrices() if is_nonsense else ChosenPrices(low, high)

    def pairs(self, chosen: ChosenPrices) -> Pairs:
        limits = zip(self.parameters, (chosen.min, chosen.max), strict=True)
        return [(name, _plain(limit)) for name, limit in limits if limit is not None]

    def chips(self, chosen: ChosenPrices, market: Market) -> list[tuple[str, Pairs]]:
        low, high = (
            display_short(limit, market.currency) if limit is not None else "" for limit in (chosen.min, chosen.max)
        )
        words = "{low} – {high}" if low and high else gettext("from {low}") if low else gettext("up to {high}")
        label = words.format(low=low, high=high)
        return [(label, self.pairs(chosen))]

    def restriction(self, chosen: ChosenPrices, market: Market, within: Sequence[int]) -> Priced:
        return Priced(limits_of(market, chosen.min, chosen.max))

    def count(self, selection: IndexSelection, chosen: ChosenPrices | None) -> PriceGroup | None:
        """The lowest and highest shown price, whatever prices are chosen; None where there is no product."""
        market = selection.market
        fixed, inr = selection.remembered(
            ("prices", market.location_id), lambda: self._ends(selection), without=self.name
        )
        shown = [market.from_home(Decimal(one) / 1000) for one in fixed]
        shown += [market.from_inr(Decimal(one) / 100) for one in inr]
        if not shown:
            return None
        return PriceGroup(rounded_bounds(min(shown), max(shown), market), chosen or ChosenPrices(), market)

    def _ends(self, selection: IndexSelection) -> tuple[list[int], list[int]]:
        """The lowest and highest fixed price, in thousandths of the market's own currency, and of the others in
        paise; empty where there is none."""
        rows, fixed = selection.rows(without=self.name), selection.fixed
        amounts: list[int] = []
        if fixed is not None:
            amounts = _ends(fixed.amounts[np.isin(fixed.rows, rows_in(rows))])
            rows = rows - fixed.bitmap
        return amounts, _ends(selection.index.columns["price"][rows_in(rows)])


def _ends(values: np.ndarray) -> list[int]:
    return [int(values.min()), int(values.max())] if len(values) else []


def _price(text: str) -> Decimal | None:
    return Decimal(text) if PRICE.fullmatch(text) else None


def _plain(number: Decimal) -> str:
    """Without exponent and needless zeros: 150, 0.5."""
    return f"{number.normalize():f}"
