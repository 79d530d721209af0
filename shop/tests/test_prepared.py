"""A prepared query answers what its query answers."""

import pytest
from django.db.models import Exists, F, OuterRef

from shop.catalog.models import Product, Variant
from shop.prepared import PreparedQuery

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def dear_ones(least, category):
    siblings = Variant.objects.filter(product_id=OuterRef("product_id")).exclude(pk=OuterRef("pk"))
    rows = Variant.objects.filter(selling_price__gte=1, on_hand__gte=least, product__category_id=category)
    return rows.annotate(product_name=F("product__name"), has_others=Exists(siblings)).order_by("pk")


def seen(rows):
    return [(row.pk, row.selling_price, row.product_name, bool(row.has_others)) for row in rows]


def test_it_answers_what_its_query_answers_also_with_other_arguments(make_variant, make_product):
    tea = make_product("Tea 100 %")
    for units in (3, 7):
        make_variant("120.50", product=tea, units=units)
    make_variant("80", units=9)
    find = PreparedQuery(dear_ones)
    for least in (0, 5, 8, -1):
        for category in Product.objects.values_list("category_id", flat=True).distinct():
            assert seen(find(least, category)) == seen(dear_ones(least, category))
    assert any(len(find(0, category)) > 1 for category in Product.objects.values_list("category_id", flat=True))


def test_it_is_written_once(make_variant):
    make_variant()
    asked = []
    find = PreparedQuery(lambda pk: asked.append(pk) or Variant.objects.filter(pk=pk))
    pk = Variant.objects.get().pk
    assert [row.pk for number in (pk, pk + 1, pk) for row in find(number)] == [pk, pk]
    assert len(asked) == 1


def test_a_number_that_no_key_can_be_finds_nothing(make_variant):
    assert PreparedQuery(lambda pk: Variant.objects.filter(pk=pk))(10**30) == []


def test_an_argument_that_decides_the_query_is_refused(make_variant):
    find = PreparedQuery(lambda pk, most: Variant.objects.filter(pk=pk)[: min(most, 5)])
    with pytest.raises(ValueError, match="1 arguments"):
        find(1, 2)
