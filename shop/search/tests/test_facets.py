"""Facets, prices and orders of random listings, against SQL that asks for each of them by itself."""

import itertools
import random
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.http import QueryDict

from shop.catalog.composition.dosage import DosageForm
from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, Product
from shop.catalog.services import refresh_products
from shop.markets.queries import market_registry

from ..facets.base import Option
from ..facets.kinds.discount import STEPS
from ..facets.kinds.price import ChosenPrices, steps_of
from ..facets.registry import facets
from ..facets.selection import NO_FILTERS, FacetSelection, read_filters
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
    chosen = {
        "attr.size": some(["00 ml", "10 ml", "20 ml"]),
        "attr.flavour": some(["00", "10", "20"]),
        "concern": some([f"concern-{n}" for n in range(4)]),
        "category": some([f"sub-{n}" for n in range(3)]),
        "brand": some([f"brand-{n}" for n in range(4)], 3),
        "origin": some(["in", "lk", "cn"]),
        "discount": some([str(step) for step in STEPS]),
        "price": ChosenPrices(low, high),
    }
    return FacetSelection({name: value for name, value in chosen.items() if value})


def with_option(filters, group, value):
    """Only this option chosen in its group."""
    return FacetSelection({**filters.chosen, group: (value,)})


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
        "discount": {str(step) for step in STEPS if Product.objects.filter(discount__gte=step)},
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
        asked = ListingQuery(page=8, filters=FacetSelection({"price": ChosenPrices(low_shown, high_shown)}))
        assert {card.product.pk for card in Listing(market, asked).cards} == expected, (market.currency, low, high)


def test_bounds_are_multiples_of_fifty_rupees_or_their_like(shelf):
    for market in markets():
        shown = [card.price.selling for card in Listing(market, ListingQuery(page=8)).cards]
        filters = FacetSelection({"price": ChosenPrices(Decimal(1))})
        low, high = Listing(market, ListingQuery(filters=filters)).prices.bounds
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
        "&origin=in&origin=lk&discount=20&price_min=150&price_max=700.5"
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
        "discount=15",
        "discount=1",
        "discount=x",
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
    chosen = {"brand": ("brand-1", "brand-2"), "attr.size": ("10 ml",), "origin": ("in", "lk")}
    filters = FacetSelection({**chosen, "price": ChosenPrices(Decimal(50), Decimal(800))})
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
    text = facet_options(SimpleNamespace(name="attr.size"), [option])
    assert 'name="attr.size" value="5&quot; &lt;b&gt;" checked' in text
    assert "<span>Five &amp; &lt;script&gt;</span>" in text and "1<span" in text and "products" not in text


@pytest.mark.database
def test_discounts_pass_from_a_step_upwards(make_product, make_variant, india, by_sql):
    for off in (0, 9, 10, 25, 50):
        make_variant(str(100 - off), "100", product=make_product(f"{off} off"))
    group = next(one for one in Listing(india, ListingQuery()).facets if one.name == "discount")
    assert [(option.value, option.count) for option in group.options] == [
        ("10", 3), ("20", 2), ("30", 1), ("40", 1), ("50", 1),
    ]  # fmt: skip
    for values, expected in ((("20",), {"25 off", "50 off"}), (("50", "10"), {"10 off", "25 off", "50 off"})):
        asked = ListingQuery(filters=FacetSelection({"discount": values}))
        for listing in (Listing(india, asked), by_sql(india, asked)):
            assert {card.product.name for card in listing.cards} == expected
    everything = ListingQuery(is_discounted=True)
    assert Listing(india, everything).total == by_sql(india, everything).total == 4


def test_every_facet_reads_back_what_it_says(shelf, india):
    """Whatever a facet of the registry offers can be chosen, is on a chip, and comes back from the address."""
    ids = list(Product.objects.values_list("pk", flat=True))
    for pk, substance, form in zip(
        ids, ("Paracetamol", "Ibuprofen"), (DosageForm.TABLET, DosageForm.SYRUP), strict=False
    ):
        stated = {"active_ingredients": [[substance, "500 mg"]], "dosage_form": form, "rating": 450, "review_count": 2}
        Product.objects.filter(pk=pk).update(**stated)
    refresh_products(ids)
    listing = Listing(india, ListingQuery())
    offered = {group.name: group.options for group in listing.facets}
    assert {facet.name for facet in facets()} == {*offered, "price"} >= {"discount", "attr.size", "brand"}
    for facet in facets():
        address = facet.pairs((offered[facet.name][0].value,) if facet.name in offered else ChosenPrices(Decimal(5)))
        query = QueryDict(mutable=True)
        for name, value in address:
            query.appendlist(name, value)
        selection = read_filters(query)
        assert selection.pairs() == address
        ((label, gone),) = facet.chips(selection.chosen[facet.name], india)
        assert gone == address and label
        assert Listing(india, ListingQuery(filters=selection)).total > 0
