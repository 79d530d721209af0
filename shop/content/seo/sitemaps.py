"""The sitemaps of the indexed markets: every page that is for everyone, 5,000 addresses a file."""

from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.html import escape

from shop.catalog.models import Brand, Category, HealthConcern, Product
from shop.markets.canonical import bare_path, whole_address
from shop.markets.market import Market
from shop.markets.queries import ENGLISH, languages_of, market_registry

from ..models import Page, Post

PAGE_SIZE = 5000
# Routes of pages that change every day.
FIXED = ("home", "categories", "brands", "offers_discounts", "blog", "faq", "contactus")
SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def indexed_markets() -> list[Market]:
    """Every location marked indexed, in its own currency and each of its languages, by country code."""
    markets = market_registry()
    indexed = [row for _, row in sorted(markets.by_code.items()) if row.is_indexed]
    return [markets.market(row, language=language) for row in indexed for language in languages_of(row)]


def file_name(market: Market) -> str:
    """Of a market in addresses of files: in, hi-in."""
    return market.prefix.strip("/").removeprefix(f"{ENGLISH}-")


def indexed_market(name: str) -> Market | None:
    return next((market for market in indexed_markets() if file_name(market) == name.lower()), None)


def _pages(market: Market) -> list[tuple[Any, ...]]:
    return [*((name,) for name in FIXED), *Page.objects.values_list("slug", "changed_at")]


def _products(market: Market) -> QuerySet[Any]:
    return Product.objects.visible_in(market).order_by("pk").values_list("slug", "changed_at")


def _categories(market: Market) -> QuerySet[Any]:
    """Those that have something to show, themselves or below them (the tree has three levels)."""
    visible = Product.objects.visible_in(market).order_by()
    levels = ("category", "category__parent", "category__parent__parent")
    filled = reduce(or_, (Q(pk__in=visible.filter(**{f"{level}__isnull": False}).values(level)) for level in levels))
    return Category.objects.shown().filter(filled).order_by("pk").values_list("path")


def _concerns(market: Market) -> QuerySet[Any]:
    visible = Product.objects.visible_in(market).order_by()
    return HealthConcern.objects.filter(products__in=visible).distinct().order_by("pk").values_list("slug")


def _brands(market: Market) -> QuerySet[Any]:
    visible = Product.objects.visible_in(market).order_by()
    return Brand.objects.filter(pk__in=visible.values("brand")).order_by("pk").values_list("slug")


def _posts(market: Market) -> QuerySet[Any]:
    return Post.objects.shown().order_by("pk").values_list("slug", "changed_at")


def _under(route: str) -> Callable[[str], str]:
    return lambda slug: reverse(route, args=[slug])


# Section, as its files are named: the path of what it lists, and (slug or route, when changed) of each.
SECTIONS: dict[str, tuple[Callable[[str], str], Callable[[Market], QuerySet[Any] | list[tuple[Any, ...]]]]] = {
    "pages": (reverse, _pages),
    "products": (_under("product"), _products),
    "categories": (_under("category"), _categories),
    "concerns": (_under("concern"), _concerns),
    "brands": (_under("brand"), _brands),
    "posts": (_under("post"), _posts),
}


def write_index() -> str:
    """The index of every file of every indexed market; one count for each section of a market."""
    files = [
        f"<sitemap><loc>{whole_address(f'/sitemaps/{file_name(market)}/{section}-{page}.xml')}</loc></sitemap>"
        for market in indexed_markets()
        for section, (_, rows) in SECTIONS.items()
        for page in Paginator(rows(market), PAGE_SIZE, allow_empty_first_page=False).page_range
    ]
    return f'{HEAD}<sitemapindex xmlns="{SCHEMA}">{"".join(files)}</sitemapindex>'


def write_sitemap(market: Market, section: str, page: int) -> str | None:
    """One file, in one query; None where there is no such page."""
    path_of, rows = SECTIONS[section]
    found = list(rows(market)[(page - 1) * PAGE_SIZE : page * PAGE_SIZE])
    if not found:
        return None
    return f'{HEAD}<urlset xmlns="{SCHEMA}">{"".join(_entries(market, path_of, found))}</urlset>'


def _entries(market: Market, path_of: Callable[[str], str], rows: list[tuple[Any, ...]]) -> Iterator[str]:
    for slug, *changed in rows:
        address = whole_address(bare_path(path_of(slug)), market.prefix)
        changed_at = "".join(f"<lastmod>{moment.isoformat(timespec='seconds')}</lastmod>" for moment in changed)
        yield f"<url><loc>{escape(address)}</loc>{changed_at}</url>"
