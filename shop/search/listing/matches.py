"""The products of a listing, twice: out of the facet index, and by SQL while there is no index."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import OrderBy
from django.db.models.functions import NullIf
from pyroaring import BitMap

from shop.catalog.models import HealthConcern, Product, Variant, VariantPrice
from shop.markets.market import Market

from ..facets.index import MAX_ID, FacetIndex, FixedPrices, bitmap_of, origin_code, rows_in
from ..facets.labels import country_name
from ..facets.price_steps import UNLIMITED, Limits

PRICE_GROUP = "price"


@dataclass(frozen=True)
class ListingFilter:
    """What a listing asks for, in ids. Groups combine with AND, the values of one with OR.

    `place` is where the listing stands (its category, brand, concern), `chosen` what the shopper
    narrowed it by. A group is named by its parameter in the address and knows the kind of its values.
    """

    place: tuple[tuple[str, tuple[int, ...]], ...]  # (kind, values)
    chosen: dict[str, tuple[str, tuple[int, ...]]]  # group to (kind, values)
    limits: Limits | None = None
    found: list[int] | None = None  # ids of products that the words match, best first


class IndexSelection:
    """Sets of rows of the index; every question is answered from memory."""

    def __init__(self, index: FacetIndex, market: Market, listing_filter: ListingFilter) -> None:
        self.index = index
        self.market = market
        self.listing_filter = listing_filter
        self._fixed: FixedPrices | None = index.fixed.get(market.location_id)

    @cached_property
    def place(self) -> BitMap:
        rows = self.index.everything - self.index.having("barred", [self.market.location_id])
        if self.listing_filter.found is not None:
            rows &= bitmap_of(self.index.rows_of(self.listing_filter.found))
        for kind, values in self.listing_filter.place:
            rows &= self.index.having(kind, values)
        return rows

    @cached_property
    def _groups(self) -> dict[str, BitMap]:
        groups = {name: self.index.having(kind, values) for name, (kind, values) in self.listing_filter.chosen.items()}
        if self.listing_filter.limits:
            groups[PRICE_GROUP] = self._priced(self.place, self.listing_filter.limits)
        return groups

    def rows(self, *, without: str = "") -> BitMap:
        """What is listed, or what would be if the group `without` had no choice."""
        rows = self.place
        for name, having in self._groups.items():
            if name != without:
                rows = rows & having
        return rows

    @cached_property
    def _selected(self) -> BitMap:
        return self.rows()

    @property
    def total(self) -> int:
        return len(self._selected)

    def count(self, rows: BitMap, kind: str, values: Iterable[int]) -> int:
        return rows.intersection_cardinality(self.index.having(kind, values))

    def page(self, sort: str, start: int, stop: int) -> list[int]:
        """Ids of the products from `start` to `stop` in this order, sold-out ones last."""
        if sort == "relevance":
            rows = self.index.rows_of(self.listing_filter.found or [])
            rows = rows[np.fromiter((row in self._selected for row in rows.tolist()), bool, len(rows))]
            rows = rows[np.argsort(~self.index.columns["in_stock"][rows], kind="stable")]
            return self.index.ids[rows[start:stop]].tolist()
        rows = rows_in(self._selected)
        keys = self._keys(rows, sort)
        if stop < len(rows):
            first = np.argpartition(keys, stop)[:stop]
            rows, keys = rows[first], keys[first]
        return self.index.ids[rows[np.argsort(keys)[start:stop]]].tolist()

    def _keys(self, rows: np.ndarray, sort: str) -> np.ndarray:
        """A number for each row by which it sorts: sold out, then what is asked for, then its age here."""
        columns = self.index.columns
        descending = sort not in ("price", "origin")
        if sort in ("price", "-price"):
            values = np.minimum(self._paise(rows), MAX_ID)
        elif sort == "origin":
            values = self._origin_ranks[columns["origin"][rows]]
        else:
            values = columns[{"newest": "published", "discount": "discount"}.get(sort, "popularity")][rows]
        values = values.astype(np.uint64)
        if descending:
            values = np.uint64(MAX_ID) - values
        tie = rows.astype(np.uint64)
        if sort in ("-price", "newest"):
            tie = np.uint64(2**31 - 1) - tie
        sold_out = (~columns["in_stock"][rows]).astype(np.uint64)
        return sold_out << np.uint64(63) | values << np.uint64(31) | tie

    @cached_property
    def _origin_ranks(self) -> np.ndarray:
        ranks = np.zeros(65536, np.uint16)
        numbers = self.index.values_of("origin")
        by_name = sorted(numbers, key=lambda number: (not number, country_name(origin_code(number))))
        ranks[by_name] = np.arange(len(by_name))
        return ranks

    def _paise(self, rows: np.ndarray) -> np.ndarray:
        """INR prices of rows, fixed ones at the rate of the location's own currency."""
        paise = self.index.columns["price"][rows]
        if self._fixed is None:
            return paise
        at = np.minimum(np.searchsorted(self._fixed.rows, rows), len(self._fixed.rows) - 1)
        fixed = (self._fixed.amounts[at] * float(self.market.home_rate) / 10).astype(np.int64)
        return np.where(self._fixed.rows[at] == rows, fixed, paise)

    def _priced(self, rows: BitMap, limits: Limits) -> BitMap:
        found = BitMap()
        if self._fixed is not None:
            low, high = limits.fixed
            amounts = self._fixed.amounts
            found = bitmap_of(self._fixed.rows[(amounts >= low) & (amounts <= high)]) & rows
            rows = rows - self._fixed.bitmap
        candidates = rows_in(rows)
        paise = self.index.columns["price"][candidates]
        low, high = limits.paise
        return found | bitmap_of(candidates[(paise >= low) & (paise <= high)])

    def price_range(self) -> tuple[Decimal, Decimal] | None:
        """The lowest and highest shown price, whatever prices are chosen."""
        rows = self.rows(without=PRICE_GROUP)
        shown = []
        if self._fixed is not None:
            amounts = self._fixed.amounts[np.isin(self._fixed.rows, rows_in(rows))]
            shown += [self.market.from_home(Decimal(int(one)) / 1000) for one in _ends(amounts)]
            rows = rows - self._fixed.bitmap
        paise = self.index.columns["price"][rows_in(rows)]
        shown += [self.market.from_inr(Decimal(int(one)) / 100) for one in _ends(paise)]
        return (min(shown), max(shown)) if shown else None


