"""The tree of categories as each process remembers it, and what of it shoppers see."""

from collections.abc import Iterable

from django.utils.translation import gettext_noop

from shop.invalidation.subscriptions import remembered

from ..models import Category, Product
from .presence import Presence, presence

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
