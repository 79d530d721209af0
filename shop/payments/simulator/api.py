"""The simulator's HTTP interface: one function from a call to an answer."""

import base64
import binascii
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from . import records
from .records import Body, SimulatorError


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""

    def json(self) -> Body:
        try:
            found = json.loads(self.body or b"{}")
        except ValueError as error:
            raise SimulatorError("Invalid JSON in the request body") from error
        if not isinstance(found, dict):
            raise SimulatorError("The request body must be an object")
        return found


@dataclass(frozen=True)
class Answer:
    status: int
    body: Body


def answer(call: Call, accounts: Mapping[str, str]) -> Answer:
    """Answer a call as the provider would; `accounts` maps key ids to their secrets."""
    try:
        account = _authenticate(call, accounts)
        for method, pattern, endpoint in ENDPOINTS:
            if method == call.method and (match := re.fullmatch(pattern, call.path)):
                with transaction.atomic():
                    return Answer(200, endpoint(account, call, *match.groups()))
        raise SimulatorError("The requested URL was not found on the server.", status=404)
    except SimulatorError as error:
        return Answer(error.status, error.body)


def _authenticate(call: Call, accounts: Mapping[str, str]) -> str:
    scheme, _, encoded = call.headers.get("authorization", "").partition(" ")
    try:
        key_id, _, secret = base64.b64decode(encoded).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise SimulatorError("The api key provided is invalid", status=401) from error
    known = accounts.get(key_id, "")
    if scheme != "Basic" or not key_id.startswith("rzp_test_") or not known:
        raise SimulatorError("The api key provided is invalid", status=401)
    if not hmac.compare_digest(known.encode(), secret.encode()):
        raise SimulatorError("Authentication failed", status=401)
    return key_id


def _create_order(account: str, call: Call) -> Body:
    return records.make_order(account, call.json())


def _list_orders(account: str, call: Call) -> Body:
    query = dict(call.query)
    filters: dict[str, Any] = {"mark": query["receipt"]} if "receipt" in query else {}
    return records.listing(account, "order", query, **filters)


def _show(kind: str) -> Callable[[str, Call, str], Body]:
    return lambda account, call, record_id: records.lock(account, kind, record_id).body


def _list(kind: str) -> Callable[[str, Call], Body]:
    return lambda account, call: records.listing(account, kind, dict(call.query))


def _list_below(parent_kind: str, kind: str) -> Callable[[str, Call, str], Body]:
    def endpoint(account: str, call: Call, parent: str) -> Body:
        records.lock(account, parent_kind, parent)
        return records.listing(account, kind, dict(call.query), parent=parent)

    return endpoint


def _edit_notes(kind: str) -> Callable[[str, Call, str], Body]:
    def endpoint(account: str, call: Call, record_id: str) -> Body:
        body = call.json()
        if body.keys() - {"notes"}:
            raise SimulatorError("Only notes can be changed.")
        return records.change(records.lock(account, kind, record_id), notes=body.get("notes") or [])

    return endpoint


def _capture(account: str, call: Call, payment_id: str) -> Body:
    body, payment = call.json(), records.lock(account, "payment", payment_id)
    if payment.body["captured"]:
        raise SimulatorError("This payment has already been captured")
    if payment.body["status"] != "authorized":
        raise SimulatorError("Only payments which have been authorized and not yet captured can be captured")
    if (body.get("amount"), body.get("currency", "INR")) != (payment.body["amount"], payment.body["currency"]):
        raise SimulatorError("Capture amount must be equal to the amount authorized", field="amount")
    return records.capture_payment(account, payment)


def _refund(account: str, call: Call, payment_id: str) -> Body:
    key = call.headers.get("x-refund-idempotency", "")
    if key and not re.fullmatch(r"[A-Za-z0-9_-]{10,}", key):
        raise SimulatorError("The idempotency key must be at least 10 characters of letters, digits, - and _")
    return records.make_refund(account, records.lock(account, "payment", payment_id), call.json(), key)


def _refund_of(account: str, call: Call, payment_id: str, refund_id: str) -> Body:
    refund = records.lock(account, "refund", refund_id)
    if refund.parent != payment_id:
        raise SimulatorError("The id provided does not exist")
    return refund.body


ENDPOINTS: list[tuple[str, str, Callable[..., Body]]] = [
    ("POST", r"/v1/orders", _create_order),
    ("GET", r"/v1/orders", _list_orders),
    ("GET", r"/v1/orders/([^/]+)", _show("order")),
    ("PATCH", r"/v1/orders/([^/]+)", _edit_notes("order")),
    ("GET", r"/v1/orders/([^/]+)/payments", _list_below("order", "payment")),
    ("GET", r"/v1/payments", _list("payment")),
    ("GET", r"/v1/payments/([^/]+)", _show("payment")),
    ("PATCH", r"/v1/payments/([^/]+)", _edit_notes("payment")),
    ("POST", r"/v1/payments/([^/]+)/capture", _capture),
    ("POST", r"/v1/payments/([^/]+)/refund", _refund),
    ("GET", r"/v1/payments/([^/]+)/refunds", _list_below("payment", "refund")),
    ("GET", r"/v1/payments/([^/]+)/refunds/([^/]+)", _refund_of),
    ("GET", r"/v1/refunds", _list("refund")),
    ("GET", r"/v1/refunds/([^/]+)", _show("refund")),
]
