"""Keys of copies: those that a page is kept under, and those that a change purges. They follow the rule by which the
page cache drops its pages (shop/markets/caching/page_cache.py)."""

from collections.abc import Iterable

from ..models import Change

SHOP = "shop"  # on every page
LISTS = "products"  # on what any product may change
STOCK = "stock"  # on what the number on hand of any product may change
MAX_PRODUCTS = 100  # on a page; a header of more would be refused


def keys_of_page(shows: frozenset[int] | None) -> list[str]:
    """`shows` as the page cache has it: ids of products, or None where any product may change the page."""
    if shows is None:
        return [SHOP, LISTS]
    if len(shows) > MAX_PRODUCTS:
        return [SHOP, LISTS, STOCK]
    return [SHOP, *map(_key_of, sorted(shows))]


def keys_of_changes(news: Iterable[Change] | None, *, max_keys: int) -> frozenset[str]:
    """What the changes purge, in one call: everything where there are more keys, or where some changes may have been
    missed (None)."""
    keys: set[str] = set()
    for change in [Change(kind=Change.Kind.SHOP)] if news is None else news:
        if change.kind == Change.Kind.SHOP:
            keys.add(SHOP)
        else:
            keys |= {LISTS, STOCK} if change.kind == Change.Kind.PRODUCT else {STOCK}
            keys |= set(map(_key_of, change.ids))
    return bounded(keys, max_keys)


def bounded(keys: Iterable[str], max_keys: int) -> frozenset[str]:
    """The same keys, or the one of every page where that says as much or they are too many."""
    found = frozenset(keys)
    return frozenset({SHOP}) if SHOP in found or len(found) > max_keys else found


def _key_of(product_id: int) -> str:
    return f"product-{product_id}"
