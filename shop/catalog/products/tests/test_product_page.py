from datetime import date, timedelta

import pytest
from django.utils.formats import date_format
from django.utils.html import strip_tags

from ...models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    HealthConcern,
    OldSlug,
    Picture,
    Product,
    Variant,
    VariantPrice,
)
from ...services import refresh_products
from ...stock import services as stock
from ...templatetags import cards
from .. import delivery_dates
from ..delivery_dates import delivery_for


@pytest.fixture
def sizes(db):
    size = Attribute.objects.create(name="Size", slug="size")
    return [AttributeValue.objects.create(attribute=size, value=value, unit="ml") for value in ("30", "50")]


@pytest.fixture
def oil(make_product, make_variant, sizes):
    product = make_product("Face Oil")
    for position, (value, price, units) in enumerate(zip(sizes, ("649", "999"), (5, 0), strict=True)):
        variant = make_variant(product=product, price=price, actual="1200", units=units, position=position)
        variant.attribute_values.add(value)
    return product


def test_the_first_variant_is_chosen_and_another_by_its_sku(client, oil):
    page = client.get("/en-in/product/face-oil/").context["page"]
    assert (page.chosen.label, str(page.chosen.price.selling)) == ("30 ml", "649.00")
    assert [option.is_available for option in page.groups["Size"]] == [True, False]
    other = client.get("/en-in/product/face-oil/", {"variant": oil.variants.last().sku}).context["page"]
    assert (other.chosen.label, other.is_sellable) == ("50 ml", False)


@pytest.fixture
def soap(make_product, make_variant, sizes):
    """Rose in both sizes, mint in the small one only; the large rose is sold out."""
    scent = Attribute.objects.create(name="Scent", slug="scent", position=1)
    rose, mint = (AttributeValue.objects.create(attribute=scent, value=value) for value in ("Rose", "Mint"))
    product = make_product("Soap")
    for size, value, units in ((sizes[0], rose, 5), (sizes[1], rose, 0), (sizes[0], mint, 5)):
        make_variant(product=product, units=units).attribute_values.add(size, value)
    return product


def test_a_combination_that_nobody_makes_leads_to_the_first_variant_with_the_value(client, soap):
    mint = soap.variants.last()
    answer = client.get("/en-in/product/soap/", {"variant": mint.sku})
    size = answer.context["page"].groups["Size"]
    assert [(option.label, option.is_available, option.note) for option in size] == [
        ("30 ml", True, ""),
        ("50 ml", False, "switches to 50 ml, Rose"),
    ]
    assert size[1].choice.variant == soap.variants.all()[1]
    html = answer.content.decode()
    assert f'href="?variant={size[1].choice.variant.sku}"' in html and "(switches to 50 ml, Rose)" in html


def test_a_variant_shows_its_own_pictures_and_without_any_those_of_the_others_once(client, soap):
    front, back, mint = (
        Picture.objects.create(file=f"pictures/{name}.png", width=800, height=800, digest=name) for name in "abc"
    )
    rose, large, small = soap.variants.all()
    for variant, pictures in ((rose, (front, back)), (large, (front, back)), (small, (mint, front))):
        for position, picture in enumerate(pictures):
            variant.variant_images.create(picture=picture, position=position)
    bare = Variant.objects.create(product=soap, sku="BARE", selling_price=1, actual_price=1, position=9)
    refresh_products([soap.pk])

    def pictures_of(variant):
        return client.get("/en-in/product/soap/", {"variant": variant.sku}).context["page"].pictures

    assert [pictures_of(variant) for variant in (rose, small, bare)] == [
        [front, back],
        [mint, front],
        [front, back, mint],
    ]


def test_a_sold_out_value_says_so_and_can_be_looked_at(client, soap):
    page = client.get("/en-in/product/soap/").context["page"]
    assert [(option.note, option.is_available) for option in page.groups["Size"]] == [("", True), ("sold out", False)]
    sold_out = client.get("/en-in/product/soap/", {"variant": page.groups["Size"][1].choice.variant.sku})
    html = sold_out.content.decode()
    assert "Out of stock. Choose another option above." in html
    assert "data-buy-bar hidden" in html and 'aria-label="Delivery dates"' not in html
    assert 'href="?variant=' in html


