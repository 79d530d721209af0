"""What a shopper narrowed a listing by, and how the address says it (PRODUCT.md 3, Listing address)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from ..text.normalization import MAX_QUERY_LENGTH, split_words
from .base import Pairs
from .registry import facets

MIN_LISTING_WORD_LENGTH = 3


@dataclass(frozen=True)
class FacetSelection:
    """What is chosen of each facet by the facet's name, without those of which nothing is; facets combine with AND."""

    chosen: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.chosen)

    def pairs(self) -> Pairs:
        """As parameters of an address."""
        return [
            pair for facet in facets() if facet.name in self.chosen for pair in facet.pairs(self.chosen[facet.name])
        ]


NO_FILTERS = FacetSelection()


def read_filters(query: QueryDict, *, within: Iterable[int] = ()) -> FacetSelection:
    """The filters of an address; what does not exist (a category: below those of `within`) or makes
    no sense is left out."""
    place = tuple(within)
    chosen = {facet.name: facet.read(query, place) for facet in facets()}
    return FacetSelection({name: value for name, value in chosen.items() if value})


def listing_words(query: str) -> str:
    """What is searched for in a listing, with single spaces; empty where no word has three letters or digits.
    A short word beside a longer one counts ("Vitamin D3")."""
    words = query.replace("\x00", " ").split()
    is_long = any(len("".join(split_words(word))) >= MIN_LISTING_WORD_LENGTH for word in words)
    return " ".join(words)[:MAX_QUERY_LENGTH] if is_long else ""
