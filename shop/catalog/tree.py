"""The tree of categories as each process remembers it."""

from shop.changes.following import remembered

from .models import Category


@remembered("shop")
def category_tree() -> dict[int, Category]:
    """Every category by its id, with its parents and their icons at hand."""
    tree = {row.pk: row for row in Category.objects.select_related("img_icon")}
    for row in tree.values():
        if row.parent_id:
            row.parent = tree[row.parent_id]
    return tree
