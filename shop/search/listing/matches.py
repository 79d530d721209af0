"""The products of a listing, twice: out of the facet index, and by SQL while there is no index."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import numpy as np
from django.db.models import QuerySet, Value
from django.db.models.expressions import OrderBy
from django.db.models.functions import NullIf
from pyroaring import BitMap

from shop.catalog.models import Product
from shop.markets.market import Market

from ..facets.base import HasAny, Restriction
from ..facets.index import MAX_ID, FacetIndex, FixedPrices, bitmap_of, origin_code, rows_in
from ..facets.labels import country_name

T = TypeVar("T")
MAX_COUNT = 2**22 - 1  # reviews that count among equal ratings: both share 32 bits


@dataclass(frozen=True)
class ListingFilter:
    """What a listing asks for; restrictions combine with AND.

    `place` is where the listing stands (its category, brand, concern), `chosen` what the shopper
    narrowed it by, both by name of the facet.
    """

    place: dict[str, HasAny]
    chosen: dict[str, Restriction]
    found: list[int] | None = None  # ids of products that the words match, best first

    def place_of(self, name: str) -> tuple[int, ...]:
        """Ids of the facet's values that the listing stands in."""
        return self.place[name].ids if name in self.place else ()


class IndexSelection:
    """Sets of rows of the index; every question is answered from memory."""

    def __init__(self, index: FacetIndex, market: Market, listing_filter: ListingFilter) -> None:
        self.index = index
        self.market = market
        self.listing_filter = listing_filter
        self.fixed: FixedPrices | None = index.fixed.get(market.location_id)
        self._rows: dict[str, BitMap] = {}  # listed, by the facet of which nothing is chosen
        self._digests: dict[str, bytes] = {}

    @cached_property
    def place(self) -> BitMap:
        rows = self.index.everything - self.index.having("barred", [self.market.location_id])
        if self.listing_filter.found is not None:
            rows &= bitmap_of(self.index.rows_of(self.listing_filter.found))
        for restriction in self.listing_filter.place.values():
            rows &= restriction.rows(self)
        return rows

    @cached_property
    def _groups(self) -> dict[str, BitMap]:
        return {name: restriction.rows(self) for name, restriction in self.listing_filter.chosen.items()}

    def rows(self, *, without: str = "") -> BitMap:
        """What is listed, or what would be if nothing were chosen of the facet `without`."""
        without = without if without in self._groups else ""
        if without not in self._rows:
            rows = self.place
            for name, having in self._groups.items():
                if name != without:
                    rows = rows & having
            self._rows[without] = rows
        return self._rows[without]

    def remembered(self, key: tuple[Hashable, ...], make: Callable[[], T], *, without: str = "") -> T:
        """What was made of the same rows before, for whichever listing; it is not to be changed."""
        without = without if without in self._groups else ""
        if without not in self._digests:
            self._digests[without] = blake2b(self.rows(without=without).serialize(), digest_size=16).digest()
        return self.index.remembered((*key, self._digests[without]), make)

    @cached_property
    def _selected(self) -> BitMap:
        return self.rows()

    @property
    def total(self) -> int:
        return len(self._selected)

    def among(self, ids: list[int]) -> int:
        """How many of these products are listed."""
        return self._selected.intersection_cardinality(bitmap_of(self.index.rows_of(ids)))

    def count(self, rows: BitMap, kind: str, values: Iterable[int]) -> int:
        return rows.intersection_cardinality(self.index.having(kind, values))

    def counts(self, without: str, kind: str) -> "Counts":
        """Who has which value of a kind, of what would be listed if nothing were chosen of the facet `without`."""
        return Counts(self, without, kind)

    def page(self, sort: str, start: int, stop: int) -> list[int]:
        """Ids of the products from `start` to `stop` in this order, sold-out ones last; by relevance as they were
        found, which has stock in it."""
        if sort == "relevance":
            rows = self.index.rows_of(self.listing_filter.found or [])
            is_selected = np.zeros(len(self.index.ids), np.bool_)
            is_selected[rows_in(self._selected)] = True
            rows = rows[is_selected[rows]]
            return list(self.index.ids[rows[start:stop]].tolist())
        if sort == "origin":  # by names of countries
            return self._page(sort, start, stop)
        # Only where some prices are fixed does their order follow from a rate.
        rate = (self.market.location_id, self.market.home_rate) if self.fixed and sort in ("price", "-price") else None
        return list(self.remembered(("page", sort, start, stop, rate), lambda: self._page(sort, start, stop)))

    def _page(self, sort: str, start: int, stop: int) -> list[int]:
        rows = rows_in(self._selected)
        keys = self._keys(rows, sort)
        if stop < len(rows):
            first = np.argpartition(keys, stop)[:stop]
            rows, keys = rows[first], keys[first]
        return list(self.index.ids[rows[np.argsort(keys)[start:stop]]].tolist())

    def _keys(self, rows: np.ndarray, sort: str) -> np.ndarray:
        """A number for each row by which it sorts: sold out, then what is asked for, then its age here."""
        columns = self.index.columns
        descending = sort not in ("price", "origin")
        if sort in ("price", "-price"):
            values = np.minimum(self._paise(rows), MAX_ID)
        elif sort == "rating":
            values = columns["rating"][rows].astype(np.uint64) << np.uint64(22) | np.minimum(
                columns["reviews"][rows], MAX_COUNT
            )
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
        keys: np.ndarray = sold_out << np.uint64(63) | values << np.uint64(31) | tie
        return keys

    @cached_property
    def _origin_ranks(self) -> np.ndarray:
        ranks = np.zeros(65536, np.uint16)
        numbers = self.index.values_of("origin")
        by_name = sorted(numbers, key=lambda number: (not number, country_name(origin_code(number))))
        ranks[by_name] = np.arange(len(by_name))
        return ranks

    def _paise(self, rows: np.ndarray) -> np.ndarray:
        """INR prices of rows, fixed ones at the rate of the location's own currency."""
        paise: np.ndarray = self.index.columns["price"][rows]
        if self.fixed is None:
            return paise
        at = np.minimum(np.searchsorted(self.fixed.rows, rows), len(self.fixed.rows) - 1)
        fixed = (self.fixed.amounts[at] * float(self.market.home_rate) / 10).astype(np.int64)
        return np.where(self.fixed.rows[at] == rows, fixed, paise)


