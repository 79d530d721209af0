"""Products as rows of the shop's own file (importing/shop_export.py), which the importer reads back."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet

from shop.markets.queries import atlas

from .importing.shop_export import PRODUCT_FIELDS, VARIANT_FIELDS
from .models import AttributeValue, Category, Product, Variant, VariantPrice

CHUNK = 200
OPTIONS = (1, 2, 3)


def product_rows(products: QuerySet[Product]) -> Iterator[list[Any]]:
    """The header, then a row for each variant; some queries for each CHUNK products, whatever their number.

    Prices abroad have two columns for each market in which one of the products has any.
    """
    ids = list(products.order_by("pk").values_list("pk", flat=True).distinct())
    markets = _markets(products)
    yield [
        "handle", "sku", *PRODUCT_FIELDS, "brand", "category", "concerns", "hsn", "published", "active",
        "selling_price", "actual_price", *[name for code in markets.values() for name in market_columns(code)],
        *[name for n in OPTIONS for name in (f"option{n}_name", f"option{n}_value")], *VARIANT_FIELDS, "stock",
    ]  # fmt: skip
    for start in range(0, len(ids), CHUNK):
        for product in _read(ids[start : start + CHUNK]):
            told = [_cell(getattr(product, field)) for field in PRODUCT_FIELDS]
            for variant in product.variants.all():
                yield _row(product, variant, told, markets)


def market_columns(code: str) -> tuple[str, str]:
    return f"selling_price_{code.lower()}", f"actual_price_{code.lower()}"


def _markets(products: QuerySet[Product]) -> dict[int, str]:
    """Location id to code, of those with a fixed price of one of these products."""
    priced = VariantPrice.objects.filter(variant__product__in=products.order_by().values("pk")).order_by()
    used = set(priced.values_list("location_id", flat=True).distinct())
    return {pk: location.code for pk, location in sorted(atlas().locations.items()) if pk in used}


def _read(ids: list[int]) -> QuerySet[Product]:
    values = Prefetch("attribute_values", AttributeValue.objects.select_related("attribute"))
    variants = Variant.objects.order_by("position", "id").prefetch_related(values, "fixed_prices")
    return (
        Product.objects.filter(pk__in=ids)
        .order_by("pk")
        .select_related("brand", "category__parent__parent")
        .prefetch_related("health_concerns", Prefetch("variants", variants))
    )


def _row(product: Product, variant: Variant, told: list[Any], markets: dict[int, str]) -> list[Any]:
    prices = {price.location_id: (price.selling_price, price.actual_price) for price in variant.fixed_prices.all()}
    options = [(value.attribute.name, value.label) for value in variant.attribute_values.all()][: len(OPTIONS)]
    options += [("", "")] * (len(OPTIONS) - len(options))
    return [
        product.handle or product.slug,
        variant.sku,
        *told,
        product.brand.name,
        _path(product),
        "|".join(concern.name for concern in product.health_concerns.all()),
        product.hsn_id or "",
        product.is_published,
        variant.is_active,
        variant.selling_price,
        variant.actual_price,
        *[cell for pk in markets for cell in prices.get(pk, ("", ""))],
        *[word for option in options for word in option],
        *[_cell(getattr(variant, field)) for field, _ in VARIANT_FIELDS.values()],
        variant.on_hand,
    ]


def _path(product: Product) -> str:
    names: list[str] = []
    category: Category | None = product.category
    while category is not None:
        names.append(category.name)
        category = category.parent
    return " > ".join(reversed(names))


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return value
