"""Facets, prices and orders of random listings, against SQL that asks for each of them by itself."""

import itertools
import random
from dataclasses import replace
from decimal import Decimal

import pytest
from django.http import QueryDict

from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, Product
from shop.catalog.services import refresh_products
from shop.markets.queries import market_registry

from ..facets.counts import Facet, Option
from ..facets.price_steps import steps_of
from ..facets.selection import NO_FILTERS, Filters, read_filters
from ..listing import services as listing_module
from ..listing.services import Listing, ListingQuery
from ..templatetags.facets import facet_options

SEED = 11
LARGE = {"page": 8}  # of twelve


@pytest.fixture
def shelf(make_product, make_variant):
    """Fifty products: two roots with subs, brands, concerns, two attributes, origins, some barred or fixed in price."""
    chance = random.Random(SEED)
    subs = []
    for root in ("Herbal", "Unani"):
        parent = Category.objects.create(name=root, slug=root.lower())
        subs += [Category.objects.create(name=f"{root} {n}", slug=f"sub-{n}", parent=parent) for n in range(3)]
    brands = [Brand.objects.create(name=f"Brand {n}", slug=f"brand-{n}") for n in range(4)]
    concerns = [HealthConcern.objects.create(name=f"Concern {n}", slug=f"concern-{n}") for n in range(4)]
    values = []
    for name, unit in (("Size", "ml"), ("Flavour", "")):
        attribute = Attribute.objects.create(name=name, slug=name.lower())
        values.append([AttributeValue.objects.create(attribute=attribute, value=f"{n}0", unit=unit) for n in range(3)])
    for number in range(50):
        product = make_product(
            f"P{number}",
            category=chance.choice(subs),
            brand=chance.choice(brands),
            country_of_origin=chance.choice(["IN", "IN", "LK", "CN"]),
            popularity=chance.randrange(5),
        )
        product.health_concerns.set(chance.sample(concerns, chance.randrange(3)))
        if chance.random() < 0.2:
            product.barred_locations.add(22)
        for _ in range(chance.choice([1, 1, 2])):
            price = Decimal(chance.randrange(4000, 90000)) / 100
            variant = make_variant(str(price), str(price + chance.choice([0, 90])), chance.choice([0, 3]), product)
            variant.attribute_values.set([chance.choice(of) for of in values if chance.random() < 0.7])
        if chance.random() < 0.3:
            fixed = Decimal(chance.randrange(50, 1500)) / 100
            first = product.variants.earliest("pk")
            first.fixed_prices.create(location_id=22, selling_price=fixed, actual_price=fixed)
    refresh_products(Product.objects.values_list("pk", flat=True))


def random_filters(chance):
    def some(values, most=2):
        return tuple(chance.sample(values, chance.randrange(1, most + 1))) if chance.random() < 0.4 else ()

    low = Decimal(chance.randrange(0, 400)) / chance.choice([1, 50]) if chance.random() < 0.3 else None
    high = Decimal(chance.randrange(400, 900)) / chance.choice([1, 50]) if chance.random() < 0.3 else None
    sizes, flavours = some(["00 ml", "10 ml", "20 ml"]), some(["00", "10", "20"])
    return Filters(
        concerns=some([f"concern-{n}" for n in range(4)]),
        categories=some([f"sub-{n}" for n in range(3)]),
        brands=some([f"brand-{n}" for n in range(4)], 3),
        attributes=tuple((slug, labels) for slug, labels in (("size", sizes), ("flavour", flavours)) if labels),
        origins=some(["IN", "LK", "CN"]),
        price_min=low,
        price_max=high,
    )


def with_option(filters, group, value):
    """Only this option chosen in its group."""
    if group.startswith("attr."):
        slug = group.removeprefix("attr.")
        others = tuple(pair for pair in filters.attributes if pair[0] != slug)
        return replace(filters, attributes=(*others, (slug, (value,))))
    field = {"concern": "concerns", "category": "categories", "brand": "brands", "origin": "origins"}[group]
    return replace(filters, **{field: (value.upper() if group == "origin" else value,)})


@pytest.fixture
def by_sql(monkeypatch):
    """Listing(…) without the index."""

    def make(market, asked):
        with monkeypatch.context() as patch:
            patch.setattr(listing_module, "current_index", lambda: None)
            listing = Listing(market, asked)
            assert listing.is_makeshift
            return listing

    return make


def markets():
    places = market_registry()
    usa, india = places.by_code["US"], places.by_code["IN"]
    return [places.market(india), places.market(usa), places.market(usa, "EUR"), places.market(india, "JPY")]


