"""Addresses of a listing in its states: another page, without one choice, without any."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from ..facets.base import Pairs
from ..facets.registry import facets
from .services import Listing


@dataclass(frozen=True)
class Chip:
    """Something chosen, and the listing's address without it."""

    label: str
    url: str


def listing_url(path: str, listing: Listing, *, page: int = 1, keep: Iterable[tuple[str, str]] | None = None) -> str:
    """The listing at `path` with its search and filters (or only those of `keep`), its sort order and a page."""
    pairs = list(keep) if keep is not None else state_pairs(listing)
    if listing.query.sort and listing.sort != listing.default_sort:
        pairs.append(("sort", listing.sort))
    if page > 1:
        pairs.append(("page", str(page)))
    return f"{path}?{urlencode(pairs)}" if pairs else path


def state_pairs(listing: Listing) -> Pairs:
    """Search and filters as parameters."""
    return [*([("q", listing.query.query)] if listing.query.query else []), *listing.query.filters.pairs()]


def chips_of(listing: Listing, path: str) -> list[Chip]:
    """Everything that is chosen, each with the way back."""
    query, chosen, pairs = listing.query.query, listing.query.filters.chosen, state_pairs(listing)
    removable: list[tuple[str, Pairs]] = [(f"“{query}”", [("q", query)])] if query else []
    for facet in facets():
        if facet.name in chosen:
            removable += facet.chips(chosen[facet.name], listing.market)
    return [
        Chip(label, listing_url(path, listing, keep=[pair for pair in pairs if pair not in gone]))
        for label, gone in removable
    ]
