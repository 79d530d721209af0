"""When things arrive, from the cart on: for the PIN code that was asked about, line by line where dates differ."""

import re

import pytest

from shop.catalog.models import Product
from shop.markets.models import ServiceRule

PAGE = "/en-in/cart/"


@pytest.fixture
def lines(client, make_variant):
    """Two lines in a visitor's cart, of which the second takes longer."""
    variants = [make_variant(price="100", units=5) for _ in range(2)]
    Product.objects.filter(pk=variants[1].product_id).update(dispatch_max_day=20)
    for variant in variants:
        client.post("/en-in/cart/add/", {"variant": variant.pk})
    return variants


def dates(page):
    """As the page shows them, without what its script takes over."""
    page = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    return re.findall(r"Delivery by \w{3} \d+ \w{3}(?: to \d{6})?", page)


def test_the_cart_says_when_each_line_and_the_whole_is_there(client, lines):
    first, second, whole = dates(client.get(PAGE).text)
    assert first != second and whole == second


def test_lines_that_arrive_together_have_one_date(client, lines):
    client.post("/en-in/cart/remove/", {"variant": lines[1].pk})
    assert len(dates(client.get(PAGE).text)) == 1


def test_the_pin_code_asked_on_a_product_page_counts_in_the_cart(client, lines):
    ServiceRule.objects.create(location_id=1, prefix="6820", extra_days=9)
    before = client.get(PAGE).context["cart_view"].arrives_on
    client.get(f"/en-in/product/{lines[0].product.slug}/delivery/?pincode=682001")
    page = client.get(PAGE)
    assert (page.context["cart_view"].arrives_on - before).days == 9
    assert dates(page.text)[-1].endswith(" to 682001")
    assert "682001" not in client.get("/en-us/cart/").text


@pytest.mark.parametrize("pin", ["12", "999999", "<b>", "6820010"])
def test_what_is_no_pin_code_is_not_kept(client, lines, pin):
    client.get(f"/en-in/product/{lines[0].product.slug}/delivery/", {"pincode": pin})
    assert "pin" not in client.cookies
    client.cookies["pin"] = pin
    assert " to " not in "".join(dates(client.get(PAGE).text))


def test_where_nothing_can_be_sent_the_cart_says_so(client, lines):
    ServiceRule.objects.create(location_id=1, prefix="744", is_served=False)
    client.cookies["pin"] = "744101"
    page = client.get(PAGE).text
    assert "We don&#x27;t deliver to 744101." in page and dates(page) == []


def test_the_calls_say_it_too(client, lines):
    client.cookies["pin"] = "682001"
    answer = client.post("/get-cart/", {"deliver_to": 1}, content_type="application/json").json()
    assert answer["display"]["arrival"].endswith(" to 682001")
    assert set(answer["display"]["arrivals"]) == {str(variant.pk) for variant in lines}
