"""What a shopper narrowed a listing by, and how the address says it (PRODUCT.md 3, Listing address)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.http import QueryDict

from ..text.normalization import MAX_QUERY_LENGTH, split_words
from .labels import FacetNames, facet_names

MAX_VALUES = 50
ATTRIBUTE = "attr."
PRICE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")
COUNTRY = re.compile(r"[A-Z]{2}")
MIN_LISTING_WORD_LENGTH = 3


@dataclass(frozen=True)
class Filters:
    """Values combine with OR inside a tuple and AND across; empty: no restriction. All of them exist."""

    concerns: tuple[str, ...] = ()  # slugs
    categories: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()  # slug of the attribute, labels of values
    origins: tuple[str, ...] = ()  # two letters
    price_min: Decimal | None = None  # in the money that is shown
    price_max: Decimal | None = None

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    def pairs(self) -> list[tuple[str, str]]:
        """As parameters of an address."""
        found = [("concern", slug) for slug in self.concerns]
        found += [("category", slug) for slug in self.categories]
        found += [("brand", slug) for slug in self.brands]
        found += [(f"{ATTRIBUTE}{slug}", label) for slug, labels in self.attributes for label in labels]
        found += [("origin", code.lower()) for code in self.origins]
        found += [("price_min", plain(self.price_min))] if self.price_min is not None else []
        found += [("price_max", plain(self.price_max))] if self.price_max is not None else []
        return found

    def without_price(self) -> "Filters":
        return replace(self, price_min=None, price_max=None)


NO_FILTERS = Filters()


def read_filters(query: QueryDict, *, within: Iterable[int] = ()) -> Filters:
    """The filters of an address; what does not exist (a category: below those of `within`) or makes
    no sense is left out."""
    names = facet_names()

    def values_of(name: str) -> list[str]:
        return list(dict.fromkeys(value.strip().lower() for value in query.getlist(name)[:MAX_VALUES]))

    attributes = {slug: values_of(f"{ATTRIBUTE}{slug}") for slug in names.attributes if f"{ATTRIBUTE}{slug}" in query}
    price_min, price_max = _price(query.get("price_min", "")), _price(query.get("price_max", ""))
    if price_min is not None and price_max is not None and price_min > price_max:
        price_min = price_max = None
    return Filters(
        concerns=_known(values_of("concern"), names.concerns_by_slug),
        categories=tuple(slug for slug in values_of("category") if names.category_ids([slug], within=within)),
        brands=_known(values_of("brand"), names.brands_by_slug),
        attributes=known_attributes(attributes, names),
        origins=tuple(code.upper() for code in values_of("origin") if COUNTRY.fullmatch(code.upper())),
        price_min=price_min,
        price_max=price_max,
    )


def known_attributes(requested: dict[str, list[str]], names: FacetNames) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Labels in the catalogue's own spelling, of attributes that have any of those asked for."""
    found = []
    for slug, labels in requested.items():
        by_lower = {label.lower(): label for label in names.attributes[slug].values}
        if known := _known([label.lower() for label in labels], by_lower):
            found.append((slug, tuple(by_lower[label] for label in known)))
    return tuple(found)


def listing_words(query: str) -> str:
    """What is searched for in a listing, with single spaces; empty where no word has three letters or digits.
    A short word beside a longer one counts ("Vitamin D3")."""
    words = query.replace("\x00", " ").split()
    is_long = any(len("".join(split_words(word))) >= MIN_LISTING_WORD_LENGTH for word in words)
    return " ".join(words)[:MAX_QUERY_LENGTH] if is_long else ""


def _known(values: Sequence[str], there: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value in there))


def _price(text: str) -> Decimal | None:
    return Decimal(text) if PRICE.fullmatch(text) else None


def plain(number: Decimal) -> str:
    """Without exponent and needless zeros: 150, 0.5."""
    return f"{number.normalize():f}"
