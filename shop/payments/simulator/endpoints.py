"""The simulator's HTTP interface: one function from a call to an answer."""

import base64
import binascii
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from .provider import Provider
from .shapes import SimulatorError, collection, read_notes, require_only
from .store import Body, Row


@dataclass
class Call:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""
    fault: Body | None = None  # of the order that this call creates

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
    body: Any
    text: bytes | None = None  # instead of the body
    trouble: str = ""  # nothing comes ("silence"), half of it ("cut"), no connection ("refused")

    @property
    def payload(self) -> bytes:
        return json.dumps(self.body).encode() if self.text is None else self.text

    @property
    def content_type(self) -> str:
        return "text/html" if self.text and self.text.startswith(b"<") else "application/json"


def read_query(text: str) -> dict[str, str]:
    return dict(parse_qsl(text, keep_blank_values=True))


def answer(provider: Provider, call: Call) -> Answer:
    """Answer a call as the provider would."""
    try:
        account = _authenticate(provider, call)
        for method, pattern, endpoint in ENDPOINTS:
            if method == call.method and (match := pattern.fullmatch(call.path)):
                with provider.store.atomic():
                    return Answer(200, endpoint(provider, account, call, *match.groups()))
        raise SimulatorError("The requested URL was not found on the server.", status=404)
    except SimulatorError as error:
        return Answer(error.status, error.body)


def _authenticate(provider: Provider, call: Call) -> str:
    scheme, _, encoded = call.headers.get("authorization", "").partition(" ")
    try:
        key_id, _, secret = base64.b64decode(encoded).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise SimulatorError("The api key provided is invalid", status=401) from error
    known = provider.accounts.get(key_id, "")
    if scheme != "Basic" or not key_id.startswith("rzp_test_") or not known:
        raise SimulatorError("The api key provided is invalid", status=401)
    if not hmac.compare_digest(known.encode(), secret.encode()):
        raise SimulatorError("Authentication failed", status=401)
    return key_id


Endpoint = Callable[..., Body]


def _create_order(provider: Provider, account: str, call: Call) -> Body:
    return provider.create_order(account, call.json(), call.fault).public


def _list_orders(provider: Provider, account: str, call: Call) -> Body:
    query = call.query
    rows = provider.store.find("order", account=account, **({"mark": query["receipt"]} if "receipt" in query else {}))
    if "authorized" in query:
        rows = [row for row in rows if _is_authorized(provider, row) == (query["authorized"] == "1")]
    show = _with_payments if query.get("expand[]") == "payments" else _plain
    return collection([show(provider, row) for row in _page(rows, query)])


def _is_authorized(provider: Provider, order: Row) -> bool:
    return any(row.body["status"] not in ("created", "failed") for row in provider.payments_of(order))


def _with_payments(provider: Provider, order: Row) -> Body:
    payments = collection([row.public for row in provider.payments_of(order)])
    return order.public | {"payments": payments}


def _plain(provider: Provider, row: Row) -> Body:
    return row.public


def _with_card(provider: Provider, row: Row) -> Body:
    return row.expanded


def _shape(call: Call) -> Callable[[Provider, Row], Body]:
    return _with_card if call.query.get("expand[]") == "card" else _plain


def _show(kind: str) -> Endpoint:
    return lambda provider, account, call, row_id: _shape(call)(provider, provider.require(account, kind, row_id))


def _list(kind: str) -> Endpoint:
    def endpoint(provider: Provider, account: str, call: Call) -> Body:
        rows = _page(provider.store.find(kind, account=account), call.query)
        return collection([_shape(call)(provider, row) for row in rows])

    return endpoint


def _list_below(parent_kind: str, kind: str) -> Endpoint:
    def endpoint(provider: Provider, account: str, call: Call, parent: str) -> Body:
        provider.require(account, parent_kind, parent)
        return collection([row.public for row in _page(provider.store.find(kind, parent=parent), call.query)])

    return endpoint


def _page(rows: list[Row], query: Mapping[str, str]) -> list[Row]:
    """Newest first, by `count`, `skip`, `from` and `to`."""
    count, skip = _whole(query, "count", 10), _whole(query, "skip", 0)
    if not 1 <= count <= 100:
        raise SimulatorError("The count must be between 1 and 100.", field="count")
    earliest, latest = _whole(query, "from", 0), _whole(query, "to", 2**40)
    return [row for row in rows if earliest <= row.body["created_at"] <= latest][skip : skip + count]


def _whole(query: Mapping[str, str], name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise SimulatorError(f"The {name} must be an integer.", field=name)
    return int(value)


def _edit_notes(kind: str) -> Endpoint:
    def endpoint(provider: Provider, account: str, call: Call, row_id: str) -> Body:
        body, row = call.json(), provider.require(account, kind, row_id)
        require_only(body, {"notes"})
        provider.change(row, notes=read_notes(body.get("notes")))
        return row.public

    return endpoint


def _capture(provider: Provider, account: str, call: Call, payment_id: str) -> Body:
    body, payment = call.json(), provider.require(account, "payment", payment_id)
    if payment.body["captured"]:
        raise SimulatorError("This payment has already been captured")
    if payment.body["status"] != "authorized":
        raise SimulatorError("Only payments which have been authorized and not yet captured can be captured")
    if (body.get("amount"), body.get("currency", "INR")) != (payment.body["amount"], payment.body["currency"]):
        raise SimulatorError("Capture amount must be equal to the amount authorized", field="amount")
    provider.capture(payment)
    return payment.public


def _refund(provider: Provider, account: str, call: Call, payment_id: str) -> Body:
    key = call.headers.get("x-refund-idempotency", "")
    if key and not re.fullmatch(r"[A-Za-z0-9_-]{10,}", key):
        raise SimulatorError("The idempotency key must be at least 10 characters of letters, digits, - and _")
    return provider.refund(provider.require(account, "payment", payment_id), call.json(), key).public


def _refund_of(provider: Provider, account: str, call: Call, payment_id: str, refund_id: str) -> Body:
    refund = provider.require(account, "refund", refund_id)
    if refund.parent != payment_id:
        raise SimulatorError("The id provided does not exist")
    return refund.public


ENDPOINTS: list[tuple[str, re.Pattern[str], Endpoint]] = [
    ("POST", re.compile(r"/v1/orders"), _create_order),
    ("GET", re.compile(r"/v1/orders"), _list_orders),
    ("GET", re.compile(r"/v1/orders/([^/]+)"), _show("order")),
    ("PATCH", re.compile(r"/v1/orders/([^/]+)"), _edit_notes("order")),
    ("GET", re.compile(r"/v1/orders/([^/]+)/payments"), _list_below("order", "payment")),
    ("GET", re.compile(r"/v1/payments"), _list("payment")),
    ("GET", re.compile(r"/v1/payments/([^/]+)"), _show("payment")),
    ("PATCH", re.compile(r"/v1/payments/([^/]+)"), _edit_notes("payment")),
    ("POST", re.compile(r"/v1/payments/([^/]+)/capture"), _capture),
    ("POST", re.compile(r"/v1/payments/([^/]+)/refund"), _refund),
    ("GET", re.compile(r"/v1/payments/([^/]+)/refunds"), _list_below("payment", "refund")),
    ("GET", re.compile(r"/v1/payments/([^/]+)/refunds/([^/]+)"), _refund_of),
    ("GET", re.compile(r"/v1/refunds"), _list("refund")),
    ("GET", re.compile(r"/v1/refunds/([^/]+)"), _show("refund")),
]
