"""A copy of a product to start another one from."""

from django.db import transaction

from ..import_export.lookups import free_slug
from ..models import Product, Variant, VariantImage, VariantPrice
from ..services import refresh_products


def latest_copy(product: Product) -> Product | None:
    return Product.objects.filter(name=_name_of_copy(product)).order_by("-pk").first()


@transaction.atomic
def duplicate_once(product: Product, *, seen: int | None) -> tuple[Product, bool]:
    """A copy, and whether it is a new one: where one was made after `seen` (the id of the latest copy that the caller
    saw, 0 for none; None asks for a new one in any case), that one.

    Locks the product that is copied, so that a form sent twice makes one copy."""
    Product.objects.select_for_update().get(pk=product.pk)
    made = latest_copy(product)
    if made and seen is not None and made.pk > seen:
        return made, False
    return duplicate_product(product), True


def _name_of_copy(product: Product) -> str:
    return f"Copy of {product.name}"[:200]


@transaction.atomic
def duplicate_product(product: Product) -> Product:
    """The product with its variants, prices and pictures under a new name, address and SKUs; unpublished,
    without stock, and without a key in import files."""
    copy = Product.objects.get(pk=product.pk)
    name = _name_of_copy(copy)
    copy.pk, copy.name, copy.slug = None, name, free_slug(name)
    copy.handle, copy.is_published, copy.is_pinned = "", False, False
    copy.first_variant = copy.first_picture = None
    copy.popularity = copy.rating = copy.review_count = copy.question_count = 0
    copy.save(force_insert=True)
    for links in ("health_concerns", "related_products", "barred_locations"):
        getattr(copy, links).set(getattr(product, links).all())
    _copy_variants(product, copy)
    refresh_products([copy.pk])
    return copy


def _copy_variants(product: Product, copy: Product) -> None:
    taken = set(Variant.objects.filter(sku__contains="-COPY").values_list("sku", flat=True))
    related = ("attribute_values", "fixed_prices", "variant_images")
    for variant in product.variants.order_by("position", "id").prefetch_related(*related):
        values, prices, images = (list(getattr(variant, name).all()) for name in related)
        variant.pk, variant.product = None, copy
        variant.sku = _free_sku(variant.sku, taken)
        variant.received = variant.on_hand = variant.held = variant.sold = 0
        variant._state.adding = True
        variant._prefetched_objects_cache = {}
        variant.save(force_insert=True)
        variant.attribute_values.set(values)
        VariantPrice.objects.bulk_create(
            VariantPrice(
                variant=variant,
                location_id=price.location_id,
                selling_price=price.selling_price,
                actual_price=price.actual_price,
            )
            for price in prices
        )
        VariantImage.objects.bulk_create(
            VariantImage(variant=variant, picture_id=image.picture_id, position=image.position) for image in images
        )


def _free_sku(sku: str, taken: set[str]) -> str:
    base = sku.partition("-COPY")[0][:90]
    number = 1
    while (free := f"{base}-COPY{number}") in taken:
        number += 1
    taken.add(free)
    return free
