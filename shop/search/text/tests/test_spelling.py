"""Typing errors: the nearest word that finds something is meant, and the page says so."""

import pytest

from .. import matching
from ..index import WordIndex
from ..matching import find_products
from ..reading import entry_of

pytestmark = [pytest.mark.database, pytest.mark.django_db]
CATALOGUE = [
    "Ashwagandha Capsules", "Paracetamol Tablets", "Neem Soap", "Ashwagandha Oil", "हल्दी powder", "Neem Face Wash",
    "Aloe Vera Gel", "Chyawanprash Classic", "Tulsi Capsules", "Shampoo of Reetha", "Whey Isolate", "Calm Tablets",
]  # fmt: skip


@pytest.fixture
def shelf(monkeypatch):
    """A small catalogue; returns the names of what a query finds."""
    index = WordIndex.of(entry_of(number, name=name) for number, name in enumerate(CATALOGUE))
    monkeypatch.setattr(matching, "current_words", lambda: index)
    return lambda query: [CATALOGUE[number] for number in find_products(query).ids]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ashwaganda oil", "ashwagandha oil"), ("ashwgandah oil", "ashwagandha oil"), ("paracetanol", "paracetamol"),
        ("neam soap", "neem soap"), ("soap", ""), ("हल्दि", "हल्दी"), ("nxxm soap", ""),
    ],
)  # fmt: skip
def test_the_nearest_word_is_meant(shelf, typed, meant):
    assert find_products(typed).meant == meant


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("aloevera", "Aloe Vera Gel"), ("facewash", "Neem Face Wash"), ("tulsicapsules", "Tulsi Capsules"),
        ("chyawan prash", "Chyawanprash Classic"), ("chavanprash", "Chyawanprash Classic"),
        ("ash wagandha oil", "Ashwagandha Oil"), ("neemfacewash", "Neem Face Wash"),
    ],
)  # fmt: skip
def test_one_word_may_be_two_and_two_one(shelf, typed, first):
    assert shelf(typed)[0] == first


@pytest.mark.parametrize(
    ("typed", "first"),
    [("ashwgaan", "Ashwagandha Capsules"), ("chaywan", "Chyawanprash Classic"), ("shampo", "Shampoo")],
)
def test_an_error_in_an_unfinished_word_is_forgiven(shelf, typed, first):
    assert shelf(typed)[0].startswith(first.split()[0])


def test_a_word_that_few_have_does_not_hide_what_many_have(monkeypatch):
    names = ["Neem Tabelt", *(f"Amla Tablet {number}" for number in range(60))]
    index = WordIndex.of(entry_of(number, name=name) for number, name in enumerate(names))
    monkeypatch.setattr(matching, "current_words", lambda: index)
    found = find_products("tabelt")
    assert (found.ids[0], found.close) == (0, 1)
    assert len(found.ids) == 61


def test_a_typing_error_finds_what_was_meant_and_the_page_says_so(client, make_product, make_variant):
    product = make_product("Ashwagandha Serum")
    make_variant(product=product)
    found = find_products("ashwaganda seruum")
    assert (found.ids, found.meant) == ([product.pk], "ashwagandha serum")
    page = client.get("/en-in/search/ashwaganda/")
    assert [card.product for card in page.context["listing"].cards] == [product]
    assert '<a href="/en-in/search/ashwagandha/">ashwagandha</a>' in page.content.decode()


def test_nothing_is_guessed_while_what_was_typed_is_found(make_product, make_variant):
    exact, near = make_product("Neam Paste"), make_product("Neem Paste")
    for product in (exact, near):
        make_variant(product=product)
    found = find_products("neam paste")
    assert (found.ids[: found.close], found.meant) == ([exact.pk], "")


def test_a_search_without_results_tells_what_to_try_and_leads_to_categories(client, make_product, make_variant):
    make_variant(product=make_product("Neem Soap"))
    page = client.get("/en-in/search/qqq%20qqq/").content.decode()
    assert "Product not found" in page
    assert '<a href="/en-in/contactus/?looked_for=qqq%20qqq">Ask us about “qqq qqq”</a>' in page
    assert "I searched for “qqq qqq”. Do you have it?" in client.get("/en-in/contactus/?looked_for=qqq%20qqq").text
    assert "Check the spelling" in page
    assert '<a class="button button--line" href="/en-in/products/ayurveda/">Ayurveda</a>' in page


def test_the_worst_search_page_keeps_its_number_of_queries(
    client, make_product, make_variant, django_assert_max_num_queries
):
    make_variant(product=make_product("Neem Soap"))
    client.get("/en-in/search/qqqqqq/")
    for number in range(5):
        make_variant(product=make_product(f"Neem Sooap {'abcdef'[number] * 5}"))
    with django_assert_max_num_queries(20):
        client.get("/en-in/search/neme%20saop%20qqqqqq/")
    with django_assert_max_num_queries(0):  # everything is remembered, the market too
        client.get("/en-in/search/neme%20saop%20xxxxxx/")


def test_a_last_word_that_others_begin_with_may_be_misspelled_too(make_product, make_variant):
    balm, other = make_product("Zandu Balm"), make_product("Bamboo Brush")
    for product in (balm, other):
        make_variant(product=product)
    found = find_products("jandu bam")
    assert found.ids == [balm.pk] and found.meant.startswith("zandu ")


def test_two_wrong_vowels_are_forgiven(make_product, make_variant):
    soap = make_product("Lifebuoy Soap")
    make_variant(product=soap)
    assert find_products("lifboy").ids == [soap.pk]


@pytest.mark.parametrize("typed", ["اشوگندھا", "العكبر", "சியவனபிராசம்", "ਗਿਲੋਏ", "نیم کا تیل", "வேப்ப எண்ணெய்"])
def test_names_in_other_scripts_are_found_however_they_are_spelled(make_product, make_variant, typed):
    """A first alef, the article, a letter written once or twice, a vowel more or less."""
    names = [
        "Ashwagandha Capsules",
        "Propolis Tincture",
        "Chyawanprash Classic",
        "Giloy Juice",
        "Neem Oil",
        "Face Glow",
    ]
    ids = {name: make_variant(product=make_product(name)).product_id for name in names}
    expected = dict(zip(["اشوگندھا", "العكبر", "சியவனபிராசம்", "ਗਿਲੋਏ"], names, strict=False)).get(typed, "Neem Oil")
    assert find_products(typed).ids[0] == ids[expected]
