"""The browsing calls of the specification's section 7: exact path, method, body and answer."""

import json

import pytest
from django.test import Client

from shop.api import api
from shop.catalog.models import Attribute, Brand, Category, HealthConcern, Picture, Product, VariantImage, VariantPrice
from shop.catalog.services import refresh_products
from shop.content.models import Banner

pytestmark = pytest.mark.django_db
READ = [
    "/api/geo-locations/location-data/",
    "/get-menu-list/",
    "/get-home-sliders",
    "/get-home-brands/",
    "/get-home-concerns/",
]
HOME = ["/get-home-hot-sellers/", "/get-home-brand-product/", "/get-home-category-featured-products/"]
INDIA = {"deliver_to": 1, "currency": "INR", "symbol": "₹"}
PRICED = [
    *HOME,
    *[("/get-category-products/", {"category": "ayurveda"}), ("/get-brand-product/", {"brand": "vanamitra"})],
    *[("/get-product/", {"product": "neem-soap"}), ("/search/", {"query": "neem"})],
]


@pytest.fixture
def picture():
    return Picture.objects.create(file="pictures/ab/source.jpg", width=600, height=600, digest="ab" * 32)


@pytest.fixture
def soap(make_product, make_variant, picture):
    """A featured, pinned product of a spotlighted brand with a concern, an attribute and a picture."""
    brand = Brand.objects.create(name="Vanamitra", slug="vanamitra", brand_image=picture, is_spotlight=True)
    top = Category.objects.create(
        name="Ayurveda", slug="ayurveda", path="ayurveda", is_featured=True, img_icon=picture, img_banner=picture,
        img_bg=picture, color="#1f5a41", meta_title="Ayurveda online",
    )  # fmt: skip
    bath = Category.objects.create(name="Bath", slug="bath", parent=top)
    concern = HealthConcern.objects.create(name="Skin Care", slug="skin-care", image=picture, img_icon=picture)
    product = make_product("Neem Soap", brand=brand, category=bath, is_pinned=True)
    product.health_concerns.add(concern)
    variant = make_variant(price="885", actual="1000", product=product, ingredients="Neem, Tulsi")
    size = Attribute.objects.create(name="Size", slug="size")
    variant.attribute_values.add(size.values.create(value="75", unit="g"))
    VariantImage.objects.create(variant=variant, picture=picture)
    refresh_products([product.pk])
    Banner.objects.create(title="Monsoon", image=picture, mobile_image=picture, link="/products/ayurveda/")
    return Product.objects.get()


def post(path, body, **headers):
    client = Client(headers={"sec-fetch-site": "same-origin", **headers})
    return client.post(path, json.dumps(body), content_type="application/json")


def named(case):
    return case if isinstance(case, tuple) else (case, {})


@pytest.mark.parametrize("path", READ)
def test_a_list_without_input_is_for_everyone_and_may_be_kept(client, soap, path):
    answer = client.get(f"{path}?unknown=1")
    assert answer.json()
    assert "public" in answer["Cache-Control"] and not answer.cookies
    assert "Cookie" not in answer.get("Vary", "")
    assert client.post(path, {}, content_type="application/json").status_code in (403, 405)


def test_locations(client):
    rows = client.get("/api/geo-locations/location-data/").json()
    assert {row["id"]: row for row in rows}[1] == {
        "id": 1, "name": "India", "timezone_shorthand": "IN", "currency_shorthand": "INR", "currency_symbol": "₹",
        "aliases": ["Bharat", "Hindustan", "भारत"], "is_likely": True,
    }  # fmt: skip
    assert {row["name"]: row["id"] for row in rows}["USA"] == 22
    assert len(rows) >= 60


def test_the_menu(client, soap):
    (root,) = client.get("/get-menu-list/").json()
    assert (root["name"], root["slug"], root["color"]) == ("Ayurveda", "ayurveda", "#1f5a41")
    assert root["img_icon"].startswith("http") and root["img_bg"].startswith("http") and root["img_bg_m"] == ""
    assert root["child_categories"] == [{"name": "Bath", "slug": "bath", "child_categories": []}]
    assert root["health_concerns"] == [{"name": "Skin Care", "slug": "skin-care"}]
    assert [(brand["name"], brand["slug"]) for brand in root["brands"]] == [("Vanamitra", "vanamitra")]
    assert root["brands"][0]["brand_image"].startswith("http")


