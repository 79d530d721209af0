import re

import pytest

from shop.catalog.models import HealthConcern, Product
from shop.catalog.services import refresh_products

from ..text.matching import find_products
from ..text.query import split_prices

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
    assert find_products("ashwag").ids == [ashwagandha.pk, soap.pk]
    assert find_products("somnifera").ids == [ashwagandha.pk]
    assert find_products("calm rest").ids == [ashwagandha.pk]


@pytest.mark.parametrize("typed", ["immu", "immun", "immuni", "immunit", "immunity", "daily immuni"])
def test_every_beginning_of_a_word_finds_it_though_only_its_stem_is_kept(make_product, make_variant, soap, typed):
    product = make_product("Daily Immunity Tonic")
    make_variant(product=product)
    assert find_products(typed).ids == [product.pk]


def test_words_that_nothing_has_are_left_out_and_named(ashwagandha, soap):
    for query, product, left_out in (
        ("ashwagandha capsules unicorn", ashwagandha, ("unicorn",)),
        ("neem soap ashwagandha", soap, ()),
        ("ashwagandha dragon unicorn", ashwagandha, ("dragon", "unicorn")),
        ("dragon neem soap", soap, ("dragon",)),
    ):
        found = find_products(query)
        assert (found.ids[0], found.left_out) == (product.pk, left_out), query
    assert find_products("dragon unicorn").ids == []


def test_words_as_they_were_typed_stand_before_their_other_forms(make_product, make_variant):
    other, typed = (
        make_product("Relaxed Feet Shoe Cream"),
        make_product("Long Cream for Shoes of Many Colours and Kinds"),
    )
    for product in (other, typed):
        make_variant(product=product)
    assert find_products("shoes").ids == [typed.pk, other.pk]
    assert find_products("shoe").ids == [other.pk, typed.pk]


def test_what_holds_all_words_comes_first_and_what_holds_fewer_is_below_it(ashwagandha, soap):
    found = find_products("neem soap calm")
    assert (found.ids, found.left_out) == ([soap.pk], ("calm",))
    found = find_products("neem ashwagandha")
    assert (found.ids, found.close, found.left_out) == ([soap.pk, ashwagandha.pk], 1, ())


def test_words_of_indian_scripts_are_whole(make_product, make_variant, soap):
    turmeric, other = make_product("Root हल्दी"), make_product("Leaf हद")
    for product in (turmeric, other):
        make_variant(product=product)
    assert find_products("हल्दी").ids == [turmeric.pk]
    assert find_products("हल्").ids == [turmeric.pk]
    assert find_products("ह\u200dल्दी").ids == [turmeric.pk]


def test_plurals_and_accents_make_no_difference(make_product, make_variant):
    product = make_product("Rosé Cream Capsule")
    make_variant(product=product)
    for query in ("capsules", "creams rose", "capsule", "ROSÉ"):
        assert find_products(query).ids == [product.pk]


def test_small_words_do_not_stand_in_the_way(ashwagandha):
    assert find_products("capsules for the calm").ids == [ashwagandha.pk]


def test_a_whole_word_stands_before_a_beginning_and_a_name_before_a_text(make_product, make_variant):
    ginger = make_product("Ginger Ginger Tea")
    gin = make_product("Very Old Gin Bitters of a Long Name with Many Words")
    mention = make_product("Soap", highlight="gin gin gin gin gin gin")
    for product in (ginger, gin, mention):
        make_variant(product=product)
    assert find_products("gin").ids == [gin.pk, mention.pk, ginger.pk]


def test_a_name_that_holds_the_words_together_comes_first(make_product, make_variant):
    apart = make_product("Oil of Neem and Hair Mask Neem")
    exact = make_product("Everyday Calm Neem Hair Oil for All")
    for product in (apart, exact):
        make_variant(product=product)
    assert find_products("neem hair oil").ids == [exact.pk, apart.pk]


def test_one_letter_is_a_beginning_only_while_nothing_holds_it_whole(make_product, make_variant):
    c, calcium = make_product("Vitamin C"), make_product("Vitamin Calcium")
    for product in (c, calcium):
        make_variant(product=product)
    assert find_products("vitamin c").ids == [c.pk]
    found = find_products("vitamin ca")
    assert found.ids[: found.close] == [calcium.pk]


def test_of_equal_matches_the_sold_out_ones_come_last_and_the_best_sellers_first(client, make_product, make_variant):
    gone, slow, quick, mention = (
        make_product(name)
        for name in ("Neem Oil A", "Neem Oil B", "Neem Oil C", "Balm with oil of neem and other leaves")
    )
    make_variant(product=gone, units=0)
    for product, sales in ((slow, 1), (quick, 9), (mention, 99)):
        make_variant(product=product)
        Product.objects.filter(pk=product.pk).update(popularity=sales)
    Product.objects.filter(pk=gone.pk).update(popularity=50)
    refresh_products([gone.pk, slow.pk, quick.pk, mention.pk])
    page = client.get("/en-in/search/neem%20oil/")
    assert [card.product for card in page.context["listing"].cards] == [quick, slow, gone, mention]


def test_concerns_and_categories_are_words_too(ashwagandha):
    ashwagandha.health_concerns.add(HealthConcern.objects.create(name="Stress relief", slug="stress"))
    refresh_products([ashwagandha.pk])
    assert find_products("stress").ids == [ashwagandha.pk]
    assert find_products("ayurveda").ids == [ashwagandha.pk]


