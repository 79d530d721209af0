"""What every facet declares: how it is read, said in an address, labelled, applied and counted."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.translation import get_language, gettext
from pyroaring import BitMap

from shop.catalog.models import Product
from shop.markets.market import Market
from shop.text import sort_key
from shop.translated import ENGLISH, Fallback

if TYPE_CHECKING:
    from ..listing.matches import Counts, IndexSelection
    from ..schemas import CategoryProducts

MAX_VALUES = 50
MAX_OPTIONS = 40  # of a group on the page, those with most products; chosen ones always
OPEN_OPTIONS = 8  # of them at once, the others behind one more click

Pairs = list[tuple[str, str]]  # parameters of an address
Candidate = tuple[str, Any, Sequence[int]]  # value, what `option_label` reads its label from, and ids of an option
IdPairs = tuple[np.ndarray, np.ndarray]  # value ids, product ids
PAIR = np.dtype([("value", np.int64), ("product", np.int64)])


class UnknownName(Exception):
    """The API was asked for a name that does not exist."""


@dataclass(frozen=True, slots=True)
class Option:
    value: str  # as the address says it
    label: str
    count: int
    is_chosen: bool


class CountedValue(NamedTuple):
    """A value that products have or that is chosen, before it has a label."""

    products: int
    value: str  # as the address says it
    row: Any  # what `option_label` reads its label from
    is_chosen: bool


@dataclass(frozen=True)
class CountedFacet:
    """A group of options as a listing shows it. Values get their labels when they are asked for: a shop may have
    thousands of brands, of which a page lists forty."""

    facet: OptionsFacet
    language: str
    counted: list[CountedValue]

    template: ClassVar[str] = "search/facets/_facet.html"

    @property
    def name(self) -> str:
        """Its parameter in the address."""
        return self.facet.name

    @property
    def label(self) -> str:
        return self.facet.label if isinstance(self.facet.label, Fallback) else gettext(self.facet.label)

    @property
    def is_shown(self) -> bool:
        """A group with one option narrows nothing."""
        is_useful = len(self.counted) > 1 or self.facet.informs or any(each.is_chosen for each in self.counted)
        return bool(self.counted) and is_useful

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """All that any product has, or that are chosen."""
        return tuple(self._labelled(self.counted))

    @cached_property
    def listed(self) -> tuple[Option, ...]:
        """Those that a page shows: the ones with most products, and the chosen ones."""
        if len(self.counted) <= MAX_OPTIONS:
            return self.options
        least = heapq.nlargest(MAX_OPTIONS, (each.products for each in self.counted))[-1]
        likely = self._labelled([each for each in self.counted if each.products >= least or each.is_chosen])
        most = set(heapq.nlargest(MAX_OPTIONS, likely, key=lambda option: option.count))
        return tuple(option for option in likely if option in most or option.is_chosen)

    def _labelled(self, counted: Iterable[CountedValue]) -> list[Option]:
        label = self.facet.option_label
        options = [Option(value, label(row, self.language), count, chosen) for count, value, row, chosen in counted]
        if self.facet.is_by_count:
            options.sort(key=lambda option: (-option.count, sort_key(option.label)))
        return options

    @property
    def first(self) -> tuple[Option, ...]:
        return self.listed[:OPEN_OPTIONS]

    @property
    def more(self) -> tuple[Option, ...]:
        return self.listed[OPEN_OPTIONS:]


class FilterGroup(Protocol):
    """A counted facet of any kind; its template finds it as `facet`."""

    template: ClassVar[str]

    @property
    def is_shown(self) -> bool: ...


class Restriction(Protocol):
    """Which products pass, answered by the index and by SQL alike."""

    def rows(self, selection: IndexSelection) -> BitMap: ...

    def condition(self, market: Market) -> Q: ...


class Facet:
    """One way to narrow a listing. What is chosen of it is a value that only the facet itself understands.

    A class without `kind` has nothing in the index of its own.
    """

    name: str  # its key in a FacetSelection
    label: str
    parameters: tuple[str, ...] = ()  # of the address, its name by default; one with a dot at its end begins others
    is_money: bool = False  # means something else in another market
    kind: str = ""  # of its values in the index
    field: str = ""  # a numeric field of Product with the value; the index reads it without another query
    version: int = 1  # one more whenever `index_pairs` gives something else: snapshots of before are not read then

    @classmethod
    def each(cls) -> Iterable[Facet]:
        """The facets of this class, one for most."""
        return [cls()]

    @classmethod
    def index_pairs(cls, products: QuerySet[Product], columns: np.ndarray) -> IdPairs:
        """Who has which value, of the products whose `columns` were read (loading.py)."""
        return columns[cls.kind].astype(np.int64), columns["id"]

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, Any]:
        """What the API's body chooses, by name of the facet. Raises UnknownName."""
        return {}

    def read(self, query: QueryDict, within: Sequence[int]) -> Any:
        """What an address chooses; nonsense is left out. `within`: ids of the categories that the listing stands in."""
        raise NotImplementedError

    def pairs(self, chosen: Any) -> Pairs:
        raise NotImplementedError

    def chips(self, chosen: Any, market: Market) -> list[tuple[str, Pairs]]:
        """The label of each removable choice, and the parameters that go with it."""
        raise NotImplementedError

    def restriction(self, chosen: Any, market: Market, within: Sequence[int]) -> Restriction:
        raise NotImplementedError

    def count(self, selection: IndexSelection, chosen: Any) -> FilterGroup | None:
        """The group that shoppers see; its counts ignore its own choice."""
        raise NotImplementedError