@pytest.mark.database
def test_totals_and_counts_are_those_of_sql(shelf, by_sql):
    chance = random.Random(SEED)
    herbal = Category.objects.get(slug="herbal")
    for _ in range(40):
        filters, market = random_filters(chance), chance.choice(markets())
        asked = ListingQuery(categories=chance.choice([(), (herbal,)]), filters=filters)
        listing = Listing(market, asked)
        assert listing.total == by_sql(market, asked).total
        for facet in listing.facets:
            for option in facet.options:
                alone = replace(asked, filters=with_option(filters, facet.name, option.value))
                assert (option.count, facet.name, option) == (by_sql(market, alone).total, facet.name, option)


@pytest.mark.database
def test_no_option_with_a_product_is_left_out(shelf, india):
    named = {facet.name: {option.value for option in facet.options} for facet in Listing(india, ListingQuery()).facets}
    assert named == {
        "concern": {f"concern-{n}" for n in range(4)},
        "category": {"herbal", "unani"},
        "brand": {f"brand-{n}" for n in range(4)},
        "attr.size": {"00 ml", "10 ml", "20 ml"},
        "attr.flavour": {"00", "10", "20"},
        "origin": {"in", "lk", "cn"},
    }


@pytest.mark.database
def test_every_order_is_that_of_sql(shelf, by_sql):
    chance = random.Random(SEED)
    india = markets()[0]
    for sort in ("popular", "newest", "price", "-price", "discount"):
        for filters in (NO_FILTERS, random_filters(chance)):
            asked = ListingQuery(sort=sort, page=8, filters=filters)
            ids = [card.product.pk for card in Listing(india, asked).cards]
            assert ids == [card.product.pk for card in by_sql(india, asked).cards]
            few = [card.product.pk for card in Listing(india, replace(asked, page=1)).cards]
            assert few == ids[:12]


def test_origin_sorts_by_the_country_s_name_and_price_by_what_is_shown(shelf, usa):
    cards = [card for card in Listing(usa, ListingQuery(sort="origin", page=8)).cards if card.in_stock]
    names = {"CN": "China", "IN": "India", "LK": "Sri Lanka"}
    assert [names[card.product.country_of_origin] for card in cards] == sorted(
        names[card.product.country_of_origin] for card in cards
    )
    prices = [card.price.selling for card in Listing(usa, ListingQuery(sort="price", page=8)).cards if card.in_stock]
    assert prices == sorted(prices)
    assert len(prices) > 10


def test_a_price_passes_by_what_the_card_shows(shelf):
    bounds = [(None, None), ("3", "7"), ("5.25", None), (None, "5.55"), ("2.5", "2.5")]
    for market, (low, high) in itertools.product(markets(), bounds):
        scale = 100 if market.currency in ("INR", "JPY") else 1
        low_shown = Decimal(low) * scale if low else None
        high_shown = Decimal(high) * scale if high else None
        unit = steps_of(market).unit
        everything = Listing(market, ListingQuery(page=8)).cards

        def passes(price, low=low_shown, high=high_shown, unit=unit):
            rounded = (price / unit + Decimal("0.5")) // 1 * unit
            return (low is None or rounded >= low) and (high is None or price <= high)

        expected = {card.product.pk for card in everything if passes(card.price.selling)}
        asked = ListingQuery(page=8, filters=Filters(price_min=low_shown, price_max=high_shown))
        assert {card.product.pk for card in Listing(market, asked).cards} == expected, (market.currency, low, high)


def test_bounds_are_multiples_of_fifty_rupees_or_their_like(shelf):
    for market in markets():
        shown = [card.price.selling for card in Listing(market, ListingQuery(page=8)).cards]
        low, high = Listing(market, ListingQuery(filters=Filters(price_min=Decimal(1)))).price_bounds
        step = steps_of(market).bound
        assert low <= min(shown) < low + step
        assert high - step < max(shown) <= high
        assert low % step == high % step == 0


@pytest.mark.parametrize(
    ("rate", "currency", "bound", "slider"),
    [
        ("1", "INR", "50", "10"),
        ("88.5", "USD", "0.5", "0.1"),
        ("0.59", "JPY", "100", "20"),
        ("288", "KWD", "0.2", "0.04"),
    ],
)
def test_steps_follow_the_rate(india, rate, currency, bound, slider):
    steps = steps_of(replace(india, rate=Decimal(rate), currency=currency))
    assert (steps.bound, steps.slider) == (Decimal(bound), Decimal(slider))