def test_what_the_home_page_lists(client, soap):
    (banner,) = client.get("/get-home-sliders").json()
    assert banner["image"].startswith("http") and banner["mobile_image"].startswith("http")
    assert banner["link"].endswith("/products/ayurveda/")
    (brand,) = client.get("/get-home-brands/").json()
    assert (brand["name"], brand["slug"]) == ("Vanamitra", "vanamitra") and brand["brand_image"].startswith("http")
    (concern,) = client.get("/get-home-concerns/").json()
    assert (concern["name"], concern["slug"]) == ("Skin Care", "skin-care") and concern["image"].startswith("http")


def is_card_of(card, soap):
    assert (card["id"], card["slug"], card["name"], card["title"]) == (soap.pk, "neem-soap", "Neem Soap", "Neem Soap")
    assert card["first_image"].startswith("http")
    assert card["category"]["name"] == "Bath"
    assert {"img_banner", "img_banner_m", "meta_title", "meta_desc"} < set(card["category"])
    assert card["brand"] == {"name": "Vanamitra", "slug": "vanamitra"}
    assert [concern["name"] for concern in card["health_concerns"]] == ["Skin Care"]
    assert card["first_variant"]["price"] == {"selling_price": "885.00", "actual_price": "1000.00", "discount": 11}
    assert card["attributes"] == {"Size": ["75 g"]}
    return True


def test_the_home_rows_are_lists_of_cards(soap):
    hot, brands, featured = (post(path, INDIA).json() for path in HOME)
    assert all(is_card_of(card, soap) for card in (hot[0], brands[0]))
    assert featured[0]["category"]["name"] == "Ayurveda"
    assert is_card_of(featured[0]["products"][0], soap)


def test_a_category_answers_cards_and_their_number(soap):
    answer = post("/get-category-products/", {**INDIA, "category": "ayurveda", "page": 1}).json()
    assert answer["total_products"] == 1 and is_card_of(answer["products"][0], soap)
    narrowed = {"sub-category": ["bath"], "concern": ["skin-care"], "brand": "vanamitra", "query": "neem"}
    assert post("/get-category-products/", {**INDIA, "category": "ayurveda", **narrowed}).json()["total_products"] == 1
    exact_names = {"category": "AYURVEDA", "concern": ["Skin care"], "sub-category": ["BATH"]}
    assert post("/get-category-products/", {**INDIA, **exact_names}).json()["total_products"] == 1


@pytest.mark.parametrize(
    "narrowed", [{"category": "no-such"}, {"concern": ["no-such"]}, {"sub-category": ["no-such"]}, {"brand": "no-such"}]
)
def test_an_unknown_name_is_an_empty_list(soap, narrowed):
    answer = post("/get-category-products/", {**INDIA, "category": "ayurveda", **narrowed})
    assert answer.status_code == 200
    assert (answer.json()["products"], answer.json()["total_products"]) == ([], 0)


def test_a_brand_answers_a_list_of_cards(soap):
    cards = post("/get-brand-product/", {**INDIA, "brand": "vanamitra", "page": 1, "query": ""}).json()
    assert len(cards) == 1 and is_card_of(cards[0], soap)
    assert post("/get-brand-product/", {**INDIA, "brand": "no-such"}).json() == []


NOTHING_FOUND: dict[str, object] = {"note": "", "places": [], "products": []}
EMPTY = ["", "  ", None, [], [""], [None, " "], {}, {"": [""]}]
FIELDS = {
    "/get-category-products/": [
        *(
            "deliver_to",
            "currency",
            "symbol",
            "language",
            "category",
            "concern",
            "sub-category",
            "child_category",
            "brand",
        ),
        *("attributes", "price", "origin", "substance", "form", "page", "query", "sort"),
    ],
    "/get-brand-product/": ["deliver_to", "currency", "symbol", "language", "brand", "page", "query"],
    "/search/": ["deliver_to", "currency", "symbol", "language"],
    **{path: ["deliver_to", "currency", "symbol", "language"] for path in HOME},
}


