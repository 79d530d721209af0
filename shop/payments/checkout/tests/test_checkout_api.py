"""save-orders, verify-razorpay-payment and user-orders, as a client of the API sees them."""

import json
from decimal import Decimal

import pytest
from django.test import Client

from shop.cart.services import open_cart
from shop.catalog.models import Variant
from shop.orders.conftest import new_address
from shop.orders.models import Order

from ...models import Payment, SimulatedRecord
from ...simulator.faults import plan
from ...simulator.payer import pay

MONEY = ("sub_total_amt", "shipping_amt", "coupon_amt", "total_amount")


@pytest.fixture
def variant(make_variant):
    return make_variant(price="250", units=10)


@pytest.fixture
def buyer(variant, new_buyer):
    return new_buyer({variant: 2})


@pytest.fixture
def call(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)

    def post(path, body, **headers):
        answer = client.post(f"/en-in{path}", json.dumps(body), content_type="application/json", headers=headers)
        return answer.status_code, answer.json()

    return post


@pytest.fixture
def body(buyer, variant, call):
    """What a client sends: its address, its lines, and the totals that get-cart told."""
    _, cart = call("/get-cart/", {})
    return {
        "user_id": buyer.addresses.get().pk,
        "sub_total_amt": cart["sub_total_amt"],
        "shipping_amt": cart["shipping_amt"],
        "coupon_amt": 0,
        "total_amount": cart["total_amount"],
        "payment_currency": "INR",
        "coupon_code": "",
        "awb_number": "",
        "final_package_weight": 0,
        "cart_items": [
            {
                "product_variant_id": variant.pk,
                "quantity": 2,
                "selected_attributes": {},
                "currency_amount": "250",
                "inr_amount": 0,
                "weight_actual": 0,
                "weight_unit": "g",
                "weight_percent_inc": 0.10,
                "weight_shipping": 0.55,
            }
        ],
    }


def result_of(data):
    result = pay(data["razorpay_order_id"])
    return {name: getattr(result, name) for name in result.__slots__}


def test_an_order_is_saved_paid_verified_and_listed(call, body):
    status, answer = call("/save-orders/", body)
    assert status == 200
    order = Order.objects.get()
    assert answer["data"] == {
        "razorpay_order_id": Payment.objects.get().razorpay_order_id,
        "order_number": order.number,
        "amount": int(order.total_inr * 100),
        "currency": "INR",
        "key": "rzp_test_simulated",
    }
    result = result_of(answer["data"])
    for _ in range(2):
        status, verified = call("/verify-razorpay-payment/", result)
        assert (status, verified["msg"]) == (200, "Order Placed Successfully")
    [listed] = verified["orders"]
    assert call("/user-orders/", {}) == (200, [listed])
    assert (listed["id"], listed["latest_status"]) == (order.number, "placed")
    assert (listed["sub_total_amt"], listed["order_items"][0]["quantity"]) == ("500.000", 2)


@pytest.mark.parametrize("currency", ["USD", "inr", "", "INR ", "ZZZ"])
def test_a_payment_is_asked_for_in_rupees_only(call, body, currency):
    status, answer = call("/save-orders/", body | {"payment_currency": currency})
    assert status == 422 and "payment_currency" in str(answer["fields"])
    assert not Order.objects.exists()


def test_the_payment_currency_may_be_absent(call, body):
    del body["payment_currency"]
    assert call("/save-orders/", body)[0] == 200


@pytest.mark.parametrize("name", MONEY)
@pytest.mark.parametrize(
    ("value", "status"),
    [(1, 409), (-1, 409), (10**9, 409), ("0.01", 409), ("NaN", 422), (None, 422), ([], 422), (True, 422)],
)
def test_no_money_field_buys_at_another_price(call, body, name, value, status):
    assert call("/save-orders/", body | {name: value})[0] == status
    assert not Order.objects.exists()


@pytest.mark.parametrize("name", ["sub_total_amt", "total_amount"])
def test_nothing_is_sold_for_nothing(call, body, name):
    assert call("/save-orders/", body | {name: 0})[0] == 409
    assert not Order.objects.exists()


def test_a_difference_answers_with_the_fresh_cart(call, body, variant):
    Variant.objects.filter(pk=variant.pk).update(selling_price=Decimal("240"))
    status, answer = call("/save-orders/", body)
    assert (status, answer["code"]) == (409, "changed")
    assert Decimal(answer["sub_total_amt"]) == 480
    assert not Order.objects.exists()


