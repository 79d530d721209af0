"""The suggestion box: places whose names hold what was typed, then products, and in a line how the words were
understood. Nothing typed yet: what many in the same country searched for."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property

from django.core.cache import cache
from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from shop.catalog.cards import Card
from shop.invalidation.models import Change
from shop.invalidation.subscriptions import remembered
from shop.markets.market import Market
from shop.text import sort_key

from .engines.services import search
from .facets.index import MAX_ID
from .facets.labels import FacetNames, Named, facet_names
from .facets.store import current_index
from .listing.services import Listing
from .models import SearchCount
from .text.matching import Found
from .text.normalization import split_words

KINDS = ("concern", "category", "brand")
MAX_PLACES = 2  # of each kind
MAX_LOOKED_AT = 500  # names that begin as the last word does
MAX_POPULAR = 6
POPULAR_DAYS = 30
MIN_SEARCHES = 5  # in these days: what a few typed is nobody else's business
POPULAR_SECONDS = 600


@dataclass(frozen=True)
class Place:
    """A page of the shop: `kind` is a facet's name, `path` its address without the market's prefix."""

    kind: str
    pk: int
    path: str
    named: Named = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """In the active language."""
        return self.named.shown_name

    @cached_property
    def words(self) -> frozenset[str]:
        """Of its names in every language."""
        others = (said.get("name", "") for said in self.named.translations.values())
        return frozenset(split_words(" ; ".join((self.named.name, *others))))


@dataclass(frozen=True)
class _PlaceIndex:
    """Words of names, sorted, each with the place that it leads to."""

    words: tuple[tuple[str, int], ...]
    places: tuple[Place, ...]

    def named(self, typed: list[str]) -> list[Place]:
        """Those whose names hold all of the words, the last one perhaps unfinished; in no order."""
        *whole, last = typed
        start = bisect_left(self.words, (last, -1))
        found = set()
        for word, number in self.words[start : start + MAX_LOOKED_AT]:
            if not word.startswith(last):
                break
            if self.places[number].words.issuperset(whole):
                found.add(number)
        return [self.places[number] for number in found]


@remembered(Change.Kind.SHOP)
def _place_index() -> _PlaceIndex:
    places = tuple(_places(facet_names()))
    words = sorted((word, at) for at, place in enumerate(places) for word in place.words)
    return _PlaceIndex(tuple(words), places)


def _places(names: FacetNames) -> Iterator[Place]:
    for concern in names.concerns.values():
        yield _concern_place(concern)
    for pks in names.categories_by_slug.values():
        for pk in pks:
            category = names.categories[pk]
            yield Place("category", pk, reverse("category", args=[category.path]), category)
    for brand in names.brands.values():
        yield Place("brand", brand.pk, reverse("brand", args=[brand.slug]), brand)


def _concern_place(concern: Named) -> Place:
    return Place("concern", concern.pk, reverse("concern", args=[concern.slug]), concern)


def _size(place: Place, market: Market) -> int:
    """How many products of this market it has."""
    index = current_index()
    if index is None:
        return 1
    ids = facet_names().below([place.pk]) if place.kind == "category" else [place.pk]
    return len(index.having(place.kind, ids) - index.having("barred", [market.location_id]))


@dataclass(frozen=True)
class Suggestions:
    """What the box shows for `listing`, a search of what was typed."""

    listing: Listing

    @property
    def _found(self) -> Found:
        return self.listing.found or Found([])

    @cached_property
    def cards(self) -> list[Card]:
        """The first products that match all that was typed."""
        return self.listing.cards[: len(self.listing.close_ids)]

    @cached_property
    def places(self) -> list[Place]:
        """Concerns, categories, brands, in this order, that have products in this market."""
        typed = split_words(self._found.meant or self.listing.words)
        named = _place_index().named(typed) if typed and not self.listing.query.is_nothing else []
        sizes = {place: _size(place, self.listing.market) for place in named}
        if concern := self.listing.concern:  # of the need that was understood: before all others
            sizes[_concern_place(concern)] = MAX_ID
        largest = sorted(filter(sizes.__getitem__, sizes), key=lambda place: (-sizes[place], sort_key(place.name)))
        return [place for kind in KINDS for place in [one for one in largest if one.kind == kind][:MAX_PLACES]]

    @property
    def note(self) -> str:
        """How the words were understood, where that is not as they were typed."""
        found = self._found
        if found.absent:
            words = gettext("We don't have %(name)s, and we never show a different medicine in its place.")
            return words % {"name": found.absent}
        if found.meant and self.cards:
            return gettext("Showing results for “%(words)s”") % {"words": found.meant}
        if found.need and not found.need.kinds:
            return gettext("For “%(name)s”, please see a doctor.") % {"name": found.need.shown_name}
        if found.need and self.cards:
            return gettext("Picked for “%(name)s”") % {"name": found.need.shown_name}
        return ""


def popular_searches(market: Market) -> list[str]:
    """Words that many in this country searched for lately and that find products as they are; most popular first."""
    key = f"popular-searches:{market.country_code}"
    popular: list[str] | None = cache.get(key)
    if popular is None:
        popular = list(_popular_words(market.country_code))
        cache.set(key, popular, POPULAR_SECONDS)
    return popular


def _popular_words(country: str) -> list[str]:
    since = timezone.localdate() - timedelta(days=POPULAR_DAYS)
    counted = SearchCount.objects.filter(day__gt=since, country=country, results__gt=0).values("words")
    often = counted.annotate(number=Sum("searches")).filter(number__gte=MIN_SEARCHES).order_by("-number", "words")
    fine: list[str] = []
    for words in often.values_list("words", flat=True)[: 4 * MAX_POPULAR]:
        if _is_found_as_it_is(search(words)):
            fine.append(words)
        if len(fine) == MAX_POPULAR:
            break
    return fine


def _is_found_as_it_is(found: Found) -> bool:
    return bool(found.ids) and not (found.meant or found.left_out or found.absent)
