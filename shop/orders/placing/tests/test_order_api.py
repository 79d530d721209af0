"""POST /user-orders/ (also "Fetch orders") and POST /reorder/."""

from decimal import Decimal

import pytest
from django.test import Client

from shop.cart.services import open_cart
from shop.catalog.models import Variant

from ...models import Order
from ..services import confirm_order

ORDER = {
    "id", "status", "latest_status", "placed_at", "payment_currency", "sub_total_amt", "shipping_amt", "coupon_amt",
    "total_amount", "order_items", "customer_profile",
}  # fmt: skip
ITEM = {
    "id", "cancelled", "product_name", "product_slug", "brand", "product_images", "quantity", "currency_amount",
    "batches",
}  # fmt: skip
BRAND = {"name", "slug", "img_banner", "img_banner_m"}
PROFILE = {
    "full_name", "phone_code", "phone_number", "alt_phone_code", "alt_phone_number", "address", "landmark", "city",
    "state", "pincode",
}  # fmt: skip


@pytest.fixture
def tonic(make_variant):
    return make_variant(price="250.50", units=9)


@pytest.fixture
def buyer(tonic, new_buyer):
    return new_buyer({tonic: 2})


@pytest.fixture
def order(buyer, order_of):
    order = order_of(buyer)
    confirm_order(order, actor="provider")
    return order


@pytest.fixture
def call(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)

    def call(path, body=None, client=client):
        return client.post(path, body or {}, content_type="application/json")

    return call


def test_orders_have_the_fields_of_the_specification(call, order):
    (told,) = call("/user-orders/").json()
    assert set(told) == ORDER
    assert set(told["order_items"][0]) == ITEM
    assert set(told["order_items"][0]["brand"]) == BRAND
    assert set(told["customer_profile"]) == PROFILE
    assert (told["id"], told["status"], told["latest_status"]) == (order.number, "Placed", "placed")
    assert (Decimal(told["sub_total_amt"]), told["payment_currency"]) == (501, "INR")
    assert told["order_items"][0]["quantity"] == 2


def test_orders_come_newest_first_by_pages_of_fifty(call, order):
    for number in range(50):
        copy = Order.objects.get(pk=order.pk)
        copy.pk, copy.number = None, f"ORD-COPY{number:05}"
        copy.save()
    first, second, past = (call("/user-orders/", {"page": page}).json() for page in (1, 2, 3))
    assert (len(first), len(second), past) == (50, 1, [])
    assert not {told["id"] for told in first} & {told["id"] for told in second}


@pytest.mark.parametrize("page", [0, -1, 10_001, "1", 1.0, True])
def test_an_odd_page_is_refused(call, order, page):
    assert call("/user-orders/", {"page": page}).status_code == 422


def test_fetch_orders_sends_its_own_ids_and_market(call, order, buyer):
    body = {"user_id": buyer.pk, "cart_id": str(open_cart(buyer).public_id), "deliver_to": 1, "currency": "INR"}
    assert [told["id"] for told in call("/user-orders/", body).json()] == [order.number]


def test_orders_of_another_are_not_found(call, order, new_buyer, make_variant):
    """C1: foreign ids in the body."""
    other = new_buyer({make_variant(): 1})
    for body in ({"user_id": other.pk}, {"cart_id": str(open_cart(other).public_id)}, {"user_id": 10**9}):
        assert call("/user-orders/", body).status_code == 404
    stranger = Client(headers={"sec-fetch-site": "same-origin"})
    stranger.force_login(other)
    assert call("/user-orders/", client=stranger).json() == []
    for number in (order.number, "ORD-AAAAAAAAA"):
        answer = call("/reorder/", {"order": number}, client=stranger)
        assert (answer.status_code, answer.json()["detail"]) == (404, "Not found.")


def test_nobody_is_asked_to_sign_in_first(client, order):
    for path, body in (("/user-orders/", {}), ("/reorder/", {"order": order.number})):
        answer = client.post(path, body, content_type="application/json", headers={"sec-fetch-site": "same-origin"})
        assert answer.status_code == 401


def test_the_list_takes_the_same_queries_however_long(call, order, django_assert_max_num_queries):
    call("/user-orders/")
    for number in range(5):
        copy = Order.objects.get(pk=order.pk)
        copy.pk, copy.number = None, f"ORD-COPY{number:05}"
        copy.save()
    with django_assert_max_num_queries(12):
        assert len(call("/user-orders/").json()) == 6


def test_reorder_adds_at_todays_prices_and_says_what_it_could_not(call, order, tonic):
    Variant.objects.filter(pk=tonic.pk).update(selling_price=200, received=3, on_hand=1)
    told = call("/reorder/", {"order": order.number}).json()
    assert told["lines"] == [
        {
            "product": tonic.pk, "product_name": tonic.product.name, "product_slug": tonic.product.slug,
            "quantity": 2, "added": 1, "reason": "Only 1 left in stock.",
        }
    ]  # fmt: skip
    assert [(item["product"], item["quantity"]) for item in told["cart_items"]] == [(tonic.pk, 1)]
    assert told["cart_count"] == 1
    again = call("/reorder/", {"order": order.number}).json()
    assert (again["cart_count"], again["lines"][0]["added"]) == (1, 0)


@pytest.mark.parametrize(
    "body", [{}, {"order": 1}, {"order": ""}, {"order": "x" * 21}, {"order": "\x00"}, {"order": None}]
)
def test_reorder_refuses_odd_bodies(call, order, body):
    assert call("/reorder/", body).status_code == 422
