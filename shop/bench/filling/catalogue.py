"""A made-up catalogue of any size, in the database of the environment: `python -m shop.bench.filling.catalogue 100000`.

The same categories, brands, concerns and attributes whatever the size, so that only the number of
products differs. Where there are as many products already, only its indexes are renewed.
"""

import os
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
django.setup()

from django.core.management import call_command
from django.db.models import F

from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, Product, Variant
from shop.invalidation.services import invalidate
from shop.search.facets import store as facet_store
from shop.search.text import store as word_store

from ..scale import FORMS, HERBS, WORDS

BATCH = 5000
START = datetime(2026, 1, 1, tzinfo=UTC)


def fill(size: int) -> None:
    call_command("migrate", verbosity=0)
    there = Product.objects.count()
    if there and there != size:
        sys.exit(f"There are {there} products already.")
    if not there:
        _write(size)
    # No clock renews them here, and a process loads none that is older than an hour.
    facet_store.keep_snapshot()
    word_store.keep_snapshot()


def _write(size: int) -> None:
    chance = random.Random(size)
    leaves, brands, concerns, values = _vocabulary()
    numbers = iter(range(1, size + 1))
    while batch := list(islice(numbers, BATCH)):
        products = list(_products(batch, chance, leaves, brands))
        Product.objects.bulk_create(products)
        _link(products, chance, concerns, values)
    Product.objects.update(first_variant_id=F("id"))
    invalidate("shop")


def _vocabulary() -> tuple[list[Category], list[Brand], list[HealthConcern], list[list[AttributeValue]]]:
    leaves = []
    for root in range(6):
        top = Category.objects.create(name=f"Range {root}", slug=f"range-{root}")
        for sub in range(5):
            middle = Category.objects.create(name=f"Shelf {root} {sub}", slug=f"shelf-{root}-{sub}", parent=top)
            leaves += [
                Category.objects.create(
                    name=f"Kind {root} {sub} {leaf}", slug=f"kind-{root}-{sub}-{leaf}", parent=middle
                )
                for leaf in range(3)
            ]
    brands = [Brand.objects.create(name=f"Maker {n:03}", slug=f"maker-{n:03}") for n in range(150)]
    concerns = [HealthConcern.objects.create(name=f"Concern {n:02}", slug=f"concern-{n:02}") for n in range(25)]
    values = []
    for name in ("Size", "Flavour", "Pack"):
        attribute = Attribute.objects.create(name=name, slug=name.lower())
        values.append([AttributeValue.objects.create(attribute=attribute, value=f"{n + 1}") for n in range(12)])
    return leaves, brands, concerns, values


def _products(numbers: list[int], chance: random.Random, leaves: list, brands: list) -> Iterator[Product]:
    for number in numbers:
        price = Decimal(chance.randrange(50, 2000))
        discount = chance.choice([0, 0, 10, 20])
        name = f"{chance.choice(WORDS)} {chance.choice(HERBS)} {chance.choice(FORMS)} {number}".title()
        yield Product(
            pk=number, name=name, slug=f"product-{number}", brand=chance.choice(brands), category=chance.choice(leaves),
            country_of_origin=chance.choice(["IN", "IN", "IN", "LK", "NP", "DE"]), is_published=True,
            published_at=START + timedelta(minutes=number), price_inr=price, discount=discount, variant_count=1,
            in_stock=chance.random() < 0.9, popularity=int(chance.paretovariate(1)),
        )  # fmt: skip


def _link(products: list[Product], chance: random.Random, concerns: list, values: list) -> None:
    """A variant with the product's own number, its attributes, concerns and searched words."""
    Variant.objects.bulk_create(
        Variant(
            pk=product.pk, product=product, sku=f"SKU-{product.pk}", selling_price=product.price_inr,
            actual_price=(product.price_inr * 100 / (100 - product.discount)).quantize(Decimal("0.01")),
            received=9 * product.in_stock, on_hand=9 * product.in_stock,
        )
        for product in products
    )  # fmt: skip
    concerning, valued = Product.health_concerns.through, Variant.attribute_values.through
    concerning.objects.bulk_create(
        concerning(product_id=product.pk, healthconcern_id=concern.pk)
        for product in products
        for concern in chance.sample(concerns, 2)
    )
    valued.objects.bulk_create(
        valued(variant_id=product.pk, attributevalue_id=chance.choice(of).pk) for product in products for of in values
    )


if __name__ == "__main__":
    fill(int(sys.argv[1]))
