"""Addresses of a listing in its states: another page, without one choice, without any."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from shop.money import display_short

from ..facets.labels import country_name, facet_names
from ..facets.selection import ATTRIBUTE
from .services import Listing

PRICES = ("price_min", "price_max")
Pairs = list[tuple[str, str]]


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
    pairs = state_pairs(listing)
    chips = [
        Chip(_label(name, value), listing_url(path, listing, keep=[pair for pair in pairs if pair != (name, value)]))
        for name, value in pairs
        if name not in PRICES
    ]
    without_price = [pair for pair in pairs if pair[0] not in PRICES]
    if len(without_price) < len(pairs):
        chips.append(Chip(_price_label(listing), listing_url(path, listing, keep=without_price)))
    return chips


def _label(name: str, value: str) -> str:
    names = facet_names()
    if name == "concern":
        return names.concerns_by_slug[value].name
    if name == "category":
        return names.categories[names.categories_by_slug[value][0]].name
    if name == "brand":
        return names.brands_by_slug[value].name
    if name == "origin":
        return country_name(value.upper())
    return f"{names.attributes[name.removeprefix(ATTRIBUTE)].name}: {value}" if name != "q" else f"“{value}”"


def _price_label(listing: Listing) -> str:
    low, high = listing.query.filters.price_min, listing.query.filters.price_max
    shown = [display_short(amount, listing.market.currency) if amount is not None else "" for amount in (low, high)]
    if low is None:
        return f"up to {shown[1]}"
    return f"{shown[0]} – {shown[1]}" if high is not None else f"from {shown[0]}"
