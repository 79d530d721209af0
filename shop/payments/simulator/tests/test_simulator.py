"""The simulated provider answers like the real one, from memory and from the shop's database."""

import base64
import json
from random import Random

import pytest

from ..endpoints import Call, answer
from ..payer import move_payment, pay, pay_at_window
from ..provider import Provider
from ..shapes import FAILURES, SimulatorError
from ..store import MemoryStore, TableStore

ACCOUNTS = {"rzp_test_one": "first", "rzp_test_two": "second"}
ORDER = {"amount": 10050, "currency": "INR", "receipt": "r-1"}


@pytest.fixture(params=[MemoryStore, TableStore])
def provider(db, request):
    return Provider(ACCOUNTS, store=request.param(), random=Random(1))


@pytest.fixture
def ask(provider):
    """ask("POST", "/v1/orders", {…}): the status and the body that are answered."""

    def call(method, path, body=None, *, key="rzp_test_one", secret=None, query=None, scheme="Basic", **headers):
        credentials = base64.b64encode(f"{key}:{secret or ACCOUNTS.get(key, '')}".encode()).decode()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"authorization": f"{scheme} {credentials}"}
        found = answer(provider, Call(method, path, query or {}, headers, json.dumps(body or {}).encode()))
        return found.status, json.loads(found.payload)

    return call


@pytest.fixture
def order(ask):
    return ask("POST", "/v1/orders", ORDER)[1]


@pytest.fixture
def paid(provider, order):
    return pay(order["id"], provider=provider).razorpay_payment_id


def refusal(found):
    status, body = found
    return status, body["error"]["description"]


# --- Keys, ids, errors -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [{"secret": "other"}, {"key": "rzp_test_three", "secret": "x"}, {"scheme": "Bearer"}, {"scheme": "basic"}]
)
def test_wrong_keys_are_refused(ask, wrong):
    assert ask("POST", "/v1/orders", ORDER, **wrong)[0] == 401


def test_live_keys_are_refused_even_where_they_are_known():
    provider = Provider({"rzp_live_one": "first"})
    credentials = base64.b64encode(b"rzp_live_one:first").decode()
    assert answer(provider, Call("GET", "/v1/orders", headers={"authorization": f"Basic {credentials}"})).status == 401


def test_the_orders_of_another_account_do_not_exist(ask, order):
    foreign = ask("GET", f"/v1/orders/{order['id']}", key="rzp_test_two")
    assert refusal(foreign) == (400, "The id provided does not exist")
    assert refusal(ask("GET", "/v1/orders/order_1")) == (400, "order_1 is not a valid id")
    assert ask("GET", "/v1/orders", key="rzp_test_two")[1] == {"entity": "collection", "count": 0, "items": []}
    assert ask("GET", "/v1/nothing")[0] == 404


def test_ids_repeat_with_the_seed():
    def first_ids():
        provider = Provider(ACCOUNTS, random=Random(7))
        return [provider.create_order("rzp_test_one", dict(ORDER)).id for _ in range(3)]

    assert first_ids() == first_ids()
    assert len({*first_ids()}) == 3


# --- Orders ------------------------------------------------------------------------------------


