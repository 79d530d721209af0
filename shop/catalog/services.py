"""Writes of the catalogue (those of stock: stock/services.py)."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from shop.backoffice.forms import locked
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.markets.queries import market_registry
from shop.money import discount_percent

from .models import OldSlug, Product, Variant, VariantImage, VariantPrice
from .stock.services import refresh_availability

BATCH = 500


def remember_slug(product: Product, former: str) -> None:
    """Let the address that a product had lead to it for ever."""
    OldSlug.objects.update_or_create(slug=former, defaults={"product": product})


@transaction.atomic
def set_market_prices(variant: Variant, prices: Mapping[int, tuple[Decimal, Decimal]]) -> None:
    """Give a variant exactly these fixed prices: location id to selling and actual price, in that location's
    own currency. Those of locations that the shop does not sell to now stay."""
    variant.fixed_prices.filter(location__in=set(market_registry().locations) - set(prices)).delete()
    put_market_prices([(variant.pk, prices)])


def put_market_prices(prices: Iterable[tuple[int, Mapping[int, tuple[Decimal, Decimal]]]]) -> None:
    """Write these fixed prices, variant id to location id to selling and actual price; others stay. One statement."""
    VariantPrice.objects.bulk_create(
        [
            VariantPrice(variant_id=variant, location_id=location, selling_price=selling, actual_price=actual)
            for variant, of in prices
            for location, (selling, actual) in of.items()
        ],
        update_conflicts=True,
        unique_fields=["variant", "location"],
        update_fields=["selling_price", "actual_price"],
    )


@transaction.atomic
def publish_products(ids: Iterable[int], *, is_published: bool) -> None:
    product_ids = list(ids)
    Product.objects.filter(pk__in=product_ids).update(is_published=is_published)
    refresh_products(product_ids)


def refresh_products(product_ids: Iterable[int]) -> None:
    """Bring what cards, sort orders and search need up to date, after these products changed.

    A constant number of queries for each 500 products.
    """
    ids = sorted(set(product_ids))
    for start in range(0, len(ids), BATCH):
        _refresh_batch(ids[start : start + BATCH])


@transaction.atomic
def _refresh_batch(ids: list[int]) -> None:
    images = Prefetch("variant_images", VariantImage.objects.only("variant_id", "picture_id", "position"))
    variants = Prefetch("variants", Variant.objects.filter(is_active=True).prefetch_related(images))
    products = locked(Product.objects.filter(pk__in=ids)).prefetch_related(variants)
    stale = [(product, changed) for product in products if (changed := _refresh(product))]
    if stale:
        fields = set().union(*(changed for _, changed in stale))
        Product.objects.bulk_update([product for product, _ in stale], sorted(fields))
    refresh_availability(ids)
    Product.objects.filter(pk__in=ids).update(changed_at=timezone.now())
    invalidate(Change.Kind.PRODUCT, ids)


def _refresh(product: Product) -> set[str]:
    """Set what follows from the product's active variants; returns the fields that changed."""
    sold = list(product.variants.all())
    first = sold[0] if sold else None
    pictures = [image.picture_id for variant in sold for image in variant.variant_images.all()]
    fresh = {
        "first_variant_id": first.pk if first else None,
        "first_picture_id": pictures[0] if pictures else None,
        "price_inr": first.selling_price if first else Decimal(0),
        "discount": discount_percent(first.selling_price, first.actual_price) if first else 0,
        "variant_count": len(sold),
    }
    changed = {field for field, value in fresh.items() if getattr(product, field) != value}
    for field in changed:
        setattr(product, field, fresh[field])
    return changed