def _ends(values: np.ndarray) -> list[int]:
    return [values.min(), values.max()] if len(values) else []


class SqlSelection:
    """The same products by SQL, without counts of facets: for the time until there is an index."""

    ORDERS: dict[str, tuple[str | OrderBy, ...]] = {
        "popular": ("-in_stock", "-popularity", "id"),
        "newest": ("-in_stock", "-published_at", "-id"),
        "price": ("-in_stock", "price_inr", "id"),
        "-price": ("-in_stock", "-price_inr", "-id"),
        "discount": ("-in_stock", "-discount", "id"),
        "origin": ("-in_stock", NullIf("country_of_origin", Value("")).asc(nulls_last=True), "id"),
    }

    def __init__(self, market: Market, listing_filter: ListingFilter) -> None:
        self.market = market
        self.listing_filter = listing_filter

    @cached_property
    def _products(self) -> QuerySet[Product]:
        products = Product.objects.visible_in(self.market)
        for kind, values in (*self.listing_filter.place, *self.listing_filter.chosen.values()):
            products = products.filter(self._having(kind, values))
        if self.listing_filter.limits:
            products = products.filter(self._priced(self.listing_filter.limits))
        if self.listing_filter.found is not None:
            products = products.filter(pk__in=self.listing_filter.found)
        return products

    def _having(self, kind: str, values: Iterable[int]) -> Q:
        if kind == "concern":
            return Q(pk__in=HealthConcern.objects.filter(pk__in=values).values("products"))
        if kind == "attribute":
            having = Variant.objects.filter(product=OuterRef("pk"), is_active=True, attribute_values__in=values)
            return Q(Exists(having))
        if kind == "origin":
            return Q(country_of_origin__in=[origin_code(value) for value in values])
        if kind == "discounted":
            return Q(discount__gt=0)
        return Q(**{f"{kind}__in": values})

    def _priced(self, limits: Limits) -> Q:
        fixed = VariantPrice.objects.filter(variant=OuterRef("first_variant"), location=self.market.location_id)
        low, high = (Decimal(min(limit, UNLIMITED // 10**8)) / 1000 for limit in limits.fixed)
        within = fixed.filter(selling_price__gte=low, selling_price__lte=high)
        low_inr, high_inr = (Decimal(min(limit, UNLIMITED // 10**8)) / 100 for limit in limits.paise)
        by_rate = Q(price_inr__gte=low_inr, price_inr__lte=high_inr) & ~Exists(fixed)
        return by_rate | Q(Exists(within))

    @cached_property
    def total(self) -> int:
        return self._products.count()

    def page(self, sort: str, start: int, stop: int) -> list[int]:
        if sort == "relevance":
            stock = dict(self._products.values_list("pk", "in_stock"))
            found = [pk for pk in self.listing_filter.found or [] if pk in stock]
            return sorted(found, key=lambda pk: not stock[pk])[start:stop]
        return list(self._products.order_by(*self.ORDERS[sort]).values_list("pk", flat=True)[start:stop])