def test_an_order_has_the_providers_shape(ask):
    status, order = ask("POST", "/v1/orders", ORDER | {"notes": {}})
    assert status == 200
    assert order["id"].startswith("order_") and len(order["id"]) == 20
    assert order == {
        "id": order["id"], "entity": "order", "amount": 10050, "amount_paid": 0, "amount_due": 10050,
        "currency": "INR", "receipt": "r-1", "offer_id": None, "status": "created", "attempts": 0, "notes": [],
        "created_at": order["created_at"],
    }  # fmt: skip
    assert ask("GET", f"/v1/orders/{order['id']}") == (200, order)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"amount": 99}, "amount"),
        ({"amount": 49, "currency": "USD"}, "amount"),
        ({"amount": 0, "currency": "JPY"}, "amount"),
        ({"amount": -100}, "amount"),
        ({"amount": 100.5}, "amount"),
        ({"amount": "100"}, "amount"),
        ({"amount": True}, "amount"),
        ({"amount": None}, "amount"),
        ({"amount": 99991, "currency": "KWD"}, "amount"),
        ({"currency": "inr"}, "currency"),
        ({"currency": None}, "currency"),
        ({"receipt": "x" * 41}, "receipt"),
        ({"receipt": 7}, "receipt"),
        ({"notes": {str(n): "x" for n in range(16)}}, "notes"),
        ({"notes": {"long": "x" * 257}}, "notes"),
        ({"notes": "text"}, "notes"),
        ({"payment": {"capture": "sometimes"}}, "payment.capture"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_input_names_its_field(ask, changes, field):
    status, body = ask("POST", "/v1/orders", ORDER | changes)
    assert (status, body["error"]["code"], body["error"]["field"]) == (400, "BAD_REQUEST_ERROR", field)
    assert body["error"].keys() == {"code", "description", "source", "step", "reason", "metadata", "field"}
    assert (body["error"]["source"], body["error"]["reason"]) == ("business", "input_validation_failed")


@pytest.mark.parametrize(("amount", "currency", "paise"), [(50, "USD", 4150), (1, "JPY", 8300), (99990, "KWD", 829917)])
def test_other_currencies_have_their_own_exponent(provider, ask, amount, currency, paise):
    _, order = ask("POST", "/v1/orders", {"amount": amount, "currency": currency})
    with pytest.raises(SimulatorError, match="rupees only"):
        pay(order["id"], method="upi", provider=provider)
    result = pay(order["id"], provider=provider)
    payment = ask("GET", f"/v1/payments/{result.razorpay_payment_id}")[1]
    assert (payment["base_amount"], payment["base_currency"]) == (paise, "INR")


def test_an_account_without_international_payments_takes_rupees_only(provider, ask):
    provider.international = False
    assert refusal(ask("POST", "/v1/orders", ORDER | {"currency": "USD"})) == (400, "Currency is not supported")
    assert ask("POST", "/v1/orders", ORDER)[0] == 200


def test_lists_have_count_skip_from_and_to_and_find_a_receipt(provider, ask):
    for number in range(3):
        ask("POST", "/v1/orders", ORDER | {"receipt": f"r-{number}"})
        provider.clock.advance(100)

    def receipts(**query):
        return [row["receipt"] for row in ask("GET", "/v1/orders", query=query)[1]["items"]]

    oldest = ask("GET", "/v1/orders", query={"receipt": "r-0"})[1]["items"][0]["created_at"]
    assert receipts(count="2") == ["r-2", "r-1"]
    assert receipts(skip="2") == ["r-0"]
    assert receipts(**{"from": str(oldest + 50)}) == ["r-2", "r-1"]
    assert receipts(to=str(oldest + 150)) == ["r-1", "r-0"]
    assert receipts(receipt="r-1") == ["r-1"]
    assert [ask("GET", "/v1/orders", query=wrong)[0] for wrong in ({"count": "101"}, {"count": "0"}, {"skip": "-1"})] == [400] * 3  # fmt: skip  # noqa: E501


def test_orders_are_listed_by_authorized_and_with_their_payments(provider, ask, order):
    ask("POST", "/v1/orders", ORDER | {"receipt": "r-2"})
    pay(order["id"], until="failed", provider=provider)
    assert ask("GET", "/v1/orders", query={"authorized": "1"})[1]["count"] == 0
    paid = pay(order["id"], provider=provider).razorpay_payment_id
    [found] = ask("GET", "/v1/orders", query={"authorized": "1", "expand[]": "payments"})[1]["items"]
    assert (found["status"], found["attempts"], found["amount_paid"], found["amount_due"]) == ("paid", 2, 10050, 0)
    assert [row["status"] for row in found["payments"]["items"]] == ["captured", "failed"]
    listed = ask("GET", f"/v1/orders/{order['id']}/payments")[1]
    assert listed["items"][0]["id"] == paid
    assert ask("GET", "/v1/orders", query={"authorized": "0"})[1]["items"][0]["receipt"] == "r-2"


def test_only_notes_can_be_changed(ask, order, paid):
    for path in (f"/v1/orders/{order['id']}", f"/v1/payments/{paid}"):
        assert ask("PATCH", path, {"notes": {"a": "b"}})[1]["notes"] == {"a": "b"}
        assert ask("PATCH", path, {"notes": {}})[1]["notes"] == []
        assert ask("PATCH", path, {"amount": 1})[0] == 400


# --- Payments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "told", "acquirer"),
    [
        ({"method": "card"}, {"bank": None, "vpa": None}, {"auth_code"}),
        ({"method": "netbanking", "bank": "SBIN"}, {"bank": "SBIN", "card_id": None}, {"bank_transaction_id"}),
        ({"method": "wallet"}, {"wallet": "mobikwik"}, {"transaction_id"}),
        ({"method": "upi"}, {"vpa": "success@razorpay"}, {"rrn", "upi_transaction_id"}),
    ],
)
def test_each_method_has_its_shape(provider, ask, order, typed, told, acquirer):
    pay_at_window(provider, "rzp_test_one", order["id"], typed)
    provider.clock.advance(2)
    provider.run_due()
    [payment] = ask("GET", f"/v1/orders/{order['id']}/payments")[1]["items"]
    assert payment.items() >= (told | {"status": "captured", "captured": True, "method": typed["method"]}).items()
    assert payment["acquirer_data"].keys() == acquirer and all(payment["acquirer_data"].values())
    assert payment["tax"] < payment["fee"] == 201
    assert payment["notes"] == [] and "card" not in payment and not any(name.startswith("_") for name in payment)
    assert (payment["method"] == "upi") == ("upi" in payment)
    expanded = ask("GET", f"/v1/payments/{payment['id']}", query={"expand[]": "card"})[1]
    assert expanded.get("card", {}).get("last4") == ("1007" if payment["method"] == "card" else None)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ({"card": "4100 2800 0000 1007"}, None),
        ({"card": "5500 6700 0000 1002", "otp": "1234567890"}, None),
        ({"card": "4012 8888 8888 1881"}, None),
        ({"card": "4100 2800 0008 0001"}, "insufficient_funds"),
        ({"card": "4100 2800 0007 0002"}, "payment_cancelled"),
        ({"otp": "123"}, "incorrect_otp"),
        ({"otp": "12345678901"}, "incorrect_otp"),
        ({"method": "upi", "vpa": "success@razorpay"}, None),
        ({"method": "upi", "vpa": "failure@razorpay"}, "payment_declined"),
        ({"method": "upi", "vpa": "nobody"}, "invalid_vpa"),
        *(({"reason": reason}, reason) for reason in FAILURES),
    ],
)
def test_what_is_typed_decides(provider, ask, order, typed, reason):
    pay_at_window(provider, "rzp_test_one", order["id"], typed)
    provider.clock.advance(2)
    provider.run_due()
    [payment] = ask("GET", f"/v1/orders/{order['id']}/payments")[1]["items"]
    assert (payment["status"], payment["error_reason"]) == ("failed" if reason else "captured", reason)
    assert all((payment[name] is None) == (reason is None) for name in payment if name.startswith("error_"))
    assert ask("GET", f"/v1/orders/{order['id']}")[1]["status"] == ("attempted" if reason else "paid")


