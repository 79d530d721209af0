"""Writes of the catalogue (stock has its own room: stock.py)."""

from collections.abc import Iterable

from django.db import transaction

from shop.money import discount_percent

from .models import Product


@transaction.atomic
def refresh_products(product_ids: Iterable[int]) -> None:
    """Bring what cards and sort orders need up to date, after variants or pictures changed."""
    products = Product.objects.filter(pk__in=list(product_ids)).prefetch_related("variants__variant_images__picture")
    changed = []
    for product in products:
        variants = [variant for variant in product.variants.all() if variant.is_active]
        first = variants[0] if variants else None
        pictures = [image.picture for variant in variants for image in variant.variant_images.all()]
        product.first_variant = first
        product.first_picture = pictures[0] if pictures else None
        product.price_inr = first.selling_price if first else 0
        product.discount = discount_percent(first.selling_price, first.actual_price) if first else 0
        product.variant_count = len(variants)
        product.in_stock = any(variant.on_hand > 0 for variant in variants)
        changed.append(product)
    Product.objects.bulk_update(
        changed,
        ["first_variant", "first_picture", "price_inr", "discount", "variant_count", "in_stock"],
        batch_size=200,
    )
