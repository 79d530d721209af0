import re
from datetime import timedelta

import pytest
from django.utils import timezone

from shop.catalog.models import Category, HealthConcern, Product
from shop.catalog.services import refresh_products

from ..listing.services import Listing, ListingQuery


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
    assert names(Listing(india, ListingQuery(categories=(ayurveda,)))) == ["Chyawanprash"]


def test_what_is_barred_or_unpublished_is_not_listed(make_product, make_variant, india, usa):
    barred, draft = make_product("Barred"), make_product("Draft")
    for product in (barred, draft):
        make_variant(product=product)
    barred.barred_locations.add(1)
    Product.objects.filter(pk=draft.pk).update(is_published=False)
    assert names(Listing(india, ListingQuery())) == []
    assert names(Listing(usa, ListingQuery())) == ["Barred"]


def test_sold_out_products_come_last_in_every_order(make_product, make_variant, india):
    for name, price, units in (("Dear", "300", 5), ("Cheap and gone", "10", 0), ("Cheap", "20", 5)):
        make_variant(product=make_product(name), price=price, units=units)
    for sort, expected in (("price", ["Cheap", "Dear"]), ("-price", ["Dear", "Cheap"])):
        assert names(Listing(india, ListingQuery(sort=sort))) == [*expected, "Cheap and gone"]


def test_popular_newest_and_discount_sort_as_they_say(make_product, make_variant, india):
    now = timezone.now()
    for number, name in enumerate(("A", "B", "C")):
        product = make_product(name, popularity=number, published_at=now - timedelta(days=number))
        make_variant(product=product, price="80", actual=str(100 - number * 5))
    assert names(Listing(india, ListingQuery())) == ["C", "B", "A"]
    assert names(Listing(india, ListingQuery(sort="newest"))) == ["A", "B", "C"]
    assert names(Listing(india, ListingQuery(sort="discount"))) == ["A", "B", "C"]


def test_pages_show_all_up_to_them_and_a_fragment_its_own_twelve(make_product, make_variant, india):
    for number in range(30):
        make_variant(product=make_product(f"P{number:02}", popularity=100 - number))
    together, alone = Listing(india, ListingQuery(page=2)), Listing(india, ListingQuery(page=2), page_alone=True)
    assert (len(together.cards), together.shown, together.total, together.has_more) == (24, 24, 30, True)
    assert (names(alone)[0], len(alone.cards), alone.shown) == ("P12", 12, 24)
    last = Listing(india, ListingQuery(page=3))
    assert (last.shown, last.has_more) == (30, False)
    assert Listing(india, ListingQuery(page=9)).cards == []


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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        *[(short, {"Vitamin D3", "Vitamin B6", "Tea"}) for short in ("d3", "a b", "b6 d3", "!!!", "d-3", "  ", "का")],
        *[("vitamin d3", {"Vitamin D3"}), ("d3 vitamin", {"Vitamin D3"}), ("tea", {"Tea"}), ("zzz", set())],
    ],
)
def test_a_listing_ignores_short_words_alone_in_page_and_calls_alike(
    browser_client, make_product, make_variant, ayurveda, query, expected
):
    for name in ("Vitamin B6", "Vitamin D3", "Tea"):
        make_variant(product=make_product(name, category=ayurveda))
    page = browser_client.get("/en-in/products/ayurveda/", {"q": query}).context["listing"]
    brand = browser_client.get("/en-in/brand/vanamitra/", {"q": query}).context["listing"]
    assert set(names(page)) == set(names(brand)) == expected and page.total == len(expected)
    for path, body in (("/get-category-products/", {"category": "ayurveda"}), ("/get-brand-product/", {})):
        answer = browser_client.post(path, body | {"query": query}, content_type="application/json").json()
        cards = answer["products"] if isinstance(answer, dict) else answer
        assert [card["name"] for card in cards] == names(page), path


@pytest.fixture
def many(ayurveda, make_product, make_variant):
    """123 products: ten pages and three cards."""
    for number in range(123):
        make_variant(product=make_product(f"P{number:03}", category=ayurveda, popularity=1000 - number))


def cards_on(page):
    return re.findall(r"card__name\">(\w+)<", page.content.decode())


ON_SCREEN = [
    *[(1, "P000", 12, "12"), (2, "P000", 24, "24"), (8, "P000", 96, "96")],
    *[(9, "P096", 12, "97–108"), (10, "P108", 12, "109–120"), (11, "P120", 3, "121–123")],
]


def test_a_page_says_which_of_its_cards_are_on_screen(client, many):
    for number, first, cards, words in ON_SCREEN:
        page = client.get(f"/en-in/products/ayurveda/?page={number}")
        assert (cards_on(page)[0], len(cards_on(page))) == (first, cards)
        html = page.content.decode()
        assert f"Showing {words} out of 123<" in html
        assert ("Previous</a>" in html) == (number > 8)
        assert ("Load More</a>" in html) == (number < 11)


def test_load_more_appends_up_to_the_eighth_page_and_then_goes_on_to_the_next(client, many):
    """What is appended is on screen at the address of that page, too: so the way back finds it."""
    for number in range(1, 11):
        html = client.get(f"/en-in/products/ayurveda/?page={number}").content.decode()
        link = re.search(r'<a [^>]*id="load-more"[^>]*>', html)[0]
        address = f"/en-in/products/ayurveda/?page={number + 1}"
        assert ("hx-get" in link) == (number < 8), number
        place = f"#from-{number * 12}" if number < 8 else "#results"
        assert f'href="{address}{place}"' in link
        target = client.get(address).content.decode()
        assert f'id="{place[1:]}"' in target
    assert (
        'href="/en-in/products/ayurveda/?page=8#more"'
        in client.get("/en-in/products/ayurveda/?page=9").content.decode()
    )


def test_a_mark_stands_before_the_first_new_card(client, many):
    html = client.get("/en-in/products/ayurveda/?page=3").content.decode()
    before, after = html.split('<span class="cards__mark" id="from-24"></span>')
    assert (before.count("card__name"), after.count("card__name")) == (24, 12)
    assert "cards__mark" not in client.get("/en-in/products/ayurveda/").content.decode()


def test_past_the_end_is_the_last_page_with_filters_and_order(client, many):
    last = "/en-in/products/ayurveda/?price_min=50&sort=price&page=11"
    for number in (12, 13, 999, 9999, 10_000, 99_999):
        answer = client.get(f"/en-in/products/ayurveda/?sort=price&price_min=50&page={number}")
        assert (answer.status_code, answer["Location"]) == (302, last), number
    assert cards_on(client.get(last))
    nothing = client.get("/en-in/products/ayurveda/?price_min=90000&page=2")
    assert (nothing.status_code, nothing["Location"]) == (302, "/en-in/products/ayurveda/?price_min=90000")
    assert client.get("/en-in/search/nothingatall/?page=3")["Location"] == "/en-in/search/nothingatall/"


def test_the_next_cards_of_a_listing_that_shrank_are_none(client, many):
    headers = {"HX-Request": "true", "HX-Target": "div#more"}
    fragment = client.get("/en-in/products/ayurveda/?page=12", headers=headers)
    assert fragment.status_code == 200 and cards_on(fragment) == []
    assert "Showing 123 out of 123" in fragment.content.decode() and "Load More" not in fragment.content.decode()