def test_an_upi_payment_needs_a_moment_and_no_window(provider, order):
    seen = pay_at_window(provider, "rzp_test_one", order["id"], {"method": "upi"})
    assert provider.store.get("payment", seen["waiting"]).body["status"] == "created"
    provider.run_due()
    assert provider.store.get("payment", seen["waiting"]).body["status"] == "created"
    provider.clock.advance(2)
    provider.run_due()
    assert provider.store.get("payment", seen["waiting"]).body["status"] == "captured"


def test_a_paid_or_authorized_order_takes_no_other_payment(provider, ask):
    for until in ("authorized", "captured"):
        _, order = ask("POST", "/v1/orders", ORDER)
        pay(order["id"], until=until, provider=provider)
        with pytest.raises(SimulatorError, match="already paid"):
            pay(order["id"], provider=provider)


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({}, "captured"),
        ({"payment": {"capture": "manual", "capture_options": {"manual_expiry_period": 7200}}}, "authorized"),
        ({"payment": {"capture": "automatic"}}, "captured"),
        ({"payment_capture": 0}, "authorized"),
        ({"payment_capture": 1}, "captured"),
    ],
)
def test_an_order_says_how_it_is_captured(provider, ask, options, status):
    _, order = ask("POST", "/v1/orders", ORDER | options)
    pay_at_window(provider, "rzp_test_one", order["id"], {})
    assert ask("GET", f"/v1/orders/{order['id']}/payments")[1]["items"][0]["status"] == status


def test_capture_wants_the_authorized_amount_once(provider, ask, order):
    path = f"/v1/payments/{pay(order['id'], until='authorized', provider=provider).razorpay_payment_id}/capture"
    for wrong in ({"amount": 10049}, {"amount": 10050, "currency": "USD"}, {}):
        assert refusal(ask("POST", path, wrong)) == (400, "Capture amount must be equal to the amount authorized")
    assert ask("POST", path, {"amount": 10050, "currency": "INR"})[1]["captured"] is True
    assert ask("GET", f"/v1/orders/{order['id']}")[1]["status"] == "paid"
    assert "already been captured" in refusal(ask("POST", path, {"amount": 10050, "currency": "INR"}))[1]


def test_what_is_never_captured_goes_back_after_three_days(provider, ask, order):
    payment_id = pay(order["id"], until="authorized", provider=provider).razorpay_payment_id
    for days, status in ((2.9, "authorized"), (0.2, "refunded")):
        provider.clock.advance(days * 86400)
        provider.run_due()
        payment = ask("GET", f"/v1/payments/{payment_id}")[1]
        assert (payment["status"], payment["captured"]) == (status, False)
    assert payment["amount_refunded"] == 10050


