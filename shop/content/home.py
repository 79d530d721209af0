"""The home page: the rows that editors ordered, each filled for a market.

Which products stand in the rows is asked once a minute; what their cards say is read on each
request, for all rows together in two queries.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.urls import reverse

from shop.catalog.cards import Card, cards_by_id
from shop.catalog.models import Brand, Category, HealthConcern, Product
from shop.markets.market import Market

from .models import Banner, HomeRow

CARDS_A_ROW = 12
MOST_CATEGORY_ROWS = 8
KEPT_SECONDS = 60


@dataclass(frozen=True)
class FilledRow:
    kind: str
    title: str
    content: Any
    url: str = ""


@dataclass(frozen=True)
class Choice:
    """Ids of the products that stand in the rows of the home page at one location."""

    hot_selling: list[int]
    spotlight: list[int]
    featured: list[tuple[Category, list[int]]]


class Home:
    """The home page's contents in a market; `for_calls` also reads what only the JSON calls show."""

    def __init__(self, market: Market, *, for_calls: bool = False) -> None:
        self.market = market
        self._for_calls = for_calls

    @cached_property
    def _choice(self) -> Choice:
        key = f"home:{self.market.location_id}"
        choice = cache.get(key)
        if choice is None:
            choice = self._choose()
            cache.set(key, choice, KEPT_SECONDS)
        return choice

    def _choose(self) -> Choice:
        visible = Product.objects.visible_in(self.market)
        featured = Category.objects.filter(is_featured=True).order_by("position", "name")[:MOST_CATEGORY_ROWS]
        return Choice(
            hot_selling=_first(visible, "-is_pinned"),
            spotlight=_first(visible.filter(brand__is_spotlight=True)),
            featured=[(row, _first(visible.in_categories(Category.objects.within(row)))) for row in featured],
        )

    @cached_property
    def _cards(self) -> dict[int, Card]:
        choice = self._choice
        wanted = {*choice.hot_selling, *choice.spotlight, *(pk for _, ids in choice.featured for pk in ids)}
        cards = cards_by_id(sorted(wanted), self.market, for_calls=self._for_calls)
        return {card.product.pk: card for card in cards}

    def _pick(self, ids: Iterable[int]) -> list[Card]:
        return [self._cards[pk] for pk in ids if pk in self._cards]

    @property
    def hot_selling(self) -> list[Card]:
        """Pinned products first, then by units sold in 90 days."""
        return self._pick(self._choice.hot_selling)

    @property
    def spotlight(self) -> list[Card]:
        """Popular products of the spotlight brands."""
        return self._pick(self._choice.spotlight)

    @property
    def featured(self) -> list[tuple[Category, list[Card]]]:
        """The featured categories, each with its most popular products."""
        return [(category, self._pick(ids)) for category, ids in self._choice.featured]

    @property
    def rows(self) -> list[FilledRow]:
        """Every published row that has something to show, in the editors' order."""
        filled = [row for kept in HomeRow.objects.filter(is_published=True) for row in FILLERS[kept.kind](kept, self)]
        return [row for row in filled if row.content]


def _first(products: QuerySet[Product], *pinned: str) -> list[int]:
    ordered = products.order_by("-in_stock", *pinned, "-popularity", "id")
    return list(ordered.values_list("pk", flat=True)[:CARDS_A_ROW])


def banners() -> list[Banner]:
    return list(Banner.objects.filter(is_published=True).select_related("image", "mobile_image"))


def _fill_concerns(row: HomeRow, home: Home) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title, list(HealthConcern.objects.select_related("image")))]


def _fill_banners(row: HomeRow, home: Home) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title, banners())]


def _fill_hot_selling(row: HomeRow, home: Home) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title or "Hot Selling", home.hot_selling)]


def _fill_brands(row: HomeRow, home: Home) -> list[FilledRow]:
    brands = list(Brand.objects.select_related("brand_image"))
    return [FilledRow(row.kind, row.title or "Shop by brand", brands, reverse("brands"))]


def _fill_categories(row: HomeRow, home: Home) -> list[FilledRow]:
    return [
        FilledRow(row.kind, category.name, cards, reverse("category", args=[category.path]))
        for category, cards in home.featured
    ]


def _fill_spotlight(row: HomeRow, home: Home) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title or "Brand Spotlight", home.spotlight)]


def _fill_text(row: HomeRow, home: Home) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title, row.text)]


FILLERS: dict[str, Callable[[HomeRow, Home], list[FilledRow]]] = {
    HomeRow.Kind.CONCERNS: _fill_concerns,
    HomeRow.Kind.BANNERS: _fill_banners,
    HomeRow.Kind.HOT_SELLING: _fill_hot_selling,
    HomeRow.Kind.BRANDS: _fill_brands,
    HomeRow.Kind.CATEGORIES: _fill_categories,
    HomeRow.Kind.SPOTLIGHT: _fill_spotlight,
    HomeRow.Kind.TEXT: _fill_text,
}
