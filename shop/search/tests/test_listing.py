import re
from datetime import timedelta

import pytest
from django.utils import timezone

from shop.catalog.models import Category, HealthConcern, Product
from shop.catalog.services import refresh_products
from shop.search.listing import Asked, Listing


@pytest.fixture
def ayurveda(db):
    return Category.objects.create(name="Ayurveda", slug="ayurveda")


@pytest.fixture
def tonics(ayurveda):
    return Category.objects.create(name="Tonics", slug="tonics", parent=ayurveda)


def names(listing):
    return [card.product.name for card in listing.cards]


def test_a_category_lists_what_stands_below_it_and_nothing_else(make_product, make_variant, tonics, ayurveda, india):
    other = Category.objects.create(name="Ayurveda books", slug="ayurveda-books")
    make_variant(product=make_product("Chyawanprash", category=tonics))
    make_variant(product=make_product("Book", category=other))
    assert names(Listing(india, Asked(categories=(ayurveda,)))) == ["Chyawanprash"]


def test_what_is_barred_or_unpublished_is_not_listed(make_product, make_variant, india, usa):
    barred, draft = make_product("Barred"), make_product("Draft")
    for product in (barred, draft):
        make_variant(product=product)
    barred.barred_locations.add(1)
    Product.objects.filter(pk=draft.pk).update(is_published=False)
    assert names(Listing(india, Asked())) == []
    assert names(Listing(usa, Asked())) == ["Barred"]


def test_sold_out_products_come_last_in_every_order(make_product, make_variant, india):
    for name, price, units in (("Dear", "300", 5), ("Cheap and gone", "10", 0), ("Cheap", "20", 5)):
        make_variant(product=make_product(name), price=price, units=units)
    for sort, expected in (("price", ["Cheap", "Dear"]), ("-price", ["Dear", "Cheap"])):
        assert names(Listing(india, Asked(sort=sort))) == [*expected, "Cheap and gone"]


def test_popular_newest_and_discount_sort_as_they_say(make_product, make_variant, india):
    now = timezone.now()
    for number, name in enumerate(("A", "B", "C")):
        product = make_product(name, popularity=number, published_at=now - timedelta(days=number))
        make_variant(product=product, price="80", actual=str(100 - number * 5))
    assert names(Listing(india, Asked())) == ["C", "B", "A"]
    assert names(Listing(india, Asked(sort="newest"))) == ["A", "B", "C"]
    assert names(Listing(india, Asked(sort="discount"))) == ["A", "B", "C"]


def test_pages_show_all_up_to_them_and_a_fragment_its_own_twelve(make_product, make_variant, india):
    for number in range(30):
        make_variant(product=make_product(f"P{number:02}", popularity=100 - number))
    together, alone = Listing(india, Asked(page=2)), Listing(india, Asked(page=2), page_alone=True)
    assert (len(together.cards), together.shown, together.total, together.has_more) == (24, 24, 30, True)
    assert (names(alone)[0], len(alone.cards), alone.shown) == ("P12", 12, 24)
    last = Listing(india, Asked(page=3))
    assert (last.shown, last.has_more) == (30, False)
    assert Listing(india, Asked(page=9)).cards == []


def test_a_listing_takes_the_same_queries_with_one_product_and_with_many(
    client, make_product, make_variant, ayurveda, django_assert_max_num_queries
):
    make_variant(product=make_product("First", category=ayurveda))
    client.get("/en-in/products/ayurveda/")
    with django_assert_max_num_queries(10) as few:
        client.get("/en-in/products/ayurveda/?sort=price")
    for number in range(12):
        make_variant(product=make_product(f"P{number}", category=ayurveda))
    client.get("/en-in/products/ayurveda/")
    with django_assert_max_num_queries(10) as many:
        client.get("/en-in/products/ayurveda/?sort=price")
    assert len(few) == len(many)


def test_a_last_part_that_is_no_category_is_a_concern_in_it(client, make_product, make_variant, ayurveda):
    concern = HealthConcern.objects.create(name="Immunity", slug="immunity")
    for name in ("With", "Without"):
        make_variant(product=make_product(name, category=ayurveda))
    Product.objects.get(name="With").health_concerns.add(concern)
    page = client.get("/en-in/products/ayurveda/immunity/")
    assert names(page.context["listing"]) == ["With"]
    assert client.get("/en-in/products/ayurveda/nonsense/").status_code == 404


def test_load_more_is_a_link_and_its_fragment_goes_on_where_the_page_ended(
    client, make_product, make_variant, ayurveda
):
    for number in range(14):
        make_variant(product=make_product(f"P{number:02}", category=ayurveda, popularity=100 - number))
    page = client.get("/en-in/products/ayurveda/?sort=newest&q=")
    assert page.context["next_url"] == "/en-in/products/ayurveda/?sort=newest&page=2"
    assert "Showing 12 out of 14" in page.content.decode()
    headers = {"HX-Request": "true", "HX-Target": "div#more"}
    fragment = client.get(page.context["next_url"], headers=headers).content.decode()
    assert re.findall(r"card__name\">(\w+)<", fragment) == ["P01", "P00"]
    assert "Showing 14 out of 14" in fragment
    assert not {"<html", 'id="listing"', 'id="filters"'} & set(re.findall(r'<html|id="\w+"', fragment))


@pytest.mark.parametrize("number", ["0", "-1", "x", "10000000000000000000", "１", "\x00"])
def test_nonsense_in_the_address_is_the_first_page(client, make_variant, number):
    make_variant()
    answer = client.get("/en-in/products/ayurveda/", {"page": number})
    assert answer.status_code == 200
    assert len(answer.context["listing"].cards) == 1


def test_the_listing_call_answers_page_and_total_and_an_empty_list_past_the_end(
    browser_client, make_product, make_variant, tonics
):
    for number in range(13):
        make_variant(product=make_product(f"P{number}", category=tonics), price="885")
    ask = {"category": "ayurveda", "sub-category": ["tonics"], "deliver_to": 22, "currency": "USD", "page": 2}
    answer = browser_client.post("/get-category-products/", ask, content_type="application/json").json()
    assert (len(answer["products"]), answer["total_products"]) == (1, 13)
    price = answer["products"][0]["first_variant"]["price"]
    assert price == {"selling_price": "10.00", "actual_price": "10.00", "discount": 0}
    past = browser_client.post("/get-category-products/", ask | {"page": 9}, content_type="application/json").json()
    assert (past["products"], past["total_products"]) == ([], 13)
    unknown = browser_client.post("/get-category-products/", {"category": "x"}, content_type="application/json").json()
    assert unknown == {"products": [], "total_products": 0, "facets": [], "price": None}


def test_refreshing_counts_products_and_not_queries(make_product, make_variant, django_assert_max_num_queries):
    ids = [make_variant(product=make_product(f"P{number}")).product_id for number in range(10)]
    with django_assert_max_num_queries(14):
        refresh_products(ids)
