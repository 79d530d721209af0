"""The facet index of this process; while a large catalogue has none, listings are answered by SQL."""

import zlib
from collections.abc import Iterable
from datetime import timedelta

from shop.catalog.categories.tree import Presence

from ..snapshots import IndexStore
from .base import Facet
from .index import FacetIndex
from .loading import read_facts
from .registry import FACETS

LAYOUT = 4  # of FacetIndex.dump


class FacetStore(IndexStore[FacetIndex]):
    name = "facets"
    small = 5000  # read in a good tenth of a second
    renewed = timedelta(minutes=5)

    @property
    def version(self) -> int:
        return version_of(FACETS)

    def build(self) -> FacetIndex:
        return FacetIndex.of(read_facts())

    def patch(self, index: FacetIndex, changed: set[int]) -> FacetIndex:
        return index.patched(changed, read_facts(changed))

    def dump(self, index: FacetIndex) -> bytes:
        return index.dump()

    def load(self, data: bytes) -> FacetIndex:
        return FacetIndex.load(data)


def version_of(facets: Iterable[type[Facet]]) -> int:
    """Another one for every set of facets: a snapshot without a facet is not read by a shop that has it."""
    return zlib.crc32(repr((LAYOUT, sorted((facet.kind, facet.version) for facet in facets))).encode()) >> 1


store = FacetStore()
current_index = store.current
keep_snapshot = store.keep_snapshot


def count_presence() -> Presence | None:
    """What menus are made of; None while there is no index."""
    index = current_index()
    if index is None:
        return None
    brands = {pk: frozenset(counts) for pk, counts in index.crossed("category", "brand").items()}
    return Presence(brands, index.crossed("category", "concern"))