class Counts:
    """How many rows have which value of a facet: of many values counted in one pass, of few one after the other."""

    def __init__(self, selection: IndexSelection, without: str, kind: str) -> None:
        self._selection = selection
        self._rows = rows = selection.rows(without=without)
        self._kind = kind
        index = selection.index
        self._by_value: dict[int, int] | None = None
        if index.is_counted_at_once(kind):
            self._by_value = selection.remembered(("counts", kind), lambda: index.counts(rows, kind), without=without)
        self._known: dict[tuple[int, ...], int] = selection.remembered(("known", kind), dict, without=without)

    @property
    def values(self) -> Iterable[int]:
        """Ids of values that any row has, and perhaps others."""
        return self._selection.index.values_of(self._kind) if self._by_value is None else self._by_value

    def of(self, ids: Sequence[int]) -> int:
        """How many rows have any of these values."""
        if self._by_value is not None and len(ids) == 1:
            return self._by_value.get(ids[0], 0)
        key = tuple(ids)
        if key not in self._known:
            self._known[key] = self._selection.count(self._rows, self._kind, ids)
        return self._known[key]

    def place_of(self, name: str) -> tuple[int, ...]:
        return self._selection.listing_filter.place_of(name)


class SqlSelection:
    """The same products by SQL, without counts of facets: for the time until there is an index."""

    ORDERS: dict[str, tuple[str | OrderBy, ...]] = {
        "popular": ("-in_stock", "-popularity", "id"),
        "newest": ("-in_stock", "-published_at", "-id"),
        "price": ("-in_stock", "price_inr", "id"),
        "-price": ("-in_stock", "-price_inr", "-id"),
        "discount": ("-in_stock", "-discount", "id"),
        "rating": ("-in_stock", "-rating", "-review_count", "id"),
        "origin": ("-in_stock", NullIf("country_of_origin", Value("")).asc(nulls_last=True), "id"),
    }

    def __init__(self, market: Market, listing_filter: ListingFilter) -> None:
        self.market = market
        self.listing_filter = listing_filter

    @cached_property
    def _products(self) -> QuerySet[Product]:
        products = Product.objects.visible_in(self.market)
        for restriction in (*self.listing_filter.place.values(), *self.listing_filter.chosen.values()):
            products = products.filter(restriction.condition(self.market))
        if self.listing_filter.found is not None:
            products = products.filter(pk__in=self.listing_filter.found)
        return products

    @cached_property
    def total(self) -> int:
        return self._products.count()

    def among(self, ids: list[int]) -> int:
        """How many of these products are listed."""
        return self._products.filter(pk__in=ids).count()

    def page(self, sort: str, start: int, stop: int) -> list[int]:
        if sort == "relevance":
            there = set(self._products.values_list("pk", flat=True))
            return [pk for pk in self.listing_filter.found or [] if pk in there][start:stop]
        return list(self._products.order_by(*self.ORDERS[sort]).values_list("pk", flat=True)[start:stop])
