"""Products as rows of the shop's own file (importing/shop_export.py), which the importer reads back."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from shop.markets.queries import market_registry

from ..models import AttributeValue, Picture, PictureAddress, Product, Variant, VariantImage, VariantPrice
from ..pictures.services import identities_in, source_address
from .formats.shop_export import NOWHERE, PRODUCT_FIELDS, VARIANT_FIELDS, join_names

CHUNK = 200
MIN_OPTIONS = 3


@dataclass(frozen=True, slots=True)
class _Columns:
    """What the columns depend on, of the products that are exported."""

    markets: dict[int, str]  # location id to code, of those with a fixed price
    options: int
    shared_handles: frozenset[str]  # of several products: no key


def product_rows(products: QuerySet[Product]) -> Iterator[list[Any]]:
    """The header, then a row for each variant (or for a product that has none); some queries for each CHUNK
    products, whatever their number.

    Prices abroad have two columns for each market in which one of the products has any.
    """
    ids = list(products.order_by("pk").values_list("pk", flat=True).distinct())
    columns = _columns(products)
    yield [
        "handle", "sku", "slug", *PRODUCT_FIELDS, "brand", "brand_slug", "brand_position", "category",
        "category_names", "category_positions", "concerns", "concern_slugs", "concern_positions", "not_sold_in", "hsn",
        "gst_rates", "published", "active", "selling_price", "actual_price",
        *[name for code in columns.markets.values() for name in market_columns(code)],
        *[name for n in range(1, columns.options + 1) for name in (f"option{n}_name", f"option{n}_value")],
        *VARIANT_FIELDS, "images", "image_texts", "stock",
    ]  # fmt: skip
    for start in range(0, len(ids), CHUNK):
        for product in _read(ids[start : start + CHUNK]):
            cells = _product_cells(product, columns)
            for variant in product.variants.all() or [None]:
                yield _row(product, variant, cells, columns)


def market_columns(code: str) -> tuple[str, str]:
    return f"selling_price_{code.lower()}", f"actual_price_{code.lower()}"


def _columns(products: QuerySet[Product]) -> _Columns:
    chosen = products.order_by().values("pk")
    priced = VariantPrice.objects.filter(variant__product__in=chosen).order_by()
    used = set(priced.values_list("location_id", flat=True).distinct())
    values = Variant.attribute_values.through.objects.filter(variant__product__in=chosen)
    options = Counter(values.values_list("variant_id", flat=True).iterator())
    handles = Counter(handle or slug for handle, slug in Product.objects.values_list("handle", "slug").iterator())
    return _Columns(
        markets={pk: location.code for pk, location in sorted(market_registry().locations.items()) if pk in used},
        options=max(MIN_OPTIONS, *options.values()) if options else MIN_OPTIONS,
        shared_handles=frozenset(handle for handle, number in handles.items() if number > 1),
    )


def _read(ids: list[int]) -> QuerySet[Product]:
    values = Prefetch("attribute_values", AttributeValue.objects.select_related("attribute"))
    origins = Prefetch("picture__fetched_from", PictureAddress.objects.order_by("pk").only("address", "picture"))
    images = Prefetch("variant_images", VariantImage.objects.select_related("picture").prefetch_related(origins))
    variants = Variant.objects.order_by("position", "id").prefetch_related(values, images, "fixed_prices")
    return (
        Product.objects.filter(pk__in=ids)
        .order_by("pk")
        .select_related("brand", "category__parent__parent")
        .prefetch_related("health_concerns", "barred_locations", "hsn__rates", Prefetch("variants", variants))
    )


def _product_cells(product: Product, columns: _Columns) -> list[Any]:
    """Beside handle and SKU, what each of its rows says alike."""
    concerns = product.health_concerns.all()
    return [
        product.slug,
        *[_cell(getattr(product, field)) for field in PRODUCT_FIELDS],
        product.brand.name,
        product.brand.slug,
        product.brand.position,
        product.category.path,
        join_names(product.category.names, ">"),
        " ".join(str(category.position) for category in product.category.trail),
        join_names((concern.name for concern in concerns), "|"),
        " ".join(concern.slug for concern in concerns),
        " ".join(str(concern.position) for concern in concerns),
        " ".join(location.code for location in product.barred_locations.all()) or NOWHERE,
        product.hsn_id or "",
        " ".join(f"{rate.percent}@{rate.valid_from}" for rate in product.hsn.rates.all()) if product.hsn else "",
        product.is_published,
    ]


def _row(product: Product, variant: Variant | None, cells: list[Any], columns: _Columns) -> list[Any]:
    handle = product.handle or product.slug
    key = product.slug if handle in columns.shared_handles else handle
    return [key, variant.sku if variant else "", *cells, *(_variant_cells(variant, columns) if variant else ())]


def _variant_cells(variant: Variant, columns: _Columns) -> list[Any]:
    prices = {price.location_id: (price.selling_price, price.actual_price) for price in variant.fixed_prices.all()}
    options = [(value.attribute.name, value.label) for value in variant.attribute_values.all()]
    options += [("", "")] * (columns.options - len(options))
    pictures = [image.picture for image in variant.variant_images.all()]
    return [
        variant.is_active,
        variant.selling_price,
        variant.actual_price,
        *[cell for pk in columns.markets for cell in prices.get(pk, ("", ""))],
        *[word for option in options for word in option],
        *[_cell(getattr(variant, field)) for field, _ in VARIANT_FIELDS.values()],
        " ".join(source_address(picture, _origin(picture)) for picture in pictures),
        join_names((picture.alt for picture in pictures), "|"),
        variant.on_hand,
    ]


def _origin(picture: Picture) -> str:
    """The hash that a picture from another shop's export has there."""
    hashes = [hashes[-1] for row in picture.fetched_from.all() if (hashes := identities_in(row.address))]
    return next((sha256 for sha256 in hashes if sha256 != picture.sha256), "")


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return value
