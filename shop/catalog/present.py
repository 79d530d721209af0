"""Rows of the catalogue as the calls show them. No queries here: callers prefetch."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from shop.markets.market import Market

from .cards import Card
from .categories.tree import UNCATEGORIZED, trail_of
from .models import AttributeValue, Category, Picture, Product, Variant
from .pictures.services import picture_url
from .pricing import Price, price_of
from .products.attributes import group_attributes


def image_address(picture: Picture | None, width: int = 640) -> str:
    """The whole address under IMAGE_HOST of a picture about that wide, or an empty string."""
    return picture_url(picture, width) or ""


def present_price(price: Price) -> dict[str, Any]:
    return {"selling_price": price.selling, "actual_price": price.actual, "discount": price.discount}


def present_variant(variant: Variant, market: Market) -> dict[str, Any]:
    """A variant with attribute_values__attribute and variant_images__picture prefetched."""
    return {
        "id": variant.pk,
        "sku": variant.sku,
        "price": present_price(price_of(variant, market)),
        "variant_images": [{"image_url": image_address(image.picture)} for image in variant.variant_images.all()],
        "variant_attr": _present_attributes(variant.attribute_values.all()),
        "max_purchase_qty": variant.max_purchase_qty,
        "available": max(0, min(variant.on_hand, variant.max_purchase_qty)),
        "weight_actual": variant.weight_actual,
        "weight_unit": variant.weight_unit,
    }


def present_variant_detail(variant: Variant, market: Market) -> dict[str, Any]:
    return present_variant(variant, market) | {
        "description": variant.translated.description,
        "ingredients": variant.translated.ingredients,
        "nutritional_info_json": variant.nutritional_info_json,
        "composition_json": variant.composition_json,
    }


def _present_attributes(values: Iterable[AttributeValue]) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for value in values:
        name, shown = value.attribute.translated.name, value.translated
        entry = attributes.setdefault(name, {"attribute": {"name": name}, "values": []})
        entry["values"].append({"value": shown.value, "unit": shown.unit})
    return attributes


def present_card(card: Card) -> dict[str, Any]:
    product = card.product
    return {
        "id": product.pk,
        "slug": product.slug,
        "name": product.translated.name,
        "title": product.shown_title,
        "first_image": image_address(product.first_picture),
        "category": _present_card_category(product),
        "brand": {"name": product.brand.translated.name, "slug": product.brand.slug},
        "health_concerns": [
            {"id": concern.pk, "name": concern.translated.name} for concern in product.health_concerns.all()
        ],
        "first_variant": {"id": product.first_variant_id, "price": present_price(card.price)},
        "attributes": group_attributes(
            value for variant in product.variants.all() for value in variant.attribute_values.all()
        ),
        "in_stock": product.in_stock,
    }


def present_alternative(card: Card) -> dict[str, Any]:
    """A product with the same composition."""
    product = card.product
    return {
        "id": product.pk,
        "slug": product.slug,
        "name": product.translated.name,
        "brand": product.brand.translated.name,
        "variant_id": card.variant.pk,
        "pack": card.pack,
        "price": present_price(card.price),
        "unit_price": card.unit_price,
        "in_stock": card.in_stock,
    }


def present_category(category: Category | None) -> dict[str, str]:
    return (
        {"name": category.translated.name, "slug": category.slug}
        if category
        else {"name": gettext(UNCATEGORIZED), "slug": ""}
    )


def _present_card_category(product: Product) -> dict[str, str]:
    """Its category; where that is hidden, the name alone of the nearest above it that is not."""
    trail = trail_of(product.category_id)
    if not trail or trail[-1].pk != product.category_id:
        empty = dict.fromkeys(("img_banner", "img_banner_m", "meta_title", "meta_desc"), "")
        return present_category(trail[-1] if trail else None) | empty
    category = product.category
    return present_category(category) | {
        "img_banner": image_address(category.img_banner),
        "img_banner_m": image_address(category.img_banner_m),
        "meta_title": category.translated.meta_title,
        "meta_desc": category.translated.meta_desc,
    }
