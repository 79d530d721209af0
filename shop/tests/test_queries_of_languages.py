"""A language costs no query: home, listing, search and product take as many in Hindi and Arabic as in English."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from shop.catalog.models import Category
from shop.catalog.services import refresh_products
from shop.content.models import HomeRow
from shop.invalidation import subscriptions

pytestmark = pytest.mark.django_db
PAIRS = [("en-in", "hi-in"), ("en-ae", "ar-ae")]


@pytest.fixture
def shelf(settings, make_product, make_variant):
    """Products with names in Hindi, in none of them in Arabic, and a home page with rows."""
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    category = Category.objects.create(name="Tonics", slug="tonics", translations={"hi": {"name": "टॉनिक"}})
    for number in range(8):
        texts = {"hi": {"name": f"शहद {number}"}}
        product = make_product(f"Honey {number}", category=category, translations=texts, is_pinned=number < 3)
        make_variant(price="250", units=9, product=product)
        refresh_products([product.pk])
    HomeRow.objects.bulk_create(
        HomeRow(kind=kind, title=kind.label, position=at) for at, kind in enumerate(HomeRow.Kind)
    )


def statements_of(client, path):
    """What a page asks the database, its values left out, where nothing of it is kept."""
    client.get(path)
    subscriptions.reset()
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    assert answer.status_code == 200, path
    return [query["sql"].split(" WHERE ")[0] for query in asked]


@pytest.mark.parametrize("page", ["", "products/tonics/", "product/honey-1/", "search/honey/"])
@pytest.mark.parametrize(("english", "other"), PAIRS)
def test_no_language_costs_a_query(client, shelf, page, english, other):
    asked = statements_of(client, f"/{english}/{page}")
    assert asked and statements_of(client, f"/{other}/{page}") == asked
