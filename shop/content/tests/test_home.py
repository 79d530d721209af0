import random
import re

import pytest

from shop.catalog.models import Brand, Category, Product
from shop.invalidation.services import invalidate
from shop.markets.queries import market_registry

from ..home.services import choose
from ..models import HomeRow


@pytest.fixture
def rows(db):
    for position, kind in enumerate(("hot_selling", "categories", "brands", "spotlight")):
        HomeRow.objects.create(kind=kind, position=position)


def test_the_rows_stand_in_the_editors_order_and_empty_ones_are_left_out(client, rows, make_variant):
    make_variant()
    Category.objects.update(is_featured=True)
    page = client.get("/en-in/")
    assert [row.kind for row in page.context["rows"]] == ["hot_selling", "categories", "brands"]


def test_hot_selling_shows_pinned_products_first_then_what_sells(client, rows, make_product, make_variant):
    for name, popularity in (("Sells", 9), ("Pinned", 0), ("Slow", 1)):
        make_variant(product=make_product(name, popularity=popularity, is_pinned=name == "Pinned"))
    page = client.get("/en-in/").content.decode()
    assert re.findall(r'<span class="card__name">(\w+)</span>', page) == ["Pinned", "Sells", "Slow"]


def test_the_home_page_takes_a_constant_number_of_queries(
    client, rows, make_product, make_variant, django_assert_max_num_queries
):
    make_variant(product=make_product("First"))
    Category.objects.update(is_featured=True)
    client.get("/en-in/")
    with django_assert_max_num_queries(12) as few:
        client.get("/en-in/")
    for number in range(9):
        make_variant(product=make_product(f"P{number}"))
    client.get("/en-in/")
    with django_assert_max_num_queries(12) as many:
        client.get("/en-in/")
    assert len(few) == len(many)


def test_a_prefixed_page_is_public_and_a_guessed_one_private(client, rows):
    public = client.get("/en-in/")
    assert "public" in public["Cache-Control"]
    assert not public.cookies
    assert "Cookie" in public["Vary"]  # a cache in front cannot know that the currency is all that matters of them
    for guessed in (client.get("/"), client.get("/", headers={"accept-language": "en-IN"})):
        assert guessed["Cache-Control"] == "private, no-store"
        assert not guessed.cookies


def test_prices_follow_the_prefix(client, rows, make_variant):
    make_variant(price="885")
    assert "₹885" in client.get("/en-in/").content.decode()
    assert "$10<" in client.get("/en-us/").content.decode()


def test_the_home_calls_use_the_asked_market_and_refuse_unknown_ones(browser_client, make_variant):
    make_variant(price="885")
    ask = lambda **body: browser_client.post("/get-home-hot-sellers/", body, content_type="application/json")  # noqa: E731
    card = ask(deliver_to=22, currency="USD", symbol="$").json()[0]
    assert card["first_variant"]["price"]["selling_price"] == "10.00"
    assert ask(deliver_to=999).status_code == 422
    assert ask(deliver_to=1, currency="XXX").status_code == 422


def test_a_menu_call_shows_the_tree_with_its_concerns_and_brands(client, make_variant):
    make_variant()
    Category.objects.create(name="Tonics", slug="tonics", parent=Category.objects.get())
    answer = client.get("/get-menu-list/")
    root = answer.json()[0]
    assert (root["name"], root["brands"][0]["name"]) == ("Ayurveda", "Vanamitra")
    assert root["child_categories"] == [{"name": "Tonics", "slug": "tonics", "child_categories": []}]
    assert "public" in answer["Cache-Control"]
    assert Product.objects.count() == 1


def test_the_home_page_has_a_place_for_what_was_seen_and_names_what_its_buttons_move(client, rows, make_variant):
    make_variant()
    page = client.get("/en-in/").text
    assert '<section class="section" data-recently-viewed="/en-in/recently-viewed/" hidden></section>' in page
    for words in ("Previous: Hot Selling", "Next: Hot Selling", "Pause: "):
        assert f'aria-label="{words}' in page


def test_rows_are_ordered_as_the_database_would(client, rows, make_product, make_variant):
    """Out of the facet index: in stock first, of both what is pinned, then what sells most."""
    chance = random.Random(7)
    spotlight = Brand.objects.create(name="Suvasa", slug="suvasa", is_spotlight=True)
    for number in range(30):
        product = make_product(
            f"Oil {number}", popularity=chance.randrange(4), is_pinned=chance.random() < 0.2,
            **({"brand": spotlight} if chance.random() < 0.5 else {}),
        )  # fmt: skip
        make_variant(units=chance.choice([0, 0, 5]), product=product)
    markets = market_registry()
    chosen = choose(markets.market(markets.by_code["IN"]))
    visible = Product.objects.published()
    hot = visible.order_by("-in_stock", "-is_pinned", "-popularity", "id")
    lit = visible.filter(brand=spotlight).order_by("-in_stock", "-popularity", "id")
    assert chosen.hot_selling == list(hot.values_list("pk", flat=True)[:10])
    assert chosen.spotlight == list(lit.values_list("pk", flat=True)[:10])
    Brand.objects.update(is_spotlight=False)
    invalidate("shop")
    assert choose(markets.market(markets.by_code["IN"])).spotlight == []
