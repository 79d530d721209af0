"""The home page: the rows that editors ordered, each filled for a market.

What stands in the rows is remembered until a product or the shop changes; the page shows products
by their ids (catalog/templatetags/cards.py), the calls read them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import get_script_prefix, reverse

from shop.catalog.models import Brand, Category, HealthConcern, Product
from shop.changes.following import remembered
from shop.markets.market import Market

from .models import Banner, HomeRow

CARDS_A_ROW = 12
MOST_CATEGORY_ROWS = 8


@dataclass(frozen=True)
class FilledRow:
    kind: str
    title: str
    content: Any
    url: str = ""


@dataclass(frozen=True)
class Choice:
    """Ids of the products that stand in the rows of the home page in one market.

    Hot selling: pinned first, then by units sold in 90 days. Spotlight: popular products of the
    spotlight brands. Featured: categories, each with its most popular products.
    """

    hot_selling: list[int]
    spotlight: list[int]
    featured: list[tuple[Category, list[int]]]


@remembered("shop", "product")
def choose(market: Market) -> Choice:
    visible = Product.objects.visible_in(market)
    featured = Category.objects.filter(is_featured=True).order_by("position", "name")[:MOST_CATEGORY_ROWS]
    return Choice(
        hot_selling=_first(visible, "-is_pinned"),
        spotlight=_first(visible.filter(brand__is_spotlight=True)),
        featured=[(row, _first(visible.in_categories(Category.objects.within(row)))) for row in featured],
    )


def filled_rows(market: Market) -> list[FilledRow]:
    """Every published row that has something to show, in the editors' order; links keep the market prefix."""
    return _filled_under(get_script_prefix(), market)


@remembered("shop", "product")
def _filled_under(prefix: str, market: Market) -> list[FilledRow]:
    filled = [row for kept in HomeRow.objects.filter(is_published=True) for row in FILLERS[kept.kind](kept, market)]
    return [row for row in filled if row.content]


def _first(products: QuerySet[Product], *pinned: str) -> list[int]:
    ordered = products.order_by("-in_stock", *pinned, "-popularity", "id")
    return list(ordered.values_list("pk", flat=True)[:CARDS_A_ROW])


def banners() -> list[Banner]:
    return list(Banner.objects.filter(is_published=True).select_related("image", "mobile_image"))


def _fill_concerns(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title, list(HealthConcern.objects.select_related("image")))]


def _fill_banners(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title, banners())]


def _fill_hot_selling(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title or "Hot Selling", choose(market).hot_selling)]


def _fill_brands(row: HomeRow, market: Market) -> list[FilledRow]:
    brands = list(Brand.objects.select_related("brand_image"))
    return [FilledRow(row.kind, row.title or "Shop by brand", brands, reverse("brands"))]


def _fill_categories(row: HomeRow, market: Market) -> list[FilledRow]:
    return [
        FilledRow(row.kind, category.name, ids, reverse("category", args=[category.path]))
        for category, ids in choose(market).featured
    ]


def _fill_spotlight(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title or "Brand Spotlight", choose(market).spotlight)]


def _fill_text(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.title, row.text)]


FILLERS: dict[str, Callable[[HomeRow, Market], list[FilledRow]]] = {
    HomeRow.Kind.CONCERNS: _fill_concerns,
    HomeRow.Kind.BANNERS: _fill_banners,
    HomeRow.Kind.HOT_SELLING: _fill_hot_selling,
    HomeRow.Kind.BRANDS: _fill_brands,
    HomeRow.Kind.CATEGORIES: _fill_categories,
    HomeRow.Kind.SPOTLIGHT: _fill_spotlight,
    HomeRow.Kind.TEXT: _fill_text,
}
