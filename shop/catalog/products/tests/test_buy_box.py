"""What the buy box island is given."""

import pytest

from ...models import Attribute, AttributeValue


@pytest.fixture
def oil(make_product, make_variant):
    size = Attribute.objects.create(name="Size", slug="size")
    product = make_product("Face Oil")
    for position, (value, units) in enumerate((("30", 5), ("50", 0))):
        variant = make_variant(
            product=product, price="649", actual="899", units=units, position=position, max_purchase_qty=2
        )
        variant.attribute_values.add(AttributeValue.objects.create(attribute=size, value=value, unit="ml"))
    return product


def props(client, path="/en-in/product/face-oil/"):
    return client.get(path).context["buy_box"]


def test_every_variant_comes_with_the_servers_price_and_totals(client, oil):
    first, second = props(client)["variants"]
    assert (first["attributes"], first["totals"], first["problem"]) == ({"Size": "30 ml"}, ["₹649.00", "₹1,298.00"], "")
    assert "₹649.00" in first["price_html"] and "27% off" in first["price_html"]
    assert (second["totals"], second["problem"]) == ([], "Out of stock. Choose another option above.")


def test_the_variant_of_the_address_is_the_chosen_one(client, oil):
    second = oil.variants.last()
    assert props(client, f"/en-in/product/face-oil/?variant={second.sku}")["chosen"] == second.pk


def test_a_product_barred_here_says_so_on_every_variant(client, oil):
    oil.barred_locations.add(1)
    assert {variant["problem"] for variant in props(client)["variants"]} == {"We can't deliver this product to India."}


def test_the_page_holds_the_island_around_a_working_form(client, oil):
    html = client.get("/en-in/product/face-oil/").content.decode()
    island = html.partition('<shop-island name="buy-box"')[2].partition("</shop-island>")[0]
    assert 'action="/en-in/cart/add/"' in island
    assert "ADD TO CART" in island
