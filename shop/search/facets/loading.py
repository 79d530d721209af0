"""What the facet index is made of, read from the database: six queries for each AT_ONCE products."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from django.db.models import F, QuerySet

from shop.catalog.models import Product, VariantPrice
from shop.rows import pages_of

from .base import read_pairs
from .index import COLUMNS, MAX_ID, Facts, origin_number
from .registry import FACETS

AT_ONCE = 5000  # products
STORED = {facet.kind: facet.field for facet in FACETS if facet.field and facet.kind not in COLUMNS}
ROW = np.dtype([("id", np.int64), *COLUMNS.items(), *((kind, np.int64) for kind in STORED)])
FIXED = np.dtype([("location", np.int64), ("product", np.int64), ("amount", np.int64)])
FIELDS = (
    "pk", "price_inr", "popularity", "published_at", "discount", "country_of_origin", "in_stock",
    "is_prescription", "rating", "review_count", *STORED.values(),
)  # fmt: skip


def read_facts(product_ids: Iterable[int] | None = None) -> Facts:
    """Facts of these products, or of all; those that no visitor may see are left out."""
    products, ids = Product.objects.published(), sorted(product_ids or ())
    chosen = [products] if product_ids is None else [products.filter(pk__in=part) for part in _parts(ids)]
    parts = [part for some in chosen for part in _facts_of(some)]
    return _joined(parts or [_facts(products.none(), [])])


def _facts_of(products: QuerySet[Product]) -> Iterator[Facts]:
    for page in pages_of(products.values_list(*FIELDS), AT_ONCE):
        yield _facts(products.filter(pk__range=(page[0][0], page[-1][0])), page)


def _facts(products: QuerySet[Product], read: list[tuple[Any, ...]]) -> Facts:
    """`read` are the FIELDS of these products."""
    rows = np.fromiter(map(_row, read), ROW)
    pairs = {facet.kind: facet.index_pairs(products, rows) for facet in FACETS if facet.kind}
    pairs["barred"] = read_pairs(products.filter(barred_locations__isnull=False), "barred_locations", "pk")
    return Facts(rows["id"].copy(), {name: rows[name].copy() for name in COLUMNS}, pairs, _fixed_prices(products))


def _row(fields: tuple[Any, ...]) -> tuple[Any, ...]:
    pk, price, popularity, published_at, discount, origin, in_stock, is_prescription, *more = fields
    rating, reviews, *stored = more
    published = min(max(int(published_at.timestamp()), 0), MAX_ID)
    return (
        pk, int(price * 100), min(popularity, MAX_ID), published, min(discount, 255), rating, min(reviews, MAX_ID),
        origin_number(origin), in_stock, is_prescription, *stored,
    )  # fmt: skip


def _fixed_prices(products: QuerySet[Product]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """What the first variants cost where their price does not follow the rate."""
    rows = VariantPrice.objects.filter(
        variant=F("variant__product__first_variant"), variant__product__in=products.order_by()
    )
    found = np.fromiter(
        (
            (location, product, int(price * 1000))
            for location, product, price in rows.values_list("location_id", "variant__product_id", "selling_price")
        ),
        FIXED,
    )
    return {
        int(location): (found["product"][at], found["amount"][at])
        for location in np.unique(found["location"])
        for at in [found["location"] == location]
    }


def _parts(ids: list[int]) -> list[list[int]]:
    return [ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE)]


def _joined(parts: list[Facts]) -> Facts:
    if len(parts) == 1:
        return parts[0]

    def both(arrays: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
        return np.concatenate([first for first, _ in arrays]), np.concatenate([second for _, second in arrays])

    return Facts(
        np.concatenate([part.ids for part in parts]),
        {name: np.concatenate([part.columns[name] for part in parts]) for name in COLUMNS},
        {kind: both([part.pairs[kind] for part in parts]) for kind in parts[0].pairs},
        {
            location: both([part.fixed[location] for part in parts if location in part.fixed])
            for location in {one for part in parts for one in part.fixed}
        },
    )
