"""What batches ask later apps."""

from typing import Any

from django.dispatch import Signal

from ..models import Variant

counting_unpacked = Signal()  # with `variant_id`, whose row is locked; receivers answer units sold and in no parcel yet


def unpacked_units(variant_id: int) -> int:
    answers: list[Any] = [answer for _, answer in counting_unpacked.send(Variant, variant_id=variant_id)]
    return sum(answers)
