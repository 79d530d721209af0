from datetime import date

import pytest

from shop.catalog.models import Attribute, AttributeValue, OldSlug, Product, VariantPrice
from shop.catalog.product_page import delivery_for


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


def test_quantities_run_to_the_smaller_of_maximum_and_stock(client, oil):
    oil.variants.update(max_purchase_qty=3)
    assert list(client.get("/en-in/product/face-oil/").context["page"].chosen.quantities) == [1, 2, 3]


def test_a_prescription_product_is_shown_and_not_sold(client, oil):
    Product.objects.update(is_prescription=True)
    answer = client.get("/en-in/product/face-oil/")
    assert not answer.context["page"].is_sellable
    assert "ADD TO CART" not in answer.content.decode()


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