def test_the_page_of_a_variant_is_canonical_without_it(client, soap):
    html = client.get("/en-in/product/soap/", {"variant": soap.variants.last().sku}).content.decode()
    assert '<link rel="canonical" href="http://testserver/en-in/product/soap/">' in html


@pytest.mark.parametrize(
    ("quantity", "unit", "shown"),
    [("30", "ml", "₹333.33 per 100 ml"), ("250", "g", "₹40.00 per 100 g"), ("10", "tablets", "₹10.00 per tablet"),
     ("2", "kg", "₹50.00 per kg"), ("1", "", "₹100.00 per piece")],
)  # fmt: skip
def test_the_unit_price_is_for_a_hundred_or_for_one(client, make_variant, quantity, unit, shown):
    make_variant(price="100", net_quantity=quantity, net_unit=unit)
    assert client.get("/en-in/product/product-1/").context["page"].chosen.unit_price == shown


def test_the_trust_panel_tells_what_the_law_wants_known(client, oil):
    oil.variants.update(net_quantity=30, net_unit="ml")
    Product.objects.update(
        maker="Vanamitra, Pune", importer="Samudra", licence_number="L-7", shelf_life_months=24, country_of_origin="LK",
        is_returnable=False,
    )  # fmt: skip
    page = client.get("/en-in/product/face-oil/").content.decode()
    panel = strip_tags(page.partition('<section class="trust"')[2].partition("</section>")[0])
    facts = [
        "MRP₹1,200.00, incl. of all taxes", "Unit price₹2,163.33 per 100 ml", "Net quantity30 ml",
        "Country of originSri Lanka", "ManufacturerVanamitra, Pune", "ImporterSamudra", "Licence no.L-7",
        "Shelf life24 months from manufacture", "Cannot be returned",
    ]  # fmt: skip
    assert [fact for fact in facts if fact not in panel] == []
    assert "Prescription medicine" not in panel


def test_ten_ingredients_are_shown_and_the_rest_on_demand(client, oil):
    oil.variants.update(ingredients=", ".join(f"Herb {number}" for number in range(1, 13)))
    page = client.get("/en-in/product/face-oil/")
    assert len(page.context["page"].first_ingredients) == 10
    rest = page.content.decode().partition('<details class="more-tags"')[2].partition("</details>")[0]
    assert "and 2 more" in rest and rest.count('<li class="tag">') == 2


def test_nutrition_and_composition_are_tables_with_row_heads(client, oil):
    oil.variants.update(
        nutritional_info_json={"NutritionalFacts": {"Energy": "40 kcal"}},
        composition_json={"Composition": {"Amla": "5 g"}},
    )
    html = client.get("/en-in/product/face-oil/").content.decode()
    assert '<th scope="row">Energy</th><td>40 kcal</td>' in html and '<th scope="row">Amla</th><td>5 g</td>' in html


def test_quantities_run_to_the_smaller_of_maximum_and_stock(client, oil):
    oil.variants.update(max_purchase_qty=3)
    assert list(client.get("/en-in/product/face-oil/").context["page"].chosen.quantities) == [1, 2, 3]


def test_a_prescription_product_is_shown_and_not_sold(client, oil):
    Product.objects.update(is_prescription=True)
    answer = client.get("/en-in/product/face-oil/")
    assert not answer.context["page"].is_sellable
    html = answer.content.decode()
    assert "This is a prescription medicine, so we don&#x27;t sell it online." in html
    assert "Prescription medicine." in html
    assert "ADD TO CART" not in html and 'aria-label="Delivery dates"' not in html


def test_a_product_barred_here_keeps_its_page_without_a_button(client, oil):
    oil.barred_locations.add(1)
    assert "ADD TO CART" not in client.get("/en-in/product/face-oil/").content.decode()
    assert "ADD TO CART" in client.get("/en-us/product/face-oil/").content.decode()


def test_an_old_address_is_redirected_for_ever(client, oil):
    OldSlug.objects.create(slug="old-oil", product=oil)
    answer = client.get("/en-in/product/old-oil/")
    assert (answer.status_code, answer["Location"]) == (301, "/en-in/product/face-oil/")