@pytest.mark.parametrize("empty", EMPTY, ids=repr)
@pytest.mark.parametrize(("path", "field"), [(path, field) for path, fields in FIELDS.items() for field in fields])
def test_an_empty_value_restricts_nothing(soap, path, field, empty):
    whole = {"query": "neem"} if path == "/search/" else {}
    answer, without = post(path, {**whole, field: empty}), post(path, whole)
    assert (answer.status_code, without.status_code) == (200, 200), answer.text
    assert answer.json() == without.json() and "neem-soap" in answer.text


def test_every_optional_field_of_a_listing_call_is_in_the_table_of_empty_values():
    schemas = api.get_openapi_schema()["components"]["schemas"]
    for path, fields in FIELDS.items():
        body = api.get_openapi_schema()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        described = schemas[body["$ref"].rsplit("/", 1)[1]]
        optional = described["properties"].keys() - set(described.get("required", ()))
        assert optional == set(fields), path
        for name in optional:
            assert {"type": "null"} in described["properties"][name]["anyOf"], (path, name)


@pytest.mark.parametrize(
    "inner",
    [
        {"brand": ["", "vanamitra"]},
        {"concern": ["", " Skin Care "]},
        {"sub-category": [None, "bath"]},
        {"attributes": {"Size": ["", " 75 g "], "Colour": [""]}},
        {"price": {"min": "", "max": None}},
        {"origin": ["IN", ""]},
    ],
    ids=str,
)
def test_an_empty_value_beside_others_counts_for_nothing(soap, inner):
    Product.objects.update(country_of_origin="IN")
    refresh_products([soap.pk])
    assert post("/get-category-products/", {"category": "ayurveda", **inner}).json()["total_products"] == 1


@pytest.mark.parametrize(
    "narrowed",
    [
        *({"concern": ["skin-care"]}, {"brand": "vanamitra"}, {"brand": ["VANAMITRA"], "concern": ["Skin care"]}),
        *(
            {"sub-category": ["bath"]},
            {"child_category": ["bath"]},
            {"attributes": {"size": ["75 g"]}},
            {"query": "neem"},
        ),
        *({"category": "ayurveda", "child_category": ["bars"]}, {"sub-category": ["bath"], "child_category": ["bars"]}),
    ],
    ids=str,
)
@pytest.mark.parametrize("category", [{}, {"category": ""}], ids=["absent", "empty"])
def test_a_listing_needs_no_category(soap, make_product, make_variant, narrowed, category):
    other = Category.objects.create(name="Unani", slug="unani")
    books = Category.objects.create(name="Books", slug="books", parent=other)
    make_variant(product=make_product("Book", category=books, brand=Brand.objects.create(name="Print", slug="print")))
    bars = Category.objects.create(name="Bars", slug="bars", parent=Category.objects.get(slug="bath"))
    Product.objects.filter(pk=soap.pk).update(category=bars)
    refresh_products([soap.pk])
    answer = post("/get-category-products/", {**category, **narrowed}).json()
    assert ([card["slug"] for card in answer["products"]], answer["total_products"]) == (["neem-soap"], 1)
    assert "attr.size" in [facet["name"] for facet in answer["facets"]]
    printed = post("/get-category-products/", {**category, **narrowed, "brand": "print"}).json()
    assert printed["total_products"] == (1 if "brand" in narrowed and "concern" not in narrowed else 0)


def test_everything_is_listed_with_total_facets_and_prices(soap, make_product, make_variant):
    make_variant(product=make_product("Tulsi Soap", brand=Brand.objects.create(name="Print", slug="print")))
    answer = post("/get-category-products/", {}).json()
    assert (len(answer["products"]), answer["total_products"]) == (2, 2)
    assert {"brand", "attr.size"} <= {facet["name"] for facet in answer["facets"]} and answer["price"]
    assert len(post("/get-brand-product/", {"brand": ""}).json()) == 2


def test_a_search_without_words_finds_nothing(soap):
    for nothing in ("", "  ", None):
        assert post("/search/", {"query": nothing}).json() == NOTHING_FOUND