def test_failed_is_not_final_but_captured_is(provider, ask, order):
    payment_id = pay(order["id"], until="failed", provider=provider).razorpay_payment_id
    assert move_payment(payment_id, "captured", provider)["error_code"] is None
    assert move_payment(payment_id, "failed", provider)["status"] == "captured"


def test_money_that_comes_late_to_a_paid_order_goes_back_by_itself(provider, ask, order):
    seen = pay_at_window(provider, "rzp_test_one", order["id"], {"method": "upi"})
    pay(order["id"], provider=provider)
    provider.clock.advance(2)
    provider.run_due()
    late = ask("GET", f"/v1/payments/{seen['waiting']}")[1]
    assert (late["status"], late["refund_status"], late["captured"]) == ("refunded", "full", False)


# --- Refunds ------------------------------------------------------------------------------------------


def test_refunds_keep_to_the_capture_and_to_their_key(ask, paid):
    def refund(body, key="", payment_id=paid):
        return ask("POST", f"/v1/payments/{payment_id}/refund", body, x_refund_idempotency=key)

    status, first = refund({"amount": 4000, "receipt": "a", "speed": "normal"}, "refund-key-1")
    assert (status, first["status"], first["payment_id"], first["notes"]) == (200, "processed", paid, [])
    assert refund({"amount": 4000, "receipt": "a", "speed": "normal"}, "refund-key-1") == (200, first)
    payment = ask("GET", f"/v1/payments/{paid}")[1]
    assert (payment["refund_status"], payment["status"], payment["amount_refunded"]) == ("partial", "captured", 4000)
    for body, key, status, words in [
        ({"amount": 4000, "receipt": "b"}, "refund-key-1", 409, "Different request with the same"),
        ({"amount": 7000}, "refund-key-2", 400, "greater than amount captured"),
        ({"amount": 99}, "refund-key-3", 400, "at least INR 1.00"),
        ({"amount": "100"}, "refund-key-3", 400, "must be an integer"),
        ({"amount": 100, "colour": "red"}, "", 400, "colour is/are not required and should not be sent"),
        ({"amount": 100, "speed": "soon"}, "", 400, "speed"),
        ({"amount": 100}, "short", 400, "idempotency key"),
        ({"amount": 100}, "odd characters!", 400, "idempotency key"),
    ]:
        found = refusal(refund(body, key))
        assert found[0] == status and words in found[1]
    assert refund({})[1]["amount"] == 6050  # without an amount: the rest
    payment = ask("GET", f"/v1/payments/{paid}")[1]
    assert (payment["refund_status"], payment["status"]) == ("full", "refunded")
    assert "fully refunded already" in refusal(refund({"amount": 100}))[1]
    assert [row["amount"] for row in ask("GET", f"/v1/payments/{paid}/refunds")[1]["items"]] == [6050, 4000]
    assert ask("GET", f"/v1/payments/{paid}/refunds/{first['id']}") == (200, first)
    assert ask("GET", f"/v1/refunds/{first['id']}") == (200, first)
    assert ask("GET", "/v1/refunds")[1]["count"] == 2
    assert ask("GET", f"/v1/refunds/{first['id']}", key="rzp_test_two")[0] == 400


def test_only_captured_money_of_the_last_six_months_is_given_back(provider, ask, order, paid):
    _, other = ask("POST", "/v1/orders", ORDER)
    waiting = pay(other["id"], until="authorized", provider=provider).razorpay_payment_id
    assert "should be captured" in refusal(ask("POST", f"/v1/payments/{waiting}/refund", {"amount": 100}))[1]
    provider.clock.advance(184 * 86400)
    assert "6 months" in refusal(ask("POST", f"/v1/payments/{paid}/refund", {"amount": 100}))[1]


@pytest.mark.parametrize(
    ("fault", "status", "refunded"), [("refund_pending", "processed", 10050), ("refund_fails", "failed", 0)]
)
def test_a_refund_may_end_later(provider, ask, fault, status, refunded):
    _, order = ask("POST", "/v1/orders", ORDER)
    provider.change(provider.store.get("order", order["id"]), _fault={"name": fault})
    paid = pay(order["id"], provider=provider).razorpay_payment_id
    refund = ask("POST", f"/v1/payments/{paid}/refund", {"amount": 10050})[1]
    assert refund["status"] == "pending"
    provider.clock.advance(121)
    provider.run_due()
    assert ask("GET", f"/v1/refunds/{refund['id']}")[1]["status"] == status
    assert ask("GET", f"/v1/payments/{paid}")[1]["amount_refunded"] == refunded