def test_delivery_adds_the_larger_of_buffer_and_transit_to_dispatch(oil, india, usa):
    today = date(2026, 11, 21)
    assert delivery_for(oil, india, today).deliver_by == date(2026, 11, 25)
    assert delivery_for(oil, usa, today).deliver_by == date(2026, 12, 1)


def test_the_call_answers_prices_of_that_market_only(browser_client, oil):
    VariantPrice.objects.create(
        variant=oil.variants.first(), location_id=22, selling_price="9.99", actual_price="12.00"
    )
    ask = {"product": "face-oil", "deliver_to": 22, "currency": "USD"}
    found = browser_client.post("/get-product/", ask, content_type="application/json").json()
    assert [variant["price"]["selling_price"] for variant in found["variants"]] == ["9.99", "11.29"]
    assert found["attributes"] == {"Size": ["30 ml", "50 ml"]}
    assert found["delivery_details"] == {"dispatch_max_day": 2, "buffer_delivery_day": 2}


def test_missing_and_hidden_products_look_the_same_to_a_call(browser_client, oil):
    ask = lambda slug: browser_client.post("/get-product/", {"product": slug}, content_type="application/json")  # noqa: E731
    Product.objects.update(is_published=False)
    hidden, missing = ask("face-oil"), ask("no-such")
    assert hidden.status_code == missing.status_code == 404
    assert {**hidden.json(), "request_id": ""} == {**missing.json(), "request_id": ""}


def test_a_product_page_takes_at_most_ten_queries_with_one_variant_and_with_many(
    client, oil, make_variant, django_assert_max_num_queries
):
    client.get("/en-in/product/face-oil/")
    with django_assert_max_num_queries(10) as few:
        client.get("/en-in/product/face-oil/")
    for _ in range(3):
        make_variant(product=oil)
    client.get("/en-in/product/face-oil/")
    with django_assert_max_num_queries(10) as many:
        client.get("/en-in/product/face-oil/")
    assert len(few) == len(many)


@pytest.fixture
def balm(make_product, make_variant):
    """Beside it: a balm of another brand, and a bottle of another category for the same concern."""
    cold = HealthConcern.objects.create(name="Cold", slug="cold")
    balm = make_product("Cold Balm")
    names = {
        "Vapour Balm": {"brand": Brand.objects.create(name="Neemveda", slug="neemveda")},
        "Hot Water Bottle": {"category": Category.objects.create(name="Home", slug="home")},
    }
    for product in (balm, *(make_product(name, **fields) for name, fields in names.items())):
        product.health_concerns.add(cold)
        make_variant(product=product, price="200", net_quantity=50, net_unit="g")
    return balm


def test_similar_products_show_unit_prices_beside_its_own_and_others_go_well_with_it(client, balm):
    html = client.get("/en-in/product/cold-balm/").content.decode()
    similar, complements = (
        html.partition(f'aria-label="{label}">')[2] for label in ("Similar products", "Goes well with")
    )
    assert "This product: <strong>₹400.00 per 100 g</strong>" in html
    assert 'class="card__pack"><span>50 g</span> <span>₹400.00 per 100 g<' in similar.partition("</ul>")[0]
    assert "Vapour Balm" in similar.partition("</ul>")[0]
    assert "Hot Water Bottle" in complements


def test_a_page_without_related_products_has_neither_group(client, oil):
    html = client.get("/en-in/product/face-oil/").content.decode()
    assert "Similar products" not in html and "Goes well with" not in html


def test_the_call_tells_how_each_product_is_related(browser_client, balm):
    ask = {"product": "cold-balm", "deliver_to": 1, "currency": "INR"}
    found = browser_client.post("/get-product/", ask, content_type="application/json").json()["related_products"]
    assert [(card["name"], card["relation"], card["unit_price"]) for card in found] == [
        ("Vapour Balm", "similar", "₹400.00 per 100 g"),
        ("Hot Water Bottle", "goes_well_with", "₹400.00 per 100 g"),
    ]


def test_what_sells_out_leaves_the_page_that_shows_it(client, balm):
    assert "Vapour Balm" in client.get("/en-in/product/cold-balm/").content.decode()
    stock.hold({Product.objects.get(name="Vapour Balm").first_variant_id: 5}, reference="ORD-1")
    assert "Vapour Balm" not in client.get("/en-in/product/cold-balm/").content.decode()