def test_a_product_in_full(soap):
    found = post("/get-product/", {**INDIA, "product": "neem-soap"}).json()
    assert (found["id"], found["name"], found["slug"]) == (soap.pk, "Neem Soap", "neem-soap")
    assert found["main_parent_category"]["name"] == "Ayurveda"
    assert found["attributes"] == {"Size": ["75 g"]}
    assert found["health_concerns"][0]["name"] == "Skin Care" and "img_icon" in found["health_concerns"][0]
    assert found["delivery_details"] == {"dispatch_max_day": 2, "buffer_delivery_day": 2}
    assert {"highlight", "dosage", "related_products", "brand"} < set(found)
    (variant,) = found["variants"]
    assert variant["price"] == {"selling_price": "885.00", "actual_price": "1000.00", "discount": 11}
    assert variant["variant_images"][0]["image_url"].startswith("http")
    assert variant["variant_attr"]["Size"] == {"attribute": {"name": "Size"}, "values": [{"value": "75", "unit": "g"}]}
    assert (variant["max_purchase_qty"], variant["ingredients"]) == (4, "Neem, Tulsi")
    assert {"description", "nutritional_info_json", "composition_json"} < set(variant)


def test_a_search_answers_products(soap):
    (found,) = post("/search/", {**INDIA, "query": " neem "}).json()["products"]
    assert set(found) == {"id", "slug", "name", "lang", "first_image", "price", "pack", "in_stock"}
    assert (found["id"], found["slug"], found["name"], found["price"]) == (soap.pk, "neem-soap", "Neem Soap", "₹885")
    assert found["first_image"].startswith("http")
    assert post("/search/", {**INDIA, "query": "n"}).json() == NOTHING_FOUND


@pytest.mark.parametrize("case", PRICED, ids=lambda case: named(case)[0])
def test_prices_are_those_of_the_asked_market_and_of_no_other(soap, case):
    VariantPrice.objects.create(variant=soap.first_variant, location_id=22, selling_price="7.77", actual_price="8.88")
    path, body = named(case)
    american = post(path, {**body, "deliver_to": 22, "currency": "USD", "symbol": "anything"})
    unasked = post(path, body, cookie="deliver_to=US")
    assert "7.77" in american.text and "885" not in american.text
    assert "7.77" in unasked.text
    for wrong in ({"deliver_to": 999}, {"deliver_to": 1, "currency": "XXX"}, {"deliver_to": "1; --"}):
        refused = post(path, {**body, **wrong})
        assert refused.status_code == 422
        assert set(refused.json()["fields"]) & {"deliver_to", "currency"}


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/get-category-products/", {"category": "ayurveda", "page": 0}, "page"),
        ("/get-category-products/", {"category": "ayurveda", "page": 10_001}, "page"),
        ("/get-category-products/", {"category": "ayurveda", "page": "two"}, "page"),
        ("/get-category-products/", {"category": "ayurveda", "concern": ["x"] * 51}, "concern"),
        ("/get-category-products/", {"category": "ayurveda", "query": "n" * 101}, "query"),
        ("/get-category-products/", {"category": "ayurveda", "is_published": False}, "is_published"),
        ("/get-brand-product/", {"brand": "vanamitra", "page": -1}, "page"),
        ("/get-product/", {}, "product"),
        ("/get-product/", {"product": "x" * 300}, "product"),
        ("/search/", {}, "query"),
        ("/search/", {"query": "n" * 101}, "query"),
        ("/search/", {"query": ["neem"]}, "query"),
    ],
)
def test_bad_input_is_refused_and_its_field_named(path, body, field):
    answer = post(path, body)
    assert answer.status_code == 422
    refusal = answer.json()
    assert set(refusal) >= {"detail", "code", "request_id", "fields"} and field in refusal["fields"]


def test_wildcards_and_short_queries_are_no_way_around(soap):
    for literal in ("%", "_", "*", "neem* OR soap", '"'):
        assert post("/search/", {**INDIA, "query": literal * 2}).status_code == 200
    assert post("/search/", {**INDIA, "query": "%%"}).json() == NOTHING_FOUND
    assert post("/get-category-products/", {**INDIA, "category": "ayurveda", "query": "zz"}).json()["total_products"]


def test_hidden_and_missing_products_are_alike(soap):
    Product.objects.update(is_published=False)
    hidden, missing = (post("/get-product/", {"product": slug}) for slug in ("neem-soap", "no-such"))
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert hidden.json() | {"request_id": ""} == missing.json() | {"request_id": ""}


def test_other_methods_and_other_content_are_refused_in_words(client):
    assert client.get("/get-product/").status_code == 405
    sent = Client(headers={"sec-fetch-site": "same-origin"}).post("/get-product/", "<a/>", content_type="text/xml")
    assert sent.status_code == 415 and sent.json()["detail"]
