"""The tree of categories as each process remembers it, what published products each of them has, and what of the tree
shoppers see.

Menus are made of both. The price of a product changes none of it: what was made stays until it differs. Reading it by
SQL takes seconds of a million products, so that the facet index, which has it in memory, is asked first
(`register_counter`).
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import Count
from django.utils.translation import gettext_noop

from shop.invalidation.subscriptions import remembered

from ..models import Category, Product

Made = TypeVar("Made")
UNCATEGORIZED = gettext_noop("Uncategorized")  # what a product without a category to show is said to be in


@remembered("shop")
def category_tree() -> dict[int, Category]:
    """Every category by its id, with its parents and their icons at hand."""
    tree = {row.pk: row for row in Category.objects.select_related("img_icon")}
    for row in tree.values():
        if row.parent_id:
            row.parent = tree[row.parent_id]
    return tree


def place_in_tree(products: Iterable[Product]) -> None:
    """Give products their remembered categories, with parents, so that no query joins them."""
    tree = category_tree()
    for product in products:
        if product.category_id in tree:  # else it is of this very second, and read when it is asked for
            product.category = tree[product.category_id]


def trail_of(category_id: int) -> list[Category]:
    """A category and those above it, from the top; none of the hidden ones, nor of what is below them."""
    row = category_tree().get(category_id)
    return row.shown_trail if row else []


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


def visible_categories() -> frozenset[int]:
    """Ids of the categories that shoppers see: none that is hidden, and of those that imports made the ones with
    something published, in them or below."""
    return presence().made("visible categories", _visible_categories)


def _visible_categories(present: Presence) -> frozenset[int]:
    seen = [pk for pk, row in category_tree().items() if pk in present.brands or not row.is_unseen_while_empty]
    return frozenset(row.pk for pk in seen for row in trail_of(pk))


def children_of(category_id: int) -> list[Category]:
    """The subcategories that shoppers see, in their order."""
    seen = visible_categories()
    rows = [row for row in category_tree().values() if row.parent_id == category_id and row.pk in seen]
    return sorted(rows, key=lambda row: (row.position, row.name))
