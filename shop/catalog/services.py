"""Writes of the catalogue (stock has its own room: stock.py)."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from shop.money import discount_percent

from .models import Product, Variant, VariantImage
from .signals import products_changed

BATCH = 500


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
    products = list(Product.objects.filter(pk__in=ids).prefetch_related(variants))
    now = timezone.now()
    for product in products:
        sold = list(product.variants.all())
        first = sold[0] if sold else None
        pictures = [image.picture_id for variant in sold for image in variant.variant_images.all()]
        product.first_variant = first
        product.first_picture_id = pictures[0] if pictures else None
        product.price_inr = first.selling_price if first else 0
        product.discount = discount_percent(first.selling_price, first.actual_price) if first else 0
        product.variant_count = len(sold)
        product.in_stock = any(variant.on_hand > 0 for variant in sold)
        product.changed_at = now
    Product.objects.bulk_update(
        products,
        ["first_variant", "first_picture", "price_inr", "discount", "variant_count", "in_stock", "changed_at"],
    )
    products_changed.send(Product, product_ids=ids)