@dataclass(frozen=True)
class HasAny:
    """Products with any of these values of a facet."""

    facet: OptionsFacet
    ids: tuple[int, ...]

    def rows(self, selection: IndexSelection) -> BitMap:
        return selection.index.having(self.facet.kind, self.ids)

    def condition(self, market: Market) -> Q:
        return self.facet.condition(self.ids)


class OptionsFacet(Facet):
    """A facet with options to tick. What is chosen are values as the address says them, combined with OR."""

    informs = False  # shown with one option, too: that option says something by itself
    is_by_count = True  # options with most products first, else in the order of `candidates`

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        """Those of these lower-case values that exist."""
        raise NotImplementedError

    def label_of(self, value: str) -> str:
        raise NotImplementedError

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        """What the index calls these values."""
        raise NotImplementedError

    def condition(self, ids: Sequence[int]) -> Q:
        """The same as the index says of these ids, in SQL."""
        return Q(**{f"{self.field}__in": ids})

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterable[Candidate]:
        """Every option that may be listed."""
        raise NotImplementedError

    def option_label(self, row: Any, language: str) -> str:
        """What an option is called in the active language; asked of those alone that are listed."""
        label: str = row.shown_in(language)
        return label

    def read(self, query: QueryDict, within: Sequence[int]) -> tuple[str, ...]:
        asked = dict.fromkeys(value.strip().lower() for value in query.getlist(self.name)[:MAX_VALUES])
        return tuple(dict.fromkeys(self.known(list(asked), within))) if asked else ()

    def pairs(self, chosen: Sequence[str]) -> Pairs:
        return [(self.name, value) for value in chosen]

    def chips(self, chosen: Sequence[str], market: Market) -> list[tuple[str, Pairs]]:
        return [(self.label_of(value), [(self.name, value)]) for value in chosen]

    def restriction(self, chosen: Sequence[str], market: Market, within: Sequence[int]) -> HasAny:
        return HasAny(self, tuple(self.ids(chosen, within)))

    def count(self, selection: IndexSelection, chosen: Sequence[str] | None) -> CountedFacet:
        picked = chosen or ()
        counts = selection.counts(self.name, self.kind)
        counted = [
            CountedValue(count, value, row, value in picked)
            for value, row, ids in self.candidates(counts, picked)
            if (count := counts.of(ids)) or value in picked
        ]
        return CountedFacet(self, get_language() or ENGLISH, counted)


def read_pairs(rows: QuerySet[Any], value: str, product: str) -> IdPairs:
    """Two columns of any rows; one query, whose whole answer is in memory at once."""
    found = np.fromiter(rows.order_by().values_list(value, product), PAIR)
    return found["value"], found["product"]
