"""The suggestion box: places, products with price and pack, how words were understood, popular searches."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.utils import timezone

from shop.catalog.models import Brand, Category, HealthConcern
from shop.catalog.services import refresh_products

from ..models import SearchCount
from ..text.matching import find_products

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def ask(browser_client):
    def ask(query, **market):
        return browser_client.post(
            "/search/", {"query": query, "deliver_to": 1, **market}, content_type="application/json"
        ).json()

    return ask


@pytest.fixture
def hair_oil(make_product, make_variant):
    """Bhringraj Hair Oil, 100 ml at ₹249, of Hairwell, in Ayurveda / Hair Care, for the concern Hair Fall."""
    ayurveda = Category.objects.create(name="Ayurveda", slug="ayurveda")
    hair = Category.objects.create(name="Hair Care", slug="hair-care", parent=ayurveda)
    Category.objects.create(name="Hair Colours", slug="hair-colours", parent=ayurveda)  # empty
    brand = Brand.objects.create(name="Hairwell", slug="hairwell")
    product = make_product("Bhringraj Hair Oil", category=hair, brand=brand)
    product.health_concerns.add(HealthConcern.objects.create(name="Hair Fall", slug="hair-care"))
    make_variant(price="249", product=product, net_quantity=Decimal(100), net_unit="ml")
    refresh_products([product.pk])
    return product


def test_concerns_categories_and_brands_come_with_the_products(ask, hair_oil):
    found = ask("hair")
    assert [(place["kind"], place["name"], place["path"]) for place in found["places"]] == [
        ("concern", "Hair Fall", "/health-concerns/hair-care/"),
        ("category", "Hair Care", "/products/ayurveda/hair-care/"),
        ("brand", "Hairwell", "/brand/hairwell/"),
    ]
    [product] = found["products"]
    assert (product["name"], product["price"], product["pack"], product["in_stock"]) == (
        "Bhringraj Hair Oil", "₹249", "100 ml", True,
    )  # fmt: skip
    assert [place["name"] for place in ask("ayurveda hair")["places"]] == []


def test_a_name_that_begins_so_comes_before_a_text_that_has_the_letters_as_a_word(ask, make_product, make_variant):
    """While somebody types; the page of results has whole words first."""
    gourd, capsules = make_product("Kushmanda Lehyam", highlight="Of ash gourd."), make_product("Ashwagandha Capsules")
    for product in (gourd, capsules):
        make_variant(product=product)
    assert [product["name"] for product in ask("ash")["products"]] == [capsules.name, gourd.name]
    assert find_products("ash").ids == [gourd.pk, capsules.pk]


def test_an_address_of_a_place_leads_there(ask, hair_oil, client):
    for place in ask("hair")["places"]:
        assert client.get(f"/en-in{place['path']}").status_code == 200, place


def test_a_place_without_products_for_this_market_is_not_suggested(ask, hair_oil):
    hair_oil.barred_locations.add(2)
    refresh_products([hair_oil.pk])
    assert (len(ask("hair")["places"]), ask("hair", deliver_to=2)["places"]) == (3, [])


def test_a_need_suggests_its_concern_and_says_so(ask, hair_oil):
    found = ask("baal girna")
    assert found["note"] == "Picked for “Hair fall”"
    assert [place["name"] for place in found["places"]] == ["Hair Fall"]


def test_a_correction_is_named_and_a_medicine_never_answered_by_another(ask, hair_oil, make_product, make_variant):
    assert ask("bhringrja")["note"] == "Showing results for “bhringraj”"
    make_variant(product=make_product("Amlodipine 5 mg Tablet"), ingredients="Amlodipine")
    found = ask("felodipine")
    assert (found["products"], found["places"]) == ([], [])
    assert found["note"].startswith("We don't have felodipine")


@pytest.fixture
def popular(browser_client):
    def popular(deliver_to=1):
        cache.clear()
        return browser_client.get("/api/searches/popular/", {"deliver_to": deliver_to}).json()["searches"]

    return popular


def test_popular_is_what_many_in_this_country_searched_for_lately_and_found(popular, hair_oil, usa):
    today = timezone.localdate()
    for words, country, searches, days in (
        ("hair oil", "IN", 9, 1),
        ("bhringraj", "IN", 20, 2),
        ("bhringraj oil", "IN", 4, 1),  # too few to be everybody's business
        ("hair", "US", 30, 1),
        ("hairwell", "IN", 50, 31),  # long ago
        ("bhringrja", "IN", 50, 1),  # misspelt
        ("asha rao", "IN", 50, 1),  # finds nothing
    ):
        day = today - timedelta(days=days)
        SearchCount.objects.create(day=day, words=words, country=country, searches=searches, results=1)
    assert popular() == ["bhringraj", "hair oil"]
    assert popular(deliver_to=usa.location_id) == ["hair"]
