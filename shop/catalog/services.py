"""Writes of the catalogue (those of stock: stock/services.py)."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from shop.backoffice.forms import locked
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.money import discount_percent
from shop.rows import update_rows
from shop.translated import Translations, with_changes

from .composition.prescriptions import NEVER_PUBLISHED
from .composition.services import composition_key, ingredients_digest, siblings_of, write_components
from .models import OldSlug, Product, Variant, VariantImage, VariantPrice
from .stock.services import refresh_availability

BATCH = 500
MAX_SIBLINGS = 200  # whose pages are made anew at once


def remember_slug(product: Product, former: str) -> None:
    """Let the address that a product had lead to it for ever."""
    OldSlug.objects.update_or_create(slug=former, defaults={"product": product})


@transaction.atomic
def change_market_prices(variant: Variant, prices: Mapping[int, tuple[Decimal, Decimal] | None]) -> None:
    """Give a variant these fixed prices: location id to selling and actual price, in that location's own currency, or
    None for the INR price, converted. Those of other locations stay."""
    variant.fixed_prices.filter(location__in=[pk for pk, pair in prices.items() if pair is None]).delete()
    put_market_prices([(variant.pk, {pk: pair for pk, pair in prices.items() if pair is not None})])


def put_market_prices(prices: Iterable[tuple[int, Mapping[int, tuple[Decimal, Decimal]]]]) -> None:
    """Write these fixed prices, variant id to location id to selling and actual price; others stay. One statement."""
    VariantPrice.objects.bulk_create(
        [
            VariantPrice(variant_id=variant, location_id=location, selling_price=selling, actual_price=actual)
            for variant, of in prices
            for location, (selling, actual) in of.items()
        ],
        update_conflicts=True,
        unique_fields=["variant", "location"],
        update_fields=["selling_price", "actual_price"],
    )


@transaction.atomic
def change_translations(rows: QuerySet[Any], changes: Translations) -> None:
    """Put translations in place of those that these rows have: language to field to text, empty to take it away. Locks
    the rows and writes `translations`; the caller tells what shows them (refresh_products, invalidate)."""
    found = list(locked(rows))
    for row in found:
        row.translations = with_changes(row.translations, changes)
    rows.model._default_manager.bulk_update(found, ["translations"], batch_size=BATCH)


@transaction.atomic
def publish_products(ids: Iterable[int], *, is_published: bool) -> None:
    """Writes `is_published`; what is archived or of Schedule X stays out of the shop."""
    product_ids = list(ids)
    chosen = Product.objects.filter(pk__in=product_ids)
    may_be = chosen.filter(archived_at=None).exclude(schedule__in=NEVER_PUBLISHED) if is_published else chosen
    may_be.update(is_published=is_published)
    refresh_products(product_ids)


def refresh_products(product_ids: Iterable[int]) -> None:
    """Bring what cards, sort orders and search need up to date, after these products changed.

    A constant number of queries for each 500 products.
    """
    ids = sorted(set(product_ids))
    for start in range(0, len(ids), BATCH):
        _refresh_batch(ids[start : start + BATCH])


@transaction.atomic
def _refresh_batch(ids: list[int]) -> None:
    # As lists: a queryset for each row would take as long as the rest.
    images = VariantImage.objects.only("variant_id", "picture_id", "position")
    active = Variant.objects.filter(is_active=True).prefetch_related(
        Prefetch("variant_images", images, to_attr="own_images")
    )
    variants = Prefetch("variants", active, to_attr="active_variants")
    products = list(locked(Product.objects.filter(pk__in=ids)).prefetch_related(variants))
    beside = siblings_of(products, MAX_SIBLINGS)
    stale = [(product, changed) for product in products if (changed := _refresh(product))]
    if stale:
        fields = set().union(*(changed for _, changed in stale))
        update_rows([product for product, _ in stale], sorted(fields))
    if mixed := [product for product, changed in stale if "components_digest" in changed]:
        write_components(mixed)
    if any("composition_key" in changed for _, changed in stale):
        beside += siblings_of(products, MAX_SIBLINGS)
    refresh_availability(ids)
    Product.objects.filter(pk__in=ids).update(changed_at=timezone.now())
    invalidate(Change.Kind.PRODUCT, [*ids, *beside])


def _refresh(product: Product) -> set[str]:
    """Set what follows from the product's active variants and ingredients; returns the fields that changed."""
    sold: list[Any] = product.active_variants  # type: ignore[attr-defined]
    first = sold[0] if sold else None
    pictures = [image.picture_id for variant in sold for image in variant.own_images]
    fresh = {
        "first_variant_id": first.pk if first else None,
        "first_picture_id": pictures[0] if pictures else None,
        "price_inr": first.selling_price if first else Decimal(0),
        "discount": discount_percent(first.selling_price, first.actual_price) if first else 0,
        "variant_count": len(sold),
        "composition_key": composition_key(product),
        "components_digest": ingredients_digest(product),
    }
    changed = {field for field, value in fresh.items() if getattr(product, field) != value}
    for field in changed:
        setattr(product, field, fresh[field])
    return changed
