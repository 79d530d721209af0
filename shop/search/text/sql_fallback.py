"""Search by SQL alone, for the first minute of a large catalogue, before there is a word index."""

from collections.abc import Sequence

from shop.catalog.models import Product

MAX_FOUND = 240


def find_by_sql(words: Sequence[str]) -> list[int]:
    """Products whose names hold all of `words`, what sells most first; one query."""
    products = Product.objects.published()
    for word in words:
        products = products.filter(name__icontains=word.lstrip("="))
    return list(products.order_by("-in_stock", "-popularity", "pk").values_list("pk", flat=True)[:MAX_FOUND])
