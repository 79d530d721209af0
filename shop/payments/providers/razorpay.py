"""The provider, as this shop uses it: a thin wrapper around Razorpay's SDK.

Every call has a time limit and is made once; nothing is called inside a database transaction.
Answers are read tolerantly, but what decides about money must have the right shape: anything
else counts as no answer. Amounts are whole paise.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import razorpay
import requests
from django.conf import settings
from razorpay.errors import BadRequestError, GatewayError, ServerError

from shop.http.outbound import inside_transaction

from ..simulator.session import in_process_session
from .keys import current_keys

TIMEOUT = (3, 10)  # seconds to connect, seconds to answer
MAX_ANSWER = 1024 * 1024  # bytes
PAGE = 100  # rows of a list, the most that the provider gives
UNDERSTOOD = (200, 400, 409)
UNREADABLE = (TypeError, KeyError, ValueError, AttributeError)


class ProviderError(Exception):
    """The provider could not do what was asked."""


class NoAnswer(ProviderError):
    """Down, slow, over its limit or unreadable: what was asked may or may not have been done."""


class Refused(ProviderError):
    """The provider understood and said no; the text is the provider's description."""


@dataclass(frozen=True, slots=True)
class ProviderOrder:
    id: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class ProviderPayment:
    id: str
    order_id: str
    amount: int
    currency: str
    status: str  # created, authorized, captured, refunded or failed
    failure: str
    payer_email: str = ""

    @property
    def is_captured(self) -> bool:
        """The money is here. (What is "refunded" came and went.)"""
        return self.status == "captured"


@dataclass(frozen=True, slots=True)
class LedgerOrder:
    """An order as the provider lists it, with the tries to pay it."""

    id: str
    receipt: str
    notes: Mapping[str, Any]
    payments: list[ProviderPayment]


@dataclass(frozen=True, slots=True)
class ProviderRefund:
    id: str
    payment_id: str
    amount: int
    status: str  # pending, processed or failed
    receipt: str


def create_order(*, amount: int, receipt: str, notes: Mapping[str, str]) -> ProviderOrder:
    body = {"amount": amount, "currency": "INR", "receipt": receipt, "notes": dict(notes)}
    return _read_order(_ask(lambda client: client.order.create(body, timeout=TIMEOUT)))


def find_order(receipt: str) -> ProviderOrder | None:
    """The provider's order of this receipt. There is no idempotency key for creating orders, so this
    is asked before an order is created a second time."""
    found = _ask(lambda client: client.order.all({"receipt": receipt}, timeout=TIMEOUT))
    orders = [row for row in _items(found) if row.get("receipt") == receipt]
    return _read_order(orders[0]) if orders else None


def payments_of(razorpay_order_id: str) -> list[ProviderPayment]:
    found = _ask(lambda client: client.order.payments(razorpay_order_id, timeout=TIMEOUT))
    return [_read_payment(row) for row in _items(found)]


def fetch_payment(razorpay_payment_id: str) -> ProviderPayment:
    return _of_id(razorpay_payment_id, _ask(lambda client: client.payment.fetch(razorpay_payment_id, timeout=TIMEOUT)))


def capture(payment: ProviderPayment) -> ProviderPayment:
    body = {"currency": payment.currency}  # the SDK writes into this dict
    return _of_id(
        payment.id, _ask(lambda client: client.payment.capture(payment.id, payment.amount, body, timeout=TIMEOUT))
    )


def refund(*, razorpay_payment_id: str, amount: int, key: str) -> ProviderRefund:
    """Safe to repeat with the same key, which is also the refund's receipt."""
    body = {"amount": amount, "speed": "normal", "receipt": key}
    headers = {"X-Refund-Idempotency": key}
    return _read_refund(
        _ask(lambda client: client.payment.refund(razorpay_payment_id, body, headers=headers, timeout=TIMEOUT))
    )


def refunds_of(razorpay_payment_id: str) -> list[ProviderRefund]:
    found = _ask(
        lambda client: client.payment.fetch_multiple_refund(razorpay_payment_id, {"count": 100}, timeout=TIMEOUT)
    )
    return [_read_refund(row) for row in _items(found)]


def orders_between(since: datetime, until: datetime) -> Iterator[list[LedgerOrder]]:
    """The provider's own list of orders made in a time, page by page, the newest first."""
    for rows in _pages("order", since, until, **{"expand[]": "payments"}):
        yield [_read_ledger_order(row) for row in rows]


def refunds_between(since: datetime, until: datetime) -> Iterator[list[ProviderRefund]]:
    for rows in _pages("refund", since, until):
        yield [_read_refund(row) for row in rows]


def _pages(kind: str, since: datetime, until: datetime, **more: str) -> Iterator[list[dict[str, Any]]]:
    period = {"from": int(since.timestamp()), "to": int(until.timestamp()) + 1, "count": PAGE, **more}
    for skip in itertools.count(0, PAGE):
        query = period | {"skip": skip}
        rows = _items(_ask(lambda client, query=query: getattr(client, kind).all(query, timeout=TIMEOUT)))  # type: ignore[misc]
        yield rows
        if len(rows) < PAGE:
            return


