"""Which pictures a variant has, and in which order."""

from collections.abc import Collection, Iterable

from django.db import transaction

from ..models import Picture, Variant, VariantImage
from ..services import refresh_products


@transaction.atomic
def add_to_gallery(variants: Iterable[Variant], picture: Picture, *, before: Collection[int] = ()) -> list[int]:
    """Put a picture into the gallery of each of these variants: before the first of the pictures `before` (ids), else
    last. Where it is already it stays; answers the ids of the others."""
    chosen = list(variants)
    added = []
    for variant in chosen:
        images = list(variant.variant_images.order_by("position", "id"))
        if picture.pk not in {image.picture_id for image in images}:
            _insert(variant, picture, images, before)
            added.append(variant.pk)
    refresh_products({variant.product_id for variant in chosen})
    return added


def _insert(variant: Variant, picture: Picture, images: list[VariantImage], before: Collection[int]) -> None:
    index = next((place for place, image in enumerate(images) if image.picture_id in before), len(images))
    position = images[index - 1].position + 1 if index else 0
    pushed = images[index:]
    for place, image in enumerate(pushed, start=position + 1):
        image.position = place
    VariantImage.objects.bulk_update(pushed, ["position"])
    VariantImage.objects.get_or_create(variant=variant, picture=picture, defaults={"position": position})


@transaction.atomic
def remove_from_galleries(variant_ids: Iterable[int], picture_id: int) -> None:
    """Take a picture out of the galleries of these variants."""
    images = VariantImage.objects.filter(variant__in=list(variant_ids), picture=picture_id)
    products = set(images.values_list("variant__product", flat=True))
    images.delete()
    refresh_products(products)