def test_what_is_withdrawn_is_not_found_any_more(ashwagandha):
    Product.objects.filter(pk=ashwagandha.pk).update(is_published=False)
    refresh_products([ashwagandha.pk])
    assert find_products("ashwagandha").ids == []


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
        "\\",
        "名前",
        "x" * 5000,
        "a:b",
        "!&|",
        "z " * 50,
        "'':*",
        "\u0940\u094d",
    ],
)
def test_operators_and_wildcards_are_plain_text(ashwagandha, query):
    assert find_products(query).ids == []


def test_an_operator_between_words_is_a_word(ashwagandha, soap):
    assert find_products("neem NOT ashwagandha").ids == find_products("neem ashwagandha").ids


def test_the_search_field_leads_to_the_results_and_keeps_capitals(client, ashwagandha):
    answer = client.get("/en-in/search/", {"q": "  Ashwagandha   Caps "})
    assert answer["Location"] == "/en-in/search/Ashwagandha%20Caps/"
    page = client.get(answer["Location"])
    assert [card.product for card in page.context["listing"].cards] == [ashwagandha]
    assert "noindex" in page.content.decode()


def test_a_price_in_words_is_a_filter_that_can_be_taken_off(client, browser_client, make_product, make_variant):
    cheap = make_variant("300", product=make_product("Wild Honey")).product
    dear = make_variant("900", product=make_product("Royal Honey")).product
    answer = client.get("/en-in/search/honey%20under%20500/?sort=price")
    assert answer["Location"] == "/en-in/search/honey/?sort=price&price_max=500"
    page = client.get(answer["Location"])
    assert [card.product for card in page.context["listing"].cards] == [cheap]
    assert [chip.label for chip in page.context["selected"]] == ["up to ₹500"]
    assert len(client.get(page.context["selected"][0].url).context["listing"].cards) == 2
    for query, slugs in (("honey under 500", [cheap.slug]), ("honey above ₹500", [dear.slug])):
        body = {"query": query, "deliver_to": 1}
        found = browser_client.post("/search/", body, content_type="application/json").json()
        assert [product["slug"] for product in found["products"]] == slugs


def test_the_search_call_shares_its_address_with_the_page(browser_client, ashwagandha):
    found = browser_client.post("/search/", {"query": "ashw", "deliver_to": 1}, content_type="application/json").json()
    assert [product["slug"] for product in found["products"]] == ["ashwagandha-capsules"]
    short = browser_client.post("/search/", {"query": "a"}, content_type="application/json").json()
    assert short == {"note": "", "places": [], "products": []}
    too_long = browser_client.post("/search/", {"query": "a" * 101}, content_type="application/json")
    assert too_long.status_code == 422


def test_what_was_found_is_remembered_until_a_product_changes(soap, make_product, make_variant):
    assert find_products("neem").ids == [soap.pk]
    oil = make_variant(product=make_product("Neem Oil")).product
    assert set(find_products("neem").ids) == {soap.pk, oil.pk}
    oil.is_published = False
    oil.save()
    refresh_products([oil.pk])
    assert find_products("neem").ids == [soap.pk]


@pytest.mark.parametrize(
    "others",
    [("Face Wash - Lemon Honey",), ("Lip Care, Honey",), ("Day Lotion (Almond and Honey)",), ("Soap with Honey",)],
)
def test_the_thing_itself_comes_before_what_it_is_in(shelf, others):
    """What a name says after a dash, a comma or in brackets is no thing, and neither is a unit."""
    *others, honey = shelf(*others, "Coorg Forest Honey 500 gm")
    assert find_products("honey").ids == [honey, *others]


def test_what_most_of_them_are_comes_before_what_is_made_for_them(shelf):
    sleeve, *computers = shelf("Slim Notebook Sleeve", *(f"Swift {size} Notebook Computer" for size in range(11, 15)))
    assert find_products("notebook").ids == [*computers, sleeve]


def test_words_on_both_sides_of_a_dash_are_those_of_one_name(shelf):
    (soap,) = shelf("Bathing Soap - Neem")
    assert find_products("neem soap").ids == find_products("soap neem").ids == [soap]


def test_of_words_that_were_only_guessed_none_stands_alone(shelf):
    """ "skipping rope" is no "cope tablet"."""
    shelf("Cope Tablet", "Sleeping Bag")
    assert find_products("skipping rope").ids == []


@pytest.mark.parametrize(
    "words",
    ["honey under 1,000", "honey below ₹1,500", "honey under 1,00,000", "honey between 200 and 1,000",
     "honey for kids under 5", "honey for kids over 5", "honey for babies from 0 to 12 months"],
)  # fmt: skip
def test_amounts_with_commas_are_prices_and_ages_are_not(client, make_product, make_variant, words):
    make_variant("250", product=make_product("Honey for kids"))
    page = client.get(f"/en-in/search/{words}/", follow=True)
    assert re.findall(r'<span class="card__name">([^<]+)</span>', page.text) == ["Honey for kids"]


@pytest.mark.parametrize(
    ("words", "most"),
    [("soap for kids under ₹50", 50), ("soap for kids under 500", 500), ("soap under 5", 5), ("soap 5", None)],
)
def test_small_amounts_of_money_stay_prices(words, most):
    assert split_prices(words).max == most