# --- The client, and reading its answers -------------------------------------------------

_kept = threading.local()
# A provider that is slow holds half of a web worker's four threads; the others go on serving. Once a call
# was left without answer one of them tries at a time, and everybody else is refused at once.
_lines, _probing_line = threading.BoundedSemaphore(2), threading.BoundedSemaphore(1)
_hung_at = [float("-inf")]  # by time.monotonic
WAIT_FOR_A_LINE = 2.0  # seconds
HUNG_FOR = 30.0


def _client() -> razorpay.Client:
    """One client per thread, because its HTTP session is not safe to share."""
    keys = current_keys()
    if not (keys.key_id and keys.key_secret):
        raise NoAnswer("The provider's keys are not set.")
    current = (keys.key_id, keys.key_secret, settings.RAZORPAY_API_URL, settings.SIMULATED_GATEWAY)
    if getattr(_kept, "made_for", None) != current:
        session = in_process_session() if settings.SIMULATED_GATEWAY else requests.Session()
        session.hooks["response"].append(_read_in_full)
        _kept.client = razorpay.Client(
            session=session, auth=(keys.key_id, keys.key_secret), base_url=settings.RAZORPAY_API_URL
        )
        _kept.made_for = current
    return _kept.client


def _read_in_full(response: requests.Response, *args: Any, **kwargs: Any) -> None:
    """Read an answer up to a sane size. What is longer counts as no answer, and so does every status
    that says nothing about what was asked (wrong keys, too many calls): the SDK would drop it."""
    if response.status_code not in UNDERSTOOD:
        response.close()
        raise requests.RequestException(f"The answer has the status {response.status_code}.")
    pieces, size = [], 0
    for piece in response.iter_content(64 * 1024):
        size += len(piece)
        if size > MAX_ANSWER:
            response.close()
            raise requests.RequestException("The answer is too large.")
        pieces.append(piece)
    response._content = b"".join(pieces)


@contextmanager
def _line() -> Iterator[None]:
    """One of the few lines to the provider. The simulator in this process cannot hang and needs none."""
    if settings.SIMULATED_GATEWAY:
        yield
        return
    hangs = time.monotonic() - _hung_at[0] < HUNG_FOR
    line, patience = (_probing_line, 0) if hangs else (_lines, WAIT_FOR_A_LINE)
    if not line.acquire(timeout=patience):
        raise NoAnswer("Others wait for the provider already.")
    try:
        yield
        _hung_at[0] = float("-inf")
    except requests.Timeout:
        _hung_at[0] = time.monotonic()
        raise
    finally:
        line.release()


def _ask(call: Callable[[razorpay.Client], Any]) -> dict[str, Any]:
    if inside_transaction():
        raise RuntimeError("The provider is never called inside a database transaction.")
    try:
        with _line():
            answer = call(_client())
    except BadRequestError as error:
        raise Refused(str(error)) from error
    except (GatewayError, ServerError, requests.RequestException, *UNREADABLE) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}") from error
    if not isinstance(answer, dict):
        raise NoAnswer("The answer is no object.")
    return answer


def _items(answer: dict[str, Any]) -> list[dict[str, Any]]:
    items = answer.get("items")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise NoAnswer("The answer is no list.")
    return items


def _read_order(row: dict[str, Any]) -> ProviderOrder:
    return ProviderOrder(id=_text(row, "id"), amount=_paise(row), currency=_text(row, "currency"))


def _read_payment(row: dict[str, Any]) -> ProviderPayment:
    return ProviderPayment(
        id=_text(row, "id"),
        order_id=str(row.get("order_id") or ""),
        amount=_paise(row),
        currency=_text(row, "currency"),
        status=_text(row, "status"),
        failure=str(row.get("error_reason") or row.get("error_description") or "")[:200],
        payer_email=str(row.get("email") or "")[:254],
    )


def _read_ledger_order(row: dict[str, Any]) -> LedgerOrder:
    notes = row.get("notes")
    return LedgerOrder(
        id=_text(row, "id"),
        receipt=str(row.get("receipt") or ""),
        notes=notes if isinstance(notes, dict) else {},  # without any the provider answers an empty list
        payments=[_read_payment(money) for money in _items(row["payments"])] if row.get("payments") else [],
    )


def _of_id(payment_id: str, row: dict[str, Any]) -> ProviderPayment:
    found = _read_payment(row)
    if found.id != payment_id:
        raise NoAnswer("The answer is about another payment.")
    return found


def _read_refund(row: dict[str, Any]) -> ProviderRefund:
    return ProviderRefund(
        id=_text(row, "id"),
        payment_id=_text(row, "payment_id"),
        amount=_paise(row),
        status=_text(row, "status"),
        receipt=str(row.get("receipt") or ""),
    )


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= 40:
        raise NoAnswer(f"The answer has no {name}.")
    return value


def _paise(row: dict[str, Any]) -> int:
    amount = row.get("amount")
    if type(amount) is not int or amount < 0:
        raise NoAnswer("The answer has no amount.")
    return amount
