"""Product cards: the one shape that every list of products hands to page and call."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.db.models import Prefetch
from django.urls import reverse

from shop.markets.market import Market

from .models import AttributeValue, Product, Variant
from .pricing import Price, price_of, unit_price_of
from .products.delivery_dates import delivery_for
from .queries import ProductQuerySet


@dataclass(frozen=True)
class Card:
    product: Product
    price: Price
    deliver_by: date

    @cached_property
    def url(self) -> str:
        return reverse("product", args=[self.product.slug])

    @property
    def is_single(self) -> bool:
        return self.product.variant_count == 1

    @property
    def in_stock(self) -> bool:
        return self.product.in_stock

    @property
    def pack(self) -> str:
        variant = self.product.first_variant
        return variant.net_content if variant else ""

    @property
    def unit_price(self) -> str:
        variant = self.product.first_variant
        return unit_price_of(variant, self.price) if variant else ""


def cards_of(products: Iterable[Product], market: Market) -> list[Card]:
    """Cards of products read by `ProductQuerySet.with_cards(market)`."""
    return [
        Card(product, price_of(product.first_variant, market), delivery_for(product, market).deliver_by)
        for product in products
        if product.first_variant
    ]


def cards_by_id(ids: list[int], market: Market, *, for_api: bool = False) -> list[Card]:
    """Cards in the order of `ids`; `for_api` also reads what only the JSON answers show."""
    if not ids:
        return []
    products = Product.objects.with_cards(market).filter(pk__in=ids)
    if for_api:
        products = with_api_facts(products)
    found = {product.pk: product for product in products}
    return cards_of([found[pk] for pk in ids if pk in found], market)


def with_api_facts(products: ProductQuerySet) -> ProductQuerySet:
    """Prefetch concerns, attribute values and banner pictures for present.present_card."""
    values = Prefetch("attribute_values", AttributeValue.objects.select_related("attribute"))
    return products.select_related("category__img_banner", "category__img_banner_m").prefetch_related(
        "health_concerns", Prefetch("variants", Variant.objects.filter(is_active=True).prefetch_related(values))
    )
