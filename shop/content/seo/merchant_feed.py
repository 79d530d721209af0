"""What an indexed market sells, as Google Merchant Center reads it: RSS 2.0 with its own fields.

Written piece by piece: memory does not grow with the catalogue, and a batch has queries of its own.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape, strip_tags

from shop.catalog.categories.tree import trail_of
from shop.catalog.models import Product, Variant, VariantImage
from shop.catalog.pictures.services import picture_url
from shop.catalog.pricing import price_of
from shop.catalog.products.barcodes import gtin_of
from shop.catalog.queries import fixed_prices_in
from shop.markets.canonical import bare_path, whole_address
from shop.markets.market import Market
from shop.markets.queries import shipping_cost, slabs_of
from shop.rows import each_row

BATCH = 500
MAX_PICTURES = 10
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Fields = list[tuple[str, str]]


def write_feed(market: Market) -> Iterator[str]:
    """Every variant that may be sold there, at its price in the location's own currency."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>'
    yield _element("title", f"{settings.SHOP_NAME}, {market.country_name}")
    yield _element("link", whole_address("/", market.prefix))
    yield _element("description", f"Everything that {settings.SHOP_NAME} delivers to {market.country_name}")
    slabs = slabs_of(market)
    for product in each_row(_products(market), BATCH):
        variants = list(product.variants.all())
        is_single = len(variants) == 1
        with translation.override(market.language):  # not of whoever takes the pieces
            items = [_item(variant, product, market, slabs, is_single=is_single) for variant in variants]
        yield "".join(items)
    yield "</channel></rss>"


def _products(market: Market) -> QuerySet[Product]:
    variants = (
        Variant.objects.filter(is_active=True)
        .order_by("position", "id")
        .prefetch_related(
            fixed_prices_in(market, "fixed_prices"),
            Prefetch("variant_images", VariantImage.objects.select_related("picture")),
            "attribute_values",
        )
    )
    return (
        Product.objects.visible_in(market)
        .filter(is_prescription=False)
        .select_related("brand", "first_picture")
        .prefetch_related(Prefetch("variants", variants))
    )


def _item(
    variant: Variant, product: Product, market: Market, slabs: list[tuple[Decimal, Decimal]], *, is_single: bool
) -> str:
    price = price_of(variant, market)
    address = whole_address(bare_path(reverse("product", args=[product.slug])), market.prefix)
    labels = ", ".join(value.shown_label for value in variant.attribute_values.all())
    name = product.shown_title
    fields: Fields = [
        ("g:id", variant.sku),
        ("g:title", f"{name}, {labels}"[:150] if labels else name[:150]),
        ("g:description", strip_tags(product.shown_meta_desc or name)[:5000]),
        ("g:link", address if is_single else f"{address}?variant={variant.sku}"),
        ("g:availability", "in_stock" if variant.on_hand else "out_of_stock"),
        ("g:price", _money(price.actual, market)),
        ("g:brand", product.brand.translated.name),
        ("g:condition", "new"),
    ]
    if trail := trail_of(product.category_id):
        fields.append(("g:product_type", " > ".join(category.translated.name for category in trail)))
    if price.selling < price.actual:
        fields.append(("g:sale_price", _money(price.selling, market)))
    gtin = gtin_of(variant.barcode)
    fields.append(("g:gtin", gtin) if gtin else ("g:identifier_exists", "no"))
    if not is_single:
        fields.append(("g:item_group_id", str(product.pk)))
    shipping = _element("g:country", market.country_code) + _element(
        "g:price", _money(shipping_cost(price.selling, slabs), market)
    )
    inside = "".join(_element(*field) for field in [*fields, *_pictures(variant, product)])
    return f"<item>{inside}<g:shipping>{shipping}</g:shipping></item>"


def _pictures(variant: Variant, product: Product) -> Fields:
    own = [image.picture for image in variant.variant_images.all()]
    pictures = own or ([product.first_picture] if product.first_picture else [])
    names = ["g:image_link", *["g:additional_image_link"] * MAX_PICTURES]
    return [(name, picture_url(picture, 1200) or "") for name, picture in zip(names, pictures, strict=False)]


def _money(amount: Decimal, market: Market) -> str:
    return f"{amount:f} {market.currency}"


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(NOT_XML.sub('', text))}</{name}>"
