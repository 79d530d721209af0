import pytest

from shop.catalog.models import HealthConcern, Product
from shop.catalog.services import refresh_products
from shop.search.engines import matching_ids

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def ashwagandha(make_product, make_variant):
    product = make_product("Ashwagandha Capsules", highlight="<p>For calm &amp; rest</p>")
    make_variant(product=product, ingredients="Withania somnifera, Rice starch")
    return product


@pytest.fixture
def soap(make_product, make_variant):
    product = make_product("Neem Soap", highlight="Also holds a little ashwagandha.")
    make_variant(product=product)
    return product


def test_words_are_found_while_typing_and_in_ingredients_and_texts(ashwagandha, soap):
    assert matching_ids("ashwag") == [ashwagandha.pk, soap.pk]
    assert matching_ids("somnifera") == [ashwagandha.pk]
    assert matching_ids("calm rest") == [ashwagandha.pk]


def test_all_words_must_match(ashwagandha, soap):
    assert matching_ids("neem ashwagandha") == [soap.pk]
    assert matching_ids("neem withania") == []


def test_concerns_and_categories_are_words_too(ashwagandha):
    ashwagandha.health_concerns.add(HealthConcern.objects.create(name="Stress relief", slug="stress"))
    refresh_products([ashwagandha.pk])
    assert matching_ids("stress") == [ashwagandha.pk]
    assert matching_ids("ayurveda") == [ashwagandha.pk]


def test_what_is_withdrawn_is_not_found_any_more(ashwagandha):
    Product.objects.filter(pk=ashwagandha.pk).update(is_published=False)
    refresh_products([ashwagandha.pk])
    assert matching_ids("ashwagandha") == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "*",
        '"',
        "'",
        "AND",
        "a OR b",
        "NEAR(",
        "%",
        "_",
        "neem NOT ashwagandha",
        "\\",
        "名前",
        "x" * 5000,
        "a:b",
        "!&|",
    ],
)
def test_operators_and_wildcards_are_plain_text(ashwagandha, query):
    assert matching_ids(query) == []


def test_the_search_field_leads_to_the_results_and_keeps_capitals(client, ashwagandha):
    answer = client.get("/en-in/search/", {"q": "  Ashwagandha   Caps "})
    assert answer["Location"] == "/en-in/search/Ashwagandha%20Caps/"
    page = client.get(answer["Location"])
    assert [card.product for card in page.context["listing"].cards] == [ashwagandha]
    assert "noindex" in page.content.decode()


def test_the_search_call_shares_its_address_with_the_page(browser_client, ashwagandha):
    found = browser_client.post("/search/", {"query": "ashw", "deliver_to": 1}, content_type="application/json").json()
    assert [product["slug"] for product in found["products"]] == ["ashwagandha-capsules"]
    short = browser_client.post("/search/", {"query": "a"}, content_type="application/json").json()
    assert short == {"products": []}
    too_long = browser_client.post("/search/", {"query": "a" * 101}, content_type="application/json")
    assert too_long.status_code == 422
