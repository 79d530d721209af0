"""The simulated provider answers like the real one."""

import base64
import json
import threading

import pytest
import razorpay
import requests

from shop.payments import gateway
from shop.payments.keys import simulated_keys
from shop.payments.simulator.api import Call, answer
from shop.payments.simulator.payer import pay
from shop.payments.simulator.server import make_server

ACCOUNTS = {"rzp_test_one": "first", "rzp_test_two": "second"}
ORDER = {"amount": 10050, "currency": "INR", "receipt": "r-1"}


def ask(method, path, body=None, *, key="rzp_test_one", secret=None, query=None, scheme="Basic", **headers):
    credentials = base64.b64encode(f"{key}:{secret or ACCOUNTS.get(key, '')}".encode()).decode()
    headers = {"authorization": f"{scheme} {credentials}"} | headers
    found = answer(Call(method, path, query or {}, headers, json.dumps(body or {}).encode()), ACCOUNTS)
    return found.status, found.body


def test_an_order_has_the_providers_shape(db):
    status, order = ask("POST", "/v1/orders", ORDER | {"notes": {}})
    assert status == 200
    assert order["id"].startswith("order_") and len(order["id"]) == 20
    assert (order["status"], order["amount_due"], order["attempts"], order["notes"]) == ("created", 10050, 0, [])
    assert ask("GET", f"/v1/orders/{order['id']}") == (200, order)


@pytest.mark.parametrize(
    "body",
    [
        ORDER | {"amount": 99},
        ORDER | {"amount": 100.5},
        ORDER | {"amount": "100"},
        ORDER | {"amount": True},
        ORDER | {"amount": 99991, "currency": "KWD"},
        ORDER | {"receipt": "x" * 41},
    ],
)
def test_wrong_input_names_its_field(db, body):
    status, refusal = ask("POST", "/v1/orders", body)
    assert (status, refusal["error"]["code"]) == (400, "BAD_REQUEST_ERROR")
    assert refusal["error"]["field"] in ("amount", "receipt")


@pytest.mark.parametrize(
    "wrong", [{"secret": "other"}, {"key": "rzp_test_three", "secret": "x"}, {"scheme": "Bearer"}, {"scheme": "basic"}]
)
def test_wrong_keys_are_refused(db, wrong):
    assert ask("POST", "/v1/orders", ORDER, **wrong)[0] == 401


def test_the_orders_of_another_account_do_not_exist(db):
    _, order = ask("POST", "/v1/orders", ORDER)
    status, refusal = ask("GET", f"/v1/orders/{order['id']}", key="rzp_test_two")
    assert (status, refusal["error"]["description"]) == (400, "The id provided does not exist")
    assert "not a valid id" in ask("GET", "/v1/orders/order_1")[1]["error"]["description"]
    assert ask("GET", "/v1/orders", key="rzp_test_two")[1]["count"] == 0


def test_lists_have_count_and_skip_and_find_a_receipt(db):
    for number in range(3):
        ask("POST", "/v1/orders", ORDER | {"receipt": f"r-{number}"})
    assert [row["receipt"] for row in ask("GET", "/v1/orders", query={"count": "2"})[1]["items"]] == ["r-2", "r-1"]
    assert ask("GET", "/v1/orders", query={"skip": "2"})[1]["count"] == 1
    assert ask("GET", "/v1/orders", query={"receipt": "r-1"})[1]["count"] == 1
    assert ask("GET", "/v1/orders", query={"count": "101"})[0] == 400


@pytest.fixture
def client(db):
    """The provider as the SDK sees it, with the shop's own simulated account."""
    return gateway._client()


def test_refunds_keep_to_the_capture_and_to_their_key(client):
    order = client.order.create(ORDER, timeout=1)
    paid = pay(order["id"]).razorpay_payment_id

    def refund(amount, key):
        headers = {"X-Refund-Idempotency": key}
        return client.payment.refund(paid, {"amount": amount}, headers=headers, timeout=1)

    first = refund(4000, "refund-key-1")
    assert refund(4000, "refund-key-1") == first
    assert client.payment.fetch(paid, timeout=1)["refund_status"] == "partial"
    for amount, key, words in [
        (5000, "refund-key-1", "Different request"),
        (7000, "refund-key-2", "greater than"),
        (99, "refund-key-3", "at least INR"),
        (100, "short", "idempotency key"),
    ]:
        with pytest.raises(razorpay.errors.BadRequestError, match=words):
            refund(amount, key)
    refund(6050, "refund-key-4")
    assert client.payment.fetch(paid, timeout=1)["status"] == "refunded"
    with pytest.raises(razorpay.errors.BadRequestError, match="fully refunded"):
        refund(100, "refund-key-5")
    assert client.payment.fetch_multiple_refund(paid, timeout=1)["count"] == 2


def test_capture_wants_the_authorized_amount_once(client):
    order = client.order.create(ORDER, timeout=1)
    paid = pay(order["id"], until="authorized").razorpay_payment_id
    with pytest.raises(razorpay.errors.BadRequestError, match="equal to the amount authorized"):
        client.payment.capture(paid, 10049, {"currency": "INR"}, timeout=1)
    assert client.payment.capture(paid, 10050, {"currency": "INR"}, timeout=1)["captured"] is True
    assert client.order.fetch(order["id"], timeout=1)["status"] == "paid"
    with pytest.raises(razorpay.errors.BadRequestError, match="already been captured"):
        client.payment.capture(paid, 10050, {"currency": "INR"}, timeout=1)


def test_a_call_without_a_time_limit_is_a_mistake(client):
    with pytest.raises(ValueError, match="time limit"):
        client.order.create(ORDER)


@pytest.mark.django_db(transaction=True)
def test_the_same_code_answers_as_a_server():
    keys = simulated_keys()
    with make_server(0, {keys.key_id: keys.key_secret}) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = razorpay.Client(
            session=requests.Session(),
            auth=(keys.key_id, keys.key_secret),
            base_url=f"http://127.0.0.1:{server.server_port}",
        )
        order = client.order.create(ORDER, timeout=5)
        assert client.order.all({"receipt": "r-1"}, timeout=5)["items"] == [order]
        server.shutdown()