def test_an_address_says_and_gives_back_the_state_of_a_listing(shelf):
    said = (
        "concern=concern-1&concern=concern-2&category=herbal&brand=brand-3&attr.size=10+ml&attr.flavour=20"
        "&origin=in&origin=lk&price_min=150&price_max=700.5"
    )
    filters = read_filters(QueryDict(said))
    query = QueryDict(mutable=True)
    for name, value in filters.pairs():
        query.appendlist(name, value)
    assert read_filters(query) == filters
    assert set(query.urlencode().split("&")) == set(said.split("&"))


def test_nonsense_restricts_nothing(shelf):
    for nonsense in (
        "concern=none",
        "brand=%00",
        "category=x&category=y",
        "attr.size=9+l",
        "attr.colour=red",
        "origin=India",
        "origin=1",
        "price_min=-1",
        "price_min=nan",
        "price_max=1e9",
        "price_min=900&price_max=100",
        "price_max=٣",
        "concern=" + "x" * 5000,
    ):
        assert read_filters(QueryDict(nonsense)) == NO_FILTERS, nonsense


def test_at_most_fifty_values_of_a_kind_count(shelf):
    address = "&".join(["brand=x"] * 50 + ["brand=brand-1"])
    assert read_filters(QueryDict(address)) == NO_FILTERS


def test_a_group_of_one_is_hidden_but_for_attributes(make_product, make_variant, india):
    variant = make_variant(product=make_product("Only"))
    size = Attribute.objects.create(name="Size", slug="size")
    variant.attribute_values.add(AttributeValue.objects.create(attribute=size, value="100", unit="g"))
    refresh_products([variant.product_id])
    assert [facet.name for facet in Listing(india, ListingQuery()).facets] == ["attr.size"]


def test_the_call_takes_every_filter_and_answers_facets(shelf, browser_client, by_sql, india):
    body = {
        "category": "Herbal", "deliver_to": 1, "brand": ["brand-1", "Brand 2"], "attributes": {"Size": ["10 ML"]},
        "price": {"min": "50", "max": 800}, "origin": ["in", "LK"], "sort": "price",
    }  # fmt: skip
    answer = browser_client.post("/get-category-products/", body, content_type="application/json").json()
    filters = Filters(
        brands=("brand-1", "brand-2"),
        attributes=(("size", ("10 ml",)),),
        origins=("IN", "LK"),
        price_min=Decimal(50),
        price_max=Decimal(800),
    )
    herbal = Category.objects.get(slug="herbal")
    same = by_sql(india, ListingQuery(categories=(herbal,), filters=filters, sort="price"))
    assert answer["total_products"] == same.total > 0
    assert [card["id"] for card in answer["products"]] == [card.product.pk for card in same.cards]
    brands = next(facet for facet in answer["facets"] if facet["name"] == "brand")
    assert {option["value"] for option in brands["options"] if option["is_chosen"]} == {"brand-1", "brand-2"}
    assert answer["price"]["step"] == "10"
    for wrong in ({"attributes": {"Size": ["9 l"]}}, {"brand": "none"}, {"concern": ["none"]}):
        nothing = browser_client.post("/get-category-products/", body | wrong, content_type="application/json").json()
        assert (nothing["products"], nothing["total_products"]) == ([], 0)


def test_the_call_refuses_what_is_not_of_its_shape(shelf, browser_client):
    for wrong in (
        {"origin": ["India"]},
        {"origin": "IN"},
        {"price": {"min": -1}},
        {"price": {"least": 1}},
        {"price": 5},
        {"attributes": {"Size": "10 ml"}},
        {"attributes": {"Size": ["x"] * 51}},
        {"origin": ["IN"] * 51},
    ):
        body = {"category": "herbal"} | wrong
        answer = browser_client.post("/get-category-products/", body, content_type="application/json")
        assert answer.status_code == 422, wrong
        assert answer.json()["fields"].keys(), wrong
        assert all(name.startswith(next(iter(wrong))) for name in answer.json()["fields"]), wrong


def test_a_choice_is_a_checkbox_whose_words_stay_words():
    option = Option('5" <b>', "Five & <script>", 1, is_chosen=True)
    text = facet_options(Facet("attr.size", "Size", (option,)), [option])
    assert 'name="attr.size" value="5&quot; &lt;b&gt;" checked' in text
    assert "<span>Five &amp; &lt;script&gt;</span>" in text and "1<span" in text and "products" not in text
