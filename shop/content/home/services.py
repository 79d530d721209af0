"""The home page: the rows that editors ordered, each filled for a market.

What fills a row is remembered until a product or the shop changes; which rows and banners stand at a
moment is asked each time (schedule.py). The page shows products by their ids
(catalog/templatetags/cards.py), the calls read them.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.translation import gettext

from shop.catalog.models import Brand, Category, HealthConcern, Product
from shop.invalidation.subscriptions import remembered
from shop.markets.market import Market
from shop.markets.queries import default_market
from shop.search.listing.services import Listing, ListingQuery

from ..models import Banner, HomeRow
from .schedule import standing

logger = logging.getLogger(__name__)

CARDS_A_ROW = 10
MAX_CATEGORY_ROWS = 8


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
    spotlight = tuple(Brand.objects.filter(is_spotlight=True))
    featured = Category.objects.shown().filter(is_featured=True).order_by("position", "name")[:MAX_CATEGORY_ROWS]
    return Choice(
        hot_selling=_pinned_first(market, _popular(market, ListingQuery())),
        spotlight=_popular(market, ListingQuery(brands=spotlight)) if spotlight else [],
        featured=[(row, _popular(market, ListingQuery(categories=(row,)))) for row in featured],
    )


def filled_rows(market: Market) -> list[FilledRow]:
    """Every published row that has something to show now, in the editors' order; links keep the market prefix."""
    now = timezone.now()

    def fill(row: HomeRow) -> list[FilledRow]:
        if row.kind == HomeRow.Kind.BANNERS:
            return _banner_row(row, standing(_published_banners(), now, market))
        return _filled_under(get_script_prefix(), row, market)

    return _fill_all(standing(_published_rows(), now, market), fill)


def filled_drafts(market: Market, at: datetime) -> list[FilledRow]:
    """The same for the editors' preview: at another moment, with drafts, and nothing of it remembered."""

    def fill(row: HomeRow) -> list[FilledRow]:
        if row.kind == HomeRow.Kind.BANNERS:
            return _banner_row(row, standing(_with_pictures(Banner.objects.all()), at, market))
        return FILLERS[row.kind](row, market)

    return _fill_all(standing(HomeRow.objects.prefetch_related("locations"), at, market), fill)


def has_content(row: HomeRow) -> bool:
    """Whether a row has something to show in the shop's own market; without it the home page leaves the row out."""
    market = default_market()
    if row.kind == HomeRow.Kind.BANNERS:
        return bool(standing(_published_banners(), timezone.now(), market))
    return any(found.content for found in FILLERS[row.kind](row, market))


def next_home_change() -> datetime | None:
    """When a row or a banner begins or ends next, in any market."""
    now = timezone.now()
    return min((moment for moment in _published_moments() if moment > now), default=None)


def banners_everywhere() -> list[Banner]:
    """Those of now that are seen in every market, for a call that names none."""
    now = timezone.now()
    return [banner for banner in _published_banners() if banner.is_everywhere and banner.state(now) == "Live"]


@remembered("shop")
def _published_rows() -> list[HomeRow]:
    return list(HomeRow.objects.filter(is_published=True).prefetch_related("locations"))


@remembered("shop")
def _published_banners() -> list[Banner]:
    return list(_with_pictures(Banner.objects.filter(is_published=True)))


def _with_pictures(banners: QuerySet[Banner]) -> QuerySet[Banner]:
    return banners.select_related("image", "mobile_image").prefetch_related("locations")


@remembered("shop")
def _published_moments() -> list[datetime]:
    """Of rows and banners, whatever else may be wrong with them."""
    rows, banners = (model._default_manager.filter(is_published=True) for model in (HomeRow, Banner))
    pairs = [*rows.values_list("starts_at", "ends_at"), *banners.values_list("starts_at", "ends_at")]
    return [moment for pair in pairs for moment in pair if moment]


def _fill_all(rows: Iterable[HomeRow], fill: Callable[[HomeRow], list[FilledRow]]) -> list[FilledRow]:
    """A row that cannot be filled is logged and left out; the rest of the page stands."""
    filled: list[FilledRow] = []
    for row in rows:
        try:
            filled += [found for found in fill(row) if found.content]
        except Exception:
            logger.exception("row %s (%s) of the home page is left out", row.pk, row)
    return filled


def _banner_row(row: HomeRow, shown: tuple[Banner, ...]) -> list[FilledRow]:
    return [FilledRow(row.kind, row.translated.title, shown)]


@remembered("shop", "product")
def _filled_under(prefix: str, row: HomeRow, market: Market) -> list[FilledRow]:
    return FILLERS[row.kind](row, market)


def _popular(market: Market, listing_query: ListingQuery) -> list[int]:
    """The first of a listing, which the facet index has in memory."""
    return Listing(market, listing_query).ids[:CARDS_A_ROW]


def _pinned_first(market: Market, popular: list[int]) -> list[int]:
    """Of what is in stock, and of what is not, what staff pinned comes first."""
    pinned = Product.objects.filter(is_pinned=True).order_by().values_list("pk", flat=True)
    visible = Product.objects.visible_in(market).filter(pk__in={*popular, *pinned})
    ordered = visible.order_by("-in_stock", "-is_pinned", "-popularity", "id")
    return list(ordered.values_list("pk", flat=True)[:CARDS_A_ROW])


def _fill_concerns(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.translated.title, list(HealthConcern.objects.select_related("image")))]


def _fill_hot_selling(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.translated.title or gettext("Hot Selling"), choose(market).hot_selling)]


def _fill_brands(row: HomeRow, market: Market) -> list[FilledRow]:
    brands = list(Brand.objects.select_related("brand_image"))
    return [FilledRow(row.kind, row.translated.title or gettext("Shop by brand"), brands, reverse("brands"))]


def _fill_categories(row: HomeRow, market: Market) -> list[FilledRow]:
    return [
        FilledRow(row.kind, category.translated.name, ids, reverse("category", args=[category.path]))
        for category, ids in choose(market).featured
    ]


def _fill_spotlight(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.translated.title or gettext("Brand Spotlight"), choose(market).spotlight)]


def _fill_text(row: HomeRow, market: Market) -> list[FilledRow]:
    return [FilledRow(row.kind, row.translated.title, row.translated.text)]


def _fill_products(row: HomeRow, market: Market) -> list[FilledRow]:
    picked = row.products.through.objects.filter(homerow=row).order_by("pk").values_list("product_id", flat=True)
    visible = set(Product.objects.visible_in(market).filter(pk__in=picked).values_list("pk", flat=True))
    return [FilledRow(row.kind, row.translated.title, [pk for pk in picked if pk in visible])]


FILLERS: dict[str, Callable[[HomeRow, Market], list[FilledRow]]] = {
    HomeRow.Kind.CONCERNS: _fill_concerns,
    HomeRow.Kind.HOT_SELLING: _fill_hot_selling,
    HomeRow.Kind.BRANDS: _fill_brands,
    HomeRow.Kind.CATEGORIES: _fill_categories,
    HomeRow.Kind.SPOTLIGHT: _fill_spotlight,
    HomeRow.Kind.TEXT: _fill_text,
    HomeRow.Kind.PRODUCTS: _fill_products,
}