@pytest.mark.parametrize("change", [{"quantity": 1}, {"quantity": 3}, {"currency_amount": "249.99"}])
def test_other_lines_than_the_carts_are_refused(call, body, change):
    body["cart_items"][0] |= change
    assert call("/save-orders/", body)[0] == 409
    assert not Order.objects.exists()


def test_lines_that_name_one_variant_twice_are_summed(call, body):
    line = body["cart_items"][0]
    body["cart_items"] = [line | {"quantity": 1}, line | {"quantity": 1}]
    assert call("/save-orders/", body)[0] == 200
    assert Order.objects.get().lines.get().quantity == 2


def test_the_address_must_be_an_own_one(call, body, address):
    assert call("/save-orders/", body | {"user_id": address.pk})[0] == 404
    assert not Order.objects.exists()


def test_prices_of_one_country_with_an_address_in_another_are_refused(call, body, buyer):
    abroad = new_address(buyer, country_id=22, is_default=False)
    status, answer = call("/save-orders/", body | {"user_id": abroad.pk})
    assert (status, answer["code"]) == (409, "country_changed")
    assert call("/save-orders/", body | {"deliver_to": 22})[0] == 409
    assert not Order.objects.exists()


@pytest.mark.parametrize("field", ["status", "paid", "id", "customer", "placed_at", "is_staff", "discount"])
def test_fields_that_are_not_listed_are_refused(call, body, field):
    assert call("/save-orders/", body | {field: 1})[0] == 422


def test_one_key_gives_one_order_and_another_body_422(call, body, buyer):
    first = call("/save-orders/", body, **{"Idempotency-Key": "checkout-1"})
    result_of(first[1]["data"])
    open_cart(buyer).lines.all().delete()
    assert call("/save-orders/", body, **{"Idempotency-Key": "checkout-1"}) == first
    status, answer = call("/save-orders/", body | {"total_amount": 1}, **{"Idempotency-Key": "checkout-1"})
    assert (status, answer["code"]) == (422, "idempotency_key_reused")
    assert SimulatedRecord.objects.filter(kind="order").count() == 1


def test_while_the_provider_is_down_the_cart_is_kept(call, body, buyer):
    plan("POST", "/v1/orders", "html")
    assert call("/save-orders/", body)[0] == 503
    assert buyer.cart.lines.exists()
    assert call("/save-orders/", body)[0] == 200
    assert Order.objects.count() == 1


def test_more_than_there_is_answers_409(call, body, variant):
    Variant.objects.filter(pk=variant.pk).update(on_hand=1, received=1)
    status, answer = call("/save-orders/", body)
    assert (status, answer["code"]) == (409, "out_of_stock")


def test_a_wrong_signature_answers_400_in_words(call, body):
    _, answer = call("/save-orders/", body)
    result = result_of(answer["data"]) | {"razorpay_signature": "0" * 64}
    status, refusal = call("/verify-razorpay-payment/", result)
    assert (status, refusal["msg"]) == (400, "We couldn't verify the payment.")
    assert Order.objects.get().status == "pending"


def test_the_provider_order_of_somebody_else_is_not_found(call, body, paying):
    _, payment = paying()
    assert call("/verify-razorpay-payment/", result_of({"razorpay_order_id": payment.razorpay_order_id}))[0] == 404
    assert payment.order.status == "pending"


def test_an_unknown_provider_order_is_not_found(call):
    assert call("/verify-razorpay-payment/", {
        "razorpay_order_id": "order_1", "razorpay_payment_id": "pay_1", "razorpay_signature": "x",
    })[0] == 404  # fmt: skip


@pytest.mark.parametrize("path", ["/save-orders/", "/verify-razorpay-payment/", "/user-orders/"])
def test_strangers_are_refused(db, browser_client, path):
    assert browser_client.post(path, "{}", content_type="application/json").status_code == 401
    assert browser_client.get(path).status_code == 405


def test_foreign_ids_in_user_orders_are_not_found(call, buyer, customer):
    assert call("/user-orders/", {"user_id": buyer.pk})[0] == 200
    assert call("/user-orders/", {"user_id": customer.pk})[0] == 404
    assert call("/user-orders/", {"cart_id": str(open_cart(customer).public_id)})[0] == 404
    assert call("/user-orders/", {"page": 0})[0] == 422
    assert call("/user-orders/", {"page": 9999}) == (200, [])
