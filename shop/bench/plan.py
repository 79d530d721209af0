"""What is asked of a shop, and how many queries each answer takes; printed as JSON.

Runs as a process of its own beside the data it looks at: `python -m shop.bench.plan`.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
os.environ["PAGE_CACHE_MB"] = "0"  # queries of pages that are made anew
django.setup()

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext

from shop.catalog.models import Category, Product, Variant
from shop.invalidation import subscriptions

from .serving import MARKET

KNOWN_PRODUCTS = 20
NEW_PRODUCTS = 3000
FILTER_BRANDS = 20


def plan() -> dict[str, dict[str, Any]]:
    """For each kind of request: method, paths, form body and number of queries once caches are warm."""
    published = Product.objects.filter(is_published=True, variant_count__gt=0).order_by("-variant_count", "pk")
    slugs = list(published.values_list("slug", flat=True)[: KNOWN_PRODUCTS + NEW_PRODUCTS])
    asked: dict[str, tuple[str, list[str], dict | None]] = {
        "home": ("GET", [f"{MARKET}/"], None),
        "listing": ("GET", [f"{MARKET}/products/{_fullest_category()}/"], None),
        "listing, filtered": ("GET", list(_filtered_listings()), None),
        "product": ("GET", [f"{MARKET}/product/{slug}/" for slug in slugs[:KNOWN_PRODUCTS]], None),
        "product, first time": ("GET", [f"{MARKET}/product/{slug}/" for slug in slugs[KNOWN_PRODUCTS:]], None),
        "search": ("GET", [f"{MARKET}/search/{_common_word()}/"], None),
    }
    if variant := Variant.objects.filter(is_active=True, on_hand__gt=0, product__is_published=True).first():
        asked["add to cart"] = ("POST", [f"{MARKET}/cart/add/"], {"variant": variant.pk, "quantity": 1})
    return {
        kind: {"method": method, "paths": paths, "form": form, "queries": _count_queries(method, paths, form)}
        for kind, (method, paths, form) in asked.items()
    }


def _fullest_category() -> str:
    """The top category with most published products."""
    tops: Counter[str] = Counter()
    for path in Product.objects.filter(is_published=True).values_list("category__path", flat=True):
        tops[path.split("/")[0]] += 1
    return Category.objects.get(path=tops.most_common(1)[0][0]).path


def _filtered_listings() -> Iterator[str]:
    """The fullest category by two brands, other ones each time: so many that not much of one answer serves another."""
    path = _fullest_category()
    within = Product.objects.published().in_categories(Category.objects.within(Category.objects.get(path=path)))
    brands = within.values("brand__slug").annotate(products=Count("pk")).order_by("-products", "brand__slug")
    slugs = list(brands.values_list("brand__slug", flat=True)[:FILTER_BRANDS])
    for first, second in combinations(slugs, 2):
        yield f"{MARKET}/products/{path}/?brand={first}&brand={second}"


def _common_word() -> str:
    words: Counter[str] = Counter()
    for name in Product.objects.filter(is_published=True).values_list("name", flat=True)[:5000]:
        words.update({word for word in name.lower().split() if word.isalpha() and len(word) > 3})
    return words.most_common(1)[0][0]


def _count_queries(method: str, paths: list[str], form: dict | None) -> int:
    """For a path that was asked once before; where there are many of a kind, the last one was not. A process asks for
    changes twice a second whatever is asked of it, which is not counted."""
    subscriptions.EVERY_SECONDS = 3600.0
    for path in (paths[0], paths[0] if len(paths) <= KNOWN_PRODUCTS else paths[-1]):
        client = Client(headers={"host": settings.SHOP_HOST, "sec-fetch-site": "same-origin"})
        with CaptureQueriesContext(connection) as queries:
            response = client.post(path, form) if method == "POST" else client.get(path)
        if response.status_code not in (200, 302):
            raise SystemExit(f"{method} {path} answers {response.status_code}")
    return sum(not query["sql"].startswith(("BEGIN", "COMMIT")) for query in queries)


if __name__ == "__main__":
    json.dump(plan(), sys.stdout)
