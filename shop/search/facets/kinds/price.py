from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from django.db.models import Exists, OuterRef, Q
from django.http import QueryDict
from pyroaring import BitMap

from shop.catalog.models import VariantPrice
from shop.markets.market import Market
from shop.money import display_short

from ..base import Facet, Pairs
from ..index import bitmap_of, rows_in
from ..price_steps import UNLIMITED, Limits, limits_of, rounded_bounds, steps_of

if TYPE_CHECKING:
    from ...listing.matches import IndexSelection
    from ...schemas import CategoryProducts

PRICE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")


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
    label = "Price"
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
        label = f"{low} – {high}" if low and high else f"from {low}" if low else f"up to {high}"
        return [(label, self.pairs(chosen))]

    def restriction(self, chosen: ChosenPrices, market: Market, within: Sequence[int]) -> Priced:
        return Priced(limits_of(market, chosen.min, chosen.max))

    def count(self, selection: IndexSelection, chosen: ChosenPrices | None) -> PriceGroup | None:
        """The lowest and highest shown price, whatever prices are chosen; None where there is no product."""
        rows, market, fixed, shown = selection.rows(without=self.name), selection.market, selection.fixed, []
        if fixed is not None:
            amounts = fixed.amounts[np.isin(fixed.rows, rows_in(rows))]
            shown += [market.from_home(Decimal(int(one)) / 1000) for one in _ends(amounts)]
            rows = rows - fixed.bitmap
        paise = selection.index.columns["price"][rows_in(rows)]
        shown += [market.from_inr(Decimal(int(one)) / 100) for one in _ends(paise)]
        if not shown:
            return None
        return PriceGroup(rounded_bounds(min(shown), max(shown), market), chosen or ChosenPrices(), market)


def _ends(values: np.ndarray) -> list[int]:
    return [values.min(), values.max()] if len(values) else []


def _price(text: str) -> Decimal | None:
    return Decimal(text) if PRICE.fullmatch(text) else None


def _plain(number: Decimal) -> str:
    """Without exponent and needless zeros: 150, 0.5."""
    return f"{number.normalize():f}"
