"""A listing: given where the shopper is and what they ask for, one page of cards, the facets with their
counts, the bounds of prices and the total.

The page, Load More, the filters and the listing calls use the same object. A constant number of
queries: the cards, and what the words match; everything else comes from the facet index.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from django.utils.translation import gettext, gettext_noop

from shop.catalog.cards import Card, cards_by_id
from shop.markets.market import Market

from ..engines.services import search
from ..facets.base import CountedFacet, FilterGroup, HasAny
from ..facets.kinds.brand import BrandFacet
from ..facets.kinds.category import CategoryFacet
from ..facets.kinds.concern import ConcernFacet
from ..facets.kinds.discount import ANY, DiscountFacet
from ..facets.kinds.price import PriceGroup
from ..facets.labels import Named, facet_names
from ..facets.registry import facets
from ..facets.selection import NO_FILTERS, FacetSelection
from ..facets.store import current_index
from ..text.matching import Found
from .matches import IndexSelection, ListingFilter, SqlSelection

PAGE_SIZE = 12
PAGES_TOGETHER = 8
LAST_PAGE = 10_000
SORTS = {
    "popular": gettext_noop("Popular"),
    "newest": gettext_noop("Newest"),
    "price": gettext_noop("Price, low to high"),
    "-price": gettext_noop("Price, high to low"),
    "discount": gettext_noop("Discount"),
    "rating": gettext_noop("Customer rating"),
    "origin": gettext_noop("Country of origin"),
}
RELEVANCE = ("relevance", gettext_noop("Relevance"))


class HasKey(Protocol):
    """A row of the catalogue, or its name in memory."""

    @property
    def pk(self) -> int: ...


@dataclass(frozen=True)
class ListingQuery:
    """What a listing is asked for. Tuples combine with OR inside and AND across; empty: no restriction.

    Categories, concerns, brands, words and discounts are where the listing stands (its path);
    `query` is the search inside it and `filters` what it is narrowed by.
    """

    categories: tuple[HasKey, ...] = ()
    concerns: tuple[HasKey, ...] = ()
    brands: tuple[HasKey, ...] = ()
    words: str = ""
    is_discounted: bool = False
    query: str = ""
    filters: FacetSelection = NO_FILTERS
    sort: str = ""
    page: int = 1
    is_nothing: bool = False  # a name that does not exist: an empty listing


class Listing:
    def __init__(
        self,
        market: Market,
        listing_query: ListingQuery,
        *,
        page_alone: bool = False,
        for_api: bool = False,
        find: Callable[[str], Found] = search,
    ) -> None:
        self.market = market
        self._find = find
        self.query = listing_query
        self._page_alone = page_alone or self.is_window
        self._for_api = for_api

    @property
    def _has_words(self) -> bool:
        return bool(self.query.words or self.query.query)

    @property
    def default_sort(self) -> str:
        if self._has_words:
            return RELEVANCE[0]
        return "discount" if self.query.is_discounted else "popular"

    @cached_property
    def sort(self) -> str:
        return self.query.sort if self.query.sort in dict(self.sorts) else self.default_sort

    @cached_property
    def sorts(self) -> list[tuple[str, str]]:
        sorts = [*([RELEVANCE] if self._has_words else []), *SORTS.items()]
        return [(name, gettext(label)) for name, label in sorts]

    @property
    def is_window(self) -> bool:
        """Beyond PAGES_TOGETHER a page stands alone: the cards before it are not on screen."""
        return self.query.page > PAGES_TOGETHER

    @property
    def next_is_window(self) -> bool:
        return self.query.page >= PAGES_TOGETHER

    @property
    def first_index(self) -> int:
        return (self.query.page - 1) * PAGE_SIZE if self._page_alone else 0

    @property
    def last_index(self) -> int:
        return self.query.page * PAGE_SIZE

    @cached_property
    def found(self) -> Found | None:
        """What the words match, those of the search inside the listing first; None where nothing is searched for."""
        if not self._has_words or self.query.is_nothing:
            return None
        typed = [words for words in (self.query.query, self.query.words) if words]
        first, *others = [self._find(words) for words in typed]
        if self.query.query:  # a search inside narrows, it never widens
            first = replace(first, ids=first.ids[: first.close], close=None)
        for other in others:
            there = set(other.ids)
            close = None if first.close is None else sum(pk in there for pk in first.ids[: first.close])
            first = replace(first, ids=[pk for pk in first.ids if pk in there], close=close)
        return first

    @property
    def words(self) -> str:
        """What is searched for, as it was typed."""
        return self.query.query or self.query.words

    @property
    def concern(self) -> Named | None:
        """The health concern whose page suits the need that was understood."""
        need = self.found.need if self.found else None
        return next((row for row in facet_names().concerns.values() if need and row.slug == need.concern), None)

    @cached_property
    def _listing_filter(self) -> ListingFilter:
        categories, chosen = [category.pk for category in self.query.categories], self.query.filters.chosen
        place = [
            HasAny(CategoryFacet(), tuple(facet_names().below(categories))),
            HasAny(ConcernFacet(), tuple(concern.pk for concern in self.query.concerns)),
            HasAny(BrandFacet(), tuple(brand.pk for brand in self.query.brands)),
            HasAny(DiscountFacet(), (ANY,) if self.query.is_discounted else ()),
        ]
        return ListingFilter(
            place={one.facet.name: one for one in place if one.ids},
            chosen={
                facet.name: facet.restriction(chosen[facet.name], self.market, categories)
                for facet in facets()
                if facet.name in chosen
            },
            found=self.found.ids if self.found else None,
        )

    @cached_property
    def _selection(self) -> IndexSelection | SqlSelection:
        index = current_index()
        if index is None:
            return SqlSelection(self.market, self._listing_filter)
        return IndexSelection(index, self.market, self._listing_filter)

    @property
    def is_makeshift(self) -> bool:
        """There is no index yet of facets or words: an answer for now, not to be kept."""
        is_searched_by_sql = self.found is not None and self.found.is_makeshift
        return is_searched_by_sql or not isinstance(self._selection, IndexSelection)

    @cached_property
    def total(self) -> int:
        return 0 if self.query.is_nothing else self._selection.total

    @cached_property
    def ids(self) -> list[int]:
        """Products of the page, in order."""
        return [] if self.query.is_nothing else self._selection.page(self.sort, self.first_index, self.last_index)

    @cached_property
    def close_total(self) -> int:
        """How many match as well as was asked for; what follows comes from a wider search."""
        close = self.found.close if self.found and self.sort == RELEVANCE[0] else None
        return self.total if close is None else self._selection.among(self.found.ids[:close]) if self.found else 0

    @property
    def close_ids(self) -> list[int]:
        return self.ids[: max(0, self.close_total - self.first_index)]

    @property
    def wider_ids(self) -> list[int]:
        return self.ids[len(self.close_ids) :]

    @property
    def has_divider(self) -> bool:
        """Whether the wider results begin among these cards."""
        return bool(self.wider_ids) and self.close_total >= self.first_index

    @cached_property
    def cards(self) -> list[Card]:
        return cards_by_id(self.ids, self.market, for_api=self._for_api) if self.ids else []

    @cached_property
    def filter_groups(self) -> list[FilterGroup]:
        """What it can be narrowed by, in the order of the page."""
        if self.query.is_nothing or not isinstance(self._selection, IndexSelection):
            return []
        chosen = self.query.filters.chosen
        counted = [facet.count(self._selection, chosen.get(facet.name)) for facet in facets()]
        return [group for group in counted if group and group.is_shown]

    @property
    def facets(self) -> list[CountedFacet]:
        return [group for group in self.filter_groups if isinstance(group, CountedFacet)]

    @property
    def prices(self) -> PriceGroup | None:
        return next((group for group in self.filter_groups if isinstance(group, PriceGroup)), None)

    def has_concern(self, concern_id: int) -> bool:
        """Whether a product where the listing stands is for this concern, whatever is chosen."""
        selection = self._selection
        if isinstance(selection, IndexSelection):
            return selection.count(selection.place, "concern", [concern_id]) > 0
        return False

    @property
    def available(self) -> int:
        """How many options there are to choose from."""
        return sum(len(facet.counted) for facet in self.facets)

    @property
    def last_page(self) -> int:
        return min(LAST_PAGE, max(1, -(-self.total // PAGE_SIZE)))

    @property
    def shown(self) -> int:
        """Of "Showing X out of N": which the last card on screen is."""
        return min(self.first_index, self.total) + len(self.ids)

    @property
    def shown_words(self) -> str:
        """X of "Showing X out of N": the number of cards on screen; of a page that stands alone, which ones."""
        return f"{self.first_index + 1}–{self.shown}" if self.is_window and self.ids else str(self.shown)

    @property
    def has_more(self) -> bool:
        return self.shown < self.total and self.query.page < LAST_PAGE

    @property
    def newest_index(self) -> int:
        """Where among the cards on screen the last of the pages begins."""
        return 0 if self._page_alone else self.last_index - PAGE_SIZE

    @property
    def newest_wider_index(self) -> int:
        """The same among the cards below the divider."""
        return max(0, self.newest_index - len(self.close_ids))
