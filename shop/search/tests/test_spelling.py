import pytest

from ..text.matching import find_products
from ..text.spelling import correct, distance, remember_words

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def words(db):
    remember_words(["ashwagandha capsules", "paracetamol tablets", "neem soap", "ashwagandha oil", "हल्दी"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ashwaganda", "ashwagandha"),
        ("ashwgandah", "ashwagandha"),
        ("paracetanol", "paracetamol"),
        ("neam", "neem"),
        ("nem", "nem"),  # too short to guess
        ("nxxm", "nxxm"),  # two errors in a short word
        ("soap", "soap"),
        ("हल्दि", "हल्दी"),
        ("b12x4", "b12x4"),
    ],
)
def test_the_nearest_word_is_meant(words, typed, meant):
    assert correct([typed]) == [meant]


@pytest.mark.parametrize(
    ("one", "other", "errors"),
    [("neem", "neem", 0), ("neem", "neme", 1), ("neem", "nem", 1), ("neem", "need", 1), ("abcd", "badc", 2)],
)
def test_a_swap_of_neighbours_is_one_error(one, other, errors):
    assert distance(one, other, 2) == errors


def test_a_typing_error_finds_what_was_meant_and_the_page_says_so(client, make_product, make_variant):
    product = make_product("Ashwagandha Capsules")
    make_variant(product=product)
    found = find_products("ashwaganda capsuls")
    assert (found.ids, found.meant) == ([product.pk], "ashwagandha capsules")
    page = client.get("/en-in/search/ashwaganda/")
    assert [card.product for card in page.context["listing"].cards] == [product]
    assert '<a href="/en-in/search/ashwagandha/">ashwagandha</a>' in page.content.decode()


def test_nothing_is_guessed_while_what_was_typed_is_found(make_product, make_variant):
    exact, near = make_product("Neam Paste"), make_product("Neem Paste")
    for product in (exact, near):
        make_variant(product=product)
    found = find_products("neam")
    assert (found.ids, found.meant) == ([exact.pk], "")


def test_a_guess_that_finds_nothing_is_not_offered(make_product, make_variant):
    make_variant(product=make_product("Neem Soap"))
    make_variant(product=make_product("Amla Oil"))
    found = find_products("neam amla")
    assert (found.ids, found.meant) == ([], "")


def test_a_search_without_results_tells_what_to_try_and_leads_to_categories(client, make_product, make_variant):
    make_variant(product=make_product("Neem Soap"))
    page = client.get("/en-in/search/qqqqqq/").content.decode()
    assert "Product not found" in page
    assert "Check the spelling" in page
    assert '<a class="button button--line" href="/en-in/products/ayurveda/">Ayurveda</a>' in page


def test_the_worst_search_page_keeps_its_number_of_queries(
    client, make_product, make_variant, django_assert_max_num_queries
):
    make_variant(product=make_product("Neem Soap"))
    client.get("/en-in/search/qqqqqq/")
    with django_assert_max_num_queries(20) as few:
        client.get("/en-in/search/neme%20saop%20qqqqqq/")
    for number in range(5):
        make_variant(product=make_product(f"Neem Sooap {'abcdef'[number] * 5}"))
    client.get("/en-in/search/qqqqqq/")
    with django_assert_max_num_queries(20) as many:
        client.get("/en-in/search/neme%20saop%20qqqqqq/")
    assert len(many) == len(few)
