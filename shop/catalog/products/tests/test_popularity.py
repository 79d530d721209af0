from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from shop.invalidation.models import Change

from ...models import Product, StockMovement
from ...stock import services as stock
from ..popularity import count_popularity


def sell(variant, quantity, *, days_ago=0):
    with transaction.atomic():
        stock.hold({variant.pk: quantity}, reference="ORD-1")
        stock.sell({variant.pk: quantity}, reference="ORD-1")
    StockMovement.objects.filter(variant=variant).update(at=timezone.now() - timedelta(days=days_ago))


def popularity():
    return dict(Product.objects.values_list("name", "popularity"))


@pytest.fixture
def names(make_product, make_variant):
    """One variant each, but for A, which has two."""
    variants = {name: make_variant(product=make_product(name), units=20) for name in "ABC"}
    return variants | {"A2": make_variant(product=variants["A"].product, units=20)}


def test_what_sold_in_ninety_days_counts_over_all_variants(names):
    sell(names["A"], 3)
    sell(names["A2"], 2, days_ago=89)
    sell(names["B"], 4, days_ago=91)
    count_popularity()
    assert popularity() == {"A": 5, "B": 0, "C": 0}


def test_what_came_back_and_what_is_only_held_does_not_count(names):
    sell(names["A"], 5)
    stock.take_back({names["A"].pk: 2}, reference="ORD-1")
    stock.hold({names["B"].pk: 4}, reference="ORD-2")
    count_popularity()
    assert popularity() == {"A": 3, "B": 0, "C": 0}


def test_more_back_than_sold_in_the_time_is_none(names):
    sell(names["B"], 4, days_ago=91)
    stock.take_back({names["B"].pk: 4}, reference="ORD-1")
    count_popularity()
    assert popularity()["B"] == 0


def test_only_products_whose_number_changed_are_announced_and_twice_is_the_same(names):
    Product.objects.filter(name="C").update(popularity=9)
    sell(names["A"], 1)
    before = Change.objects.count()
    count_popularity()
    news = Change.objects.order_by("pk")[before:]
    assert [(change.kind, change.ids) for change in news] == [
        ("product", sorted([names["A"].product_id, names["C"].product_id]))
    ]
    count_popularity()
    assert Change.objects.count() == before + 1
    assert popularity() == {"A": 1, "B": 0, "C": 0}


def test_it_takes_the_same_queries_for_one_product_and_for_three(names, django_assert_num_queries):
    sell(names["A"], 1)
    with django_assert_num_queries(6):
        count_popularity()
    for name in "ABC":
        sell(names[name], 2)
    with django_assert_num_queries(6):
        count_popularity()
