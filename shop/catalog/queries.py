"""Reads of the catalogue. Querysets are imported by models.py and therefore know no model by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Prefetch, Q

if TYPE_CHECKING:
    from shop.markets.market import Market

    from .models import Category
MAX_WORDS = 8  # of a search


def products_named(words: str) -> Q:
    """Products with all these words in their name, as staff search for them."""
    found = Q()
    for word in words.split()[:MAX_WORDS]:
        found &= Q(name__icontains=word)
    return found


class CategoryQuerySet(models.QuerySet[Any]):
    def roots(self) -> Self:
        return self.filter(parent=None).order_by("position", "name")

    def shown(self) -> Self:
        """Those that are not hidden, nor below one that is (the tree has three levels)."""
        return self.filter(is_hidden=False).exclude(
            Q(parent__isnull=False) & (Q(parent__is_hidden=True) | Q(parent__parent__is_hidden=True))
        )

    def within(self, *categories: Category) -> Self:
        """These categories themselves and everything below them."""
        below = Q()
        for category in categories:
            below |= Q(path=category.path) | Q(path__startswith=f"{category.path}/")
        return self.filter(below)


class ProductQuerySet(models.QuerySet[Any]):
    def published(self) -> Self:
        return self.filter(is_published=True, first_variant__isnull=False)

    def visible_in(self, market: Market) -> Self:
        """Published and not barred from the market's location."""
        return self.published().exclude(barred_locations=market.location_id)

    def in_categories(self, categories: models.QuerySet[Category]) -> Self:
        return self.filter(category__in=categories.values("pk"))

    def with_cards(self, market: Market) -> Self:
        """Everything a card shows in this market, in two queries whatever the number of cards."""
        return self.select_related("brand", "first_variant", "first_picture").prefetch_related(
            fixed_prices_in(market, "first_variant__fixed_prices")
        )


class VariantQuerySet(models.QuerySet[Any]):
    def sellable_in(self, market: Market) -> Self:
        """Active variants that may be sold there to anybody: no prescription, not barred. Stock is another question."""
        return self.filter(is_active=True, product__is_published=True, product__is_prescription=False).exclude(
            product__barred_locations=market.location_id
        )


def fixed_prices_in(market: Market, lookup: str) -> Prefetch[Any, Any, Any]:
    """Prefetch of a variant's fixed price in one market, into `market_prices`."""
    from .models import VariantPrice

    return Prefetch(lookup, VariantPrice.objects.filter(location_id=market.location_id), to_attr="market_prices")
