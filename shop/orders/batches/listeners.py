"""What orders answer to the catalogue about batches."""

from typing import Any

from django.dispatch import receiver

from shop.catalog.batches.signals import counting_unpacked

from .queries import unpacked_by_variant


@receiver(counting_unpacked)
def count_unpacked(sender: type, variant_id: int, **kwargs: Any) -> int:
    return unpacked_by_variant([variant_id]).get(variant_id, 0)