def viewed(client, ids, country="in"):
    return [card.product.name for card in client.get(f"/en-{country}/recently-viewed/?ids={ids}").context["cards"]]


def test_recently_viewed_cards_come_in_the_asked_order_without_what_is_gone_or_barred(
    client, make_product, make_variant
):
    first, second, hidden, barred = (make_variant(product=make_product(name)).product for name in "ABCD")
    Product.objects.filter(pk=hidden.pk).update(is_published=False)
    barred.barred_locations.add(1)
    ids = f"{second.pk},{hidden.pk},{barred.pk},{first.pk},999999"
    assert viewed(client, ids) == ["B", "A"]
    assert viewed(client, ids, "us") == ["B", "D", "A"]


def test_recently_viewed_takes_at_most_twelve_ids_and_only_numbers(
    client, make_product, make_variant, django_assert_max_num_queries
):
    ids = [make_variant(product=make_product(f"P{number}")).product_id for number in range(14)]
    client.get("/en-in/")
    with django_assert_max_num_queries(3):
        assert len(viewed(client, ",".join(map(str, ids)))) == 12
    assert viewed(client, f"x,-1,0,١,{'9' * 30},{ids[0]}") == ["P0"]
    answer = client.get("/en-in/recently-viewed/")
    assert (answer.content.strip(), answer["Cache-Control"], answer["X-Robots-Tag"]) == (
        b"",
        "private, no-store",
        "noindex",
    )


def test_recently_viewed_prices_are_those_of_the_market(client, make_variant):
    product = make_variant(price="885").product
    assert "₹885" in client.get(f"/en-in/recently-viewed/?ids={product.pk}").content.decode()
    assert "$10" in client.get(f"/en-us/recently-viewed/?ids={product.pk}").content.decode()


def test_the_sheet_of_a_card_has_each_pack_with_its_price_and_a_way_into_the_cart(
    client, oil, make_product, make_variant
):
    Variant.objects.filter(product=oil).update(net_quantity=30, net_unit="ml")
    small, large = oil.variants.order_by("position")
    answer = client.get("/en-in/product/face-oil/options/")
    page = answer.text
    assert "<html" not in page and answer["X-Robots-Tag"] == "noindex"
    assert "30 ml" in page and "₹649.00" in page and "₹2,163.33 per 100 ml" in page and "Delivery by" in page
    assert f'name="variant" value="{small.pk}"' in page and 'aria-label="Add to cart: Face Oil, 30 ml"' in page
    assert f'value="{large.pk}"' not in page and "Out of stock" in page, "what is sold out is shown and not sold"
    make_variant(product=make_product("Pills", is_prescription=True))
    assert "<form" not in client.get("/en-in/product/pills/options/").text
    assert client.get("/en-in/product/nothing/options/").status_code == 404


def test_a_card_shows_pack_unit_price_and_delivery_date(client, make_product, make_variant, india):
    honey = make_product("Forest Honey", dispatch_max_day=1, buffer_delivery_day=2)
    make_variant(product=honey, price="250", net_quantity=500, net_unit="g", units=9)
    sold_out = make_product("Rose Water")
    make_variant(product=sold_out, price="100", units=0)
    day = date_format(delivery_for(honey, india).deliver_by, "j M")
    card, _, other = client.get(f"/en-in/recently-viewed/?ids={honey.pk},{sold_out.pk}").text.partition("Rose Water")
    assert "<span>500 g</span> <span>₹50.00 per 100 g<" in card and f"Delivery by {day}" in card
    assert "Delivery by" not in other, "what is sold out is promised for no day"


def test_tomorrow_a_kept_card_shows_another_day(client, make_product, make_variant, india, monkeypatch):
    honey = make_product("Forest Honey")
    make_variant(product=honey, price="250", units=9)
    path = f"/en-in/recently-viewed/?ids={honey.pk}"
    today = client.get(path).text
    later = delivery_dates.delivery_starts(india) + timedelta(days=1)
    for module in (delivery_dates, cards):
        monkeypatch.setattr(module, "delivery_starts", lambda market: later)
    tomorrow = client.get(path).text
    assert today != tomorrow and f"Delivery by {date_format(delivery_for(honey, india).deliver_by, 'j M')}" in tomorrow
