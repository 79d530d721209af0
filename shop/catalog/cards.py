"""Product cards: the one shape that every list of products hands to page and call."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from urllib.parse import urlencode

from django.db.models import Prefetch
from django.urls import reverse

from shop.markets.market import Market

from .models import AttributeValue, Product, Variant
from .pricing import Price, price_of, unit_price_of
from .products.delivery_dates import delivery_for
from .queries import ProductQuerySet


@dataclass(frozen=True)
class Card:
    """A product with one of its packs, the first as a rule, and what that costs."""

    product: Product
    variant: Variant
    price: Price
    deliver_by: date

    @cached_property
    def url(self) -> str:
        page = reverse("product", args=[self.product.slug])
        is_first = self.variant.pk == self.product.first_variant_id
        return page if is_first else f"{page}?{urlencode({'variant': self.variant.sku})}"

    @property
    def is_single(self) -> bool:
        return self.product.variant_count == 1

    @property
    def in_stock(self) -> bool:
        return self.product.in_stock

    @property
    def pack(self) -> str:
        return self.variant.net_content

    @property
    def unit_price(self) -> str:
        return unit_price_of(self.variant, self.price)


def cards_of(products: Iterable[Product], market: Market) -> list[Card]:
    """Cards of products read by `ProductQuerySet.with_cards(market)`."""
    return [card_of(product, product.first_variant, market) for product in products if product.first_variant]


def card_of(product: Product, variant: Variant, market: Market) -> Card:
    """The card of one pack, read with its fixed prices in the market."""
    return Card(product, variant, price_of(variant, market), delivery_for(product, market).deliver_by)


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
