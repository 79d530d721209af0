"""Keeping the words of products findable."""

import re
from html import unescape
from typing import Any

from django.db.models import Prefetch

from shop.catalog.models import Product, Variant

from ..models import Document
from .normalization import plain_words
from .spelling import remember_words

TAGS = re.compile(r"<[^<>]++>")
MAX_BODY_LENGTH = 4000


def index_products(product_ids: list[int]) -> None:
    """Write the documents of these products; those that are not published are not findable."""
    variants = Prefetch("variants", Variant.objects.filter(is_active=True))
    products = (
        Product.objects.published()
        .filter(pk__in=product_ids)
        .select_related("brand", "category__parent__parent")
        .prefetch_related("health_concerns", variants)
    )
    documents = [_document(product) for product in products]
    found = {document.product_id for document in documents}
    Document.objects.filter(pk__in=set(product_ids) - found).delete()
    Document.objects.bulk_create(
        documents,
        update_conflicts=True,
        unique_fields=["product"],
        update_fields=["name", "brand", "tags", "ingredients", "body"],
    )
    remember_words(text for row in documents for text in (row.name, row.brand, row.tags, row.ingredients))


def _document(product: Product) -> Document:
    variants = list(product.variants.all())
    first = variants[0]
    tags = [concern.name for concern in product.health_concerns.all()]
    tags += [category.name for category in product.category.shown_trail]
    composition = " ".join(f"{name} {amount}" for name, amount in _composition(first).items())
    return Document(
        product=product,
        name=plain_words(f"{product.name} {product.title}"),
        brand=plain_words(product.brand.name),
        tags=plain_words(", ".join(tags)),
        ingredients=plain_words(f"{first.ingredients} {composition}"),
        body=plain_words(_plain(f"{product.highlight} {first.description}"))[:MAX_BODY_LENGTH],
    )


def _composition(variant: Variant) -> dict[str, Any]:
    composition = variant.composition_json.get("Composition", {})
    return composition if isinstance(composition, dict) else {str(composition): ""}


def _plain(html: str) -> str:
    return unescape(TAGS.sub(" ", html))
