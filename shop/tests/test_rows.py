"""Rows that are read page by page are the rows of the query, each once and in order; rows that are written together
get their own values."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import Count
from django.utils import timezone

from shop.catalog.models import Product, Variant
from shop.rows import each_row, pages_of, update_rows

pytestmark = [pytest.mark.django_db, pytest.mark.database]
BY_DAY = ("published_at", "pk")


@pytest.fixture
def products(make_variant):
    """Seven, of which those that were made later were published earlier, two at one moment each."""
    made = [make_variant().product for _ in range(7)]
    now = timezone.now()
    for number, product in enumerate(made):
        Product.objects.filter(pk=product.pk).update(published_at=now - timedelta(days=number // 2))
    return made


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("by", [("pk",), BY_DAY])
def test_every_row_comes_once_and_in_order(products, size, by):
    expected = list(Product.objects.order_by(*by))
    assert list(each_row(Product.objects.order_by("-name"), size, by=by)) == expected
    told = Product.objects.values_list(*by, "name")
    assert list(each_row(told, size, by=by)) == list(told.order_by(*by))
    assert max(map(len, pages_of(told, size, by=by))) <= size


def test_pages_have_what_goes_with_their_rows(products, django_assert_num_queries):
    rows = Product.objects.annotate(number=Count("variants")).select_related("brand").prefetch_related("variants")
    with django_assert_num_queries(2):
        found = list(each_row(rows, 8))
        assert [(row.number, row.brand.name, len(row.variants.all())) for row in found] == [(1, "Vanamitra", 1)] * 7


@pytest.mark.parametrize(("size", "queries"), [(8, 1), (7, 2), (3, 3)])
def test_fewer_rows_than_a_page_cost_one_query(products, django_assert_num_queries, size, queries):
    with django_assert_num_queries(queries):
        assert len(list(each_row(Product.objects.all(), size))) == 7


@pytest.mark.parametrize(
    ("rows", "by"),
    [
        (lambda: Product.objects.values_list("pk", flat=True), ("pk",)),
        (lambda: Product.objects.values_list("pk", "name", named=True).values("pk"), ("pk",)),
        (lambda: Product.objects.values("pk", "name"), ("pk",)),
        (lambda: Product.objects.values_list("name", "pk"), ("pk",)),
        (lambda: Product.objects.values_list("pk", "name"), BY_DAY),
        (lambda: Product.objects.values_list(), ("pk",)),
        (Product.objects.all, ("archived_at", "pk")),
    ],
)
def test_rows_that_have_no_place_are_refused_before_the_first_page(django_assert_num_queries, rows, by):
    with django_assert_num_queries(0), pytest.raises(TypeError):
        next(pages_of(rows(), by=by))


def test_what_goes_meanwhile_takes_no_other_row_along(products):
    """By numbers of rows, the place of a page would have moved."""
    rows = each_row(Variant.objects.all(), 2)
    seen = [next(rows).product, next(rows).product]
    Variant.objects.filter(product__in=seen).delete()
    assert [*seen, *(row.product for row in rows)] == products


def test_rows_are_written_each_with_its_own_values_and_nothing_else(products, django_assert_num_queries):
    one, other, third = products[:3]
    one.price_inr, one.translations, one.first_variant_id = Decimal("12.50"), {"hi": {"name": "साबुन"}}, None
    other.price_inr, other.translations = Decimal("0.01"), {}
    one.name = "Not to be written"
    third.price_inr = Decimal(7)
    names = ["price_inr", "translations", "first_variant_id"]
    with django_assert_num_queries(1):
        update_rows([one, other], names)
    fresh = Product.objects.in_bulk([row.pk for row in products[:3]])
    for row in (one, other):
        assert [getattr(fresh[row.pk], name) for name in names] == [getattr(row, name) for name in names]
    assert fresh[one.pk].name != one.name and fresh[third.pk].price_inr != third.price_inr
