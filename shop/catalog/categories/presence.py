"""What the published products of each category have: which brands, and how many of them which concern.

The menu and the visible categories are made of it. The price of a product changes none of it: what was made stays
until it differs. Reading it by SQL takes seconds of a million products, so that the facet index, which has it in
memory, is asked first (`register_counter`).
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import Count

from shop.invalidation.subscriptions import remembered

from ..models import Product

Made = TypeVar("Made")


@dataclass(frozen=True)
class Presence:
    """By category id, only of categories that hold published products themselves."""

    brands: dict[int, frozenset[int]]  # ids
    concerns: dict[int, dict[int, int]]  # id to number of products; no entry without any
    key: object = field(default_factory=object, compare=False, repr=False)  # another one whenever menus may differ
    _made: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def made(self, key: Hashable, make: Callable[["Presence"], Made]) -> Made:
        """What `make` gave for this key before; it may depend on the shop, but on products by `self` alone."""
        if key not in self._made:
            self._made[key] = make(self)
        found: Made = self._made[key]
        return found


_counters: list[Callable[[], Presence | None]] = []


def register_counter(counter: Callable[[], Presence | None]) -> None:
    """Ask `counter` instead of the database; None where it does not know now."""
    _counters.append(counter)


@remembered("shop", "product")
def presence() -> Presence:
    """As of now; the same object as before unless it differs or the shop changed."""
    found = next((known for counter in _counters if (known := counter()) is not None), None) or _read()
    last = _last()
    if last != [found]:
        last[:] = [found]
    return last[0]


@remembered("shop")
def _last() -> list[Presence]:
    return []


def _read() -> Presence:
    published = Product.objects.published().order_by()
    brands: dict[int, set[int]] = {}
    for category_id, brand_id in published.values_list("category_id", "brand_id").distinct():
        brands.setdefault(category_id, set()).add(brand_id)
    concerns: dict[int, dict[int, int]] = {}
    pairs = published.exclude(health_concerns=None).values_list("category_id", "health_concerns")
    for category_id, concern_id, count in pairs.annotate(count=Count("pk")):
        concerns.setdefault(category_id, {})[concern_id] = count
    return Presence({pk: frozenset(found) for pk, found in brands.items()}, concerns)
