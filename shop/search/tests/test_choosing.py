"""What helps to choose on a category's page: tiles of its subcategories, and a few sentences below the products."""

import re

import pytest

from shop.catalog.models import Category

pytestmark = pytest.mark.django_db


@pytest.fixture
def shelf(make_product, make_variant):
    top = Category.objects.create(name="Ayurveda", slug="ayurveda", how_to_choose="Begin with one herb.")
    for position, name in enumerate(("Tonics", "Oils", "Balms")):
        row = Category.objects.create(name=name, slug=name.lower(), parent=top, position=3 - position)
        make_variant(price="100", product=make_product(f"{name} 1", category=row))
    Category.objects.filter(slug="balms").update(is_hidden=True)
    return top


def tiles(page):
    listed = re.search(r'<ul class="tiles">(.*?)</ul>', page, re.DOTALL)
    return re.findall(r'href="([^"]+)"', listed[1]) if listed else []


def test_subcategories_are_tiles_in_their_order_without_hidden_ones(client, shelf):
    page = client.get("/en-in/products/ayurveda/").text
    assert tiles(page) == ["/en-in/products/ayurveda/oils/", "/en-in/products/ayurveda/tonics/"]
    assert tiles(client.get("/en-in/products/ayurveda/oils/").text) == []


def test_how_to_choose_stands_below_the_products(client, shelf):
    page = client.get("/en-in/products/ayurveda/").text
    assert page.index('id="grid"') < page.index("How to choose") < page.index("Begin with one herb.")
    assert "How to choose" not in client.get("/en-in/products/ayurveda/oils/").text


def test_tiles_take_no_query(client, shelf, django_assert_num_queries, django_assert_max_num_queries):
    client.get("/en-in/products/ayurveda/")
    with django_assert_max_num_queries(20) as few:
        client.get("/en-in/products/ayurveda/?sort=newest")
    for number in range(5):
        Category.objects.create(name=f"More {number}", slug=f"more-{number}", parent=shelf)
    client.get("/en-in/products/ayurveda/")
    with django_assert_num_queries(len(few)):
        client.get("/en-in/products/ayurveda/?sort=price_asc")
