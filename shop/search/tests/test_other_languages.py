"""Search and suggestions over translated names; the English ranking stays as it is."""

import json

import pytest

from shop.catalog.models import Brand, HealthConcern
from shop.catalog.services import refresh_products
from shop.invalidation.services import invalidate
from shop.text import sort_key

from ..text.reading import read_entries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


@pytest.fixture
def goods(make_product, make_variant):
    skin = HealthConcern.objects.create(name="Skin care", slug="skin", translations={"hi": {"name": "त्वचा की देखभाल"}})
    soap = make_product("Lather Bar", translations={"hi": {"name": "झागदार बट्टी"}, "ar": {"name": "صابونة الرغوة"}})
    soap.category.translations = {"hi": {"name": "आयुर्वेद"}}
    soap.category.save()
    soap.brand.translations = {"hi": {"name": "वनमित्र"}}
    soap.brand.save()
    soap.health_concerns.add(skin)
    make_variant(product=soap)
    other = make_product("Face Mist", brand=Brand.objects.create(name="Kesar", slug="kesar"))
    make_variant(product=other)
    refresh_products([soap.pk, other.pk])
    invalidate("shop")
    return soap


@pytest.mark.parametrize("words", ["झागदार", "झागदार बट्टी", "صابونة", "वनमित्र झागदार"])
@pytest.mark.parametrize("prefix", ["/hi-in/", "/en-in/", "/ar-ae/"])
def test_every_language_is_found_from_every_language(client, goods, words, prefix):
    page = client.get(f"{prefix}search/{words}/").content.decode()
    assert 'href="/' in page and f"{prefix}product/lather-bar/" in page and "face-mist" not in page


def test_concerns_are_found_by_their_translated_names(client, goods):
    assert "lather-bar" in client.get("/hi-in/search/त्वचा/").content.decode()


def answered(client, query, language):
    body = {"query": query, "deliver_to": 1, "currency": "INR", "language": language}
    return client.post("/search/", json.dumps(body), "application/json").json()


def suggested(client, query, language):
    answer = answered(client, query, language)
    return [place["name"] for place in answer["places"]], [product["name"] for product in answer["products"]]


def test_suggestions_are_typed_in_any_language_and_shown_in_that_of_the_page(client, goods):
    assert suggested(client, "झाग", "hi")[1] == ["झागदार बट्टी"]
    assert suggested(client, "lather", "hi")[1] == ["झागदार बट्टी"]
    assert suggested(client, "झाग", "en")[1] == ["Lather Bar"]
    assert suggested(client, "त्वचा", "hi")[0] == ["त्वचा की देखभाल"]
    assert suggested(client, "त्वचा", "en")[0] == ["Skin care"] and suggested(client, "skin", "hi")[0] == [
        "त्वचा की देखभाल"
    ]
    assert suggested(client, "वनमि", "hi")[0] == ["वनमित्र"] and suggested(client, "वनमि", "ar")[0] == ["Vanamitra"]


@pytest.mark.parametrize(("language", "marks"), [("en", ["", ""]), ("hi", ["", "en"]), ("ar", ["en", "en"])])
def test_a_suggestion_says_where_its_name_is_still_in_english(client, goods, language, marks):
    place, product = (
        answered(client, "vanamitra", language)["places"][0],
        answered(client, "mist", language)["products"],
    )
    assert [place["lang"], product[0]["lang"]] == marks


def test_translations_leave_the_words_of_the_english_name_as_they_were(goods):
    _, fields = next(iter(read_entries([goods.pk])))
    assert fields["name"] == "lather bar" and fields["tags"] == "skin care ayurveda" and fields["title"] == ""
    assert "झागदार बट्टी" in fields["codes"] and "صابونة الرغوة" in fields["codes"]


def test_names_are_sorted_by_the_letters_of_their_language():
    assert sorted(["ज़ीरा", "गिलोय", "अश्वगंधा", "जामुन"], key=sort_key) == ["अश्वगंधा", "गिलोय", "जामुन", "ज़ीरा"]
    assert sorted(["بابونج", "أملج", "آس", "ابهل"], key=sort_key) == ["ابهل", "آس", "أملج", "بابونج"]
    assert sorted(["Éclat", "eau", "Zinc", "apple"], key=sort_key) == ["apple", "eau", "Éclat", "Zinc"]
