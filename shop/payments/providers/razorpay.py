"""Razorpay: a thin wrapper around its SDK.

Every call has a time limit and is made once; nothing is called inside a database transaction.
Answers are read tolerantly, but what decides about money must have the right shape: anything
else counts as no answer. Amounts are whole paise.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.utils.translation import gettext, gettext_noop
from razorpay import Client
from razorpay.errors import BadRequestError, GatewayError, ServerError

from shop.http.outbound import inside_transaction
from shop.markets.market import Market
from shop.orders.payment_methods import ONLINE, PaymentOption

from ..simulator.session import in_process_session
from .base import (
    LedgerOrder,
    NoAnswer,
    PaymentProvider,
    ProviderOrder,
    ProviderPayment,
    ProviderRefund,
    Refused,
)
from .failures import OF_THE_WINDOW, UNKNOWN, WORDS
from .keys import current_keys, is_checkout_signature, is_webhook_signature

TIMEOUT = (3, 10)  # seconds to connect, seconds to answer
MAX_ANSWER = 1024 * 1024  # bytes
DOMAIN = "razorpay.com"
PAGE = 100  # rows of a list, the most that the provider gives
UNDERSTOOD = (200, 400, 409)
UNREADABLE = (TypeError, KeyError, ValueError, AttributeError)


class Razorpay(PaymentProvider):
    name = "razorpay"
    payment_method = ONLINE
    recorded_as = "provider"
    label, checkout_label = gettext_noop("Online"), gettext_noop("Pay online")
    icon = "card"
    has_provider_orders = can_capture = can_refund = True
    # By the names of its window's `prefill.method`.
    all_options = (
        PaymentOption("upi", "UPI", "upi", gettext_noop("PAY %(amount)s with UPI")),
        PaymentOption("card", gettext_noop("Credit or debit card"), "card", gettext_noop("PAY %(amount)s by card")),
        PaymentOption("netbanking", gettext_noop("Net banking"), "bank", gettext_noop("PAY %(amount)s by net banking")),
        PaymentOption("wallet", gettext_noop("Wallet"), "wallet", gettext_noop("PAY %(amount)s from your wallet")),
    )

    def options(self, market: Market) -> tuple[PaymentOption, ...]:
        """The others need an account at a bank in India."""
        return self.all_options if market.country_code == "IN" else ()

    def create_order(self, *, amount: int, receipt: str, notes: Mapping[str, str]) -> ProviderOrder:
        body = {"amount": amount, "currency": "INR", "receipt": receipt, "notes": dict(notes)}
        return _read_order(_ask(lambda client: client.order.create(body, timeout=TIMEOUT)))

    def find_order(self, receipt: str) -> ProviderOrder | None:
        # There is no idempotency key for creating orders.
        found = _ask(lambda client: client.order.all({"receipt": receipt}, timeout=TIMEOUT))
        orders = [row for row in _items(found) if row.get("receipt") == receipt]
        return _read_order(orders[0]) if orders else None

    def payments_of(self, order_id: str) -> list[ProviderPayment]:
        found = _ask(lambda client: client.order.payments(order_id, timeout=TIMEOUT))
        return [_read_payment(row) for row in _items(found)]

    def fetch(self, payment_id: str) -> ProviderPayment:
        return _of_id(payment_id, _ask(lambda client: client.payment.fetch(payment_id, timeout=TIMEOUT)))

    def capture(self, payment: ProviderPayment) -> ProviderPayment:
        body = {"currency": payment.currency}  # the SDK writes into this dict
        return _of_id(
            payment.id, _ask(lambda client: client.payment.capture(payment.id, payment.amount, body, timeout=TIMEOUT))
        )

    def refund(self, *, payment_id: str, amount: int, key: str) -> ProviderRefund:
        body = {"amount": amount, "speed": "normal", "receipt": key}
        headers = {"X-Refund-Idempotency": key}
        return _read_refund(
            _ask(lambda client: client.payment.refund(payment_id, body, headers=headers, timeout=TIMEOUT))
        )

    def refunds_of(self, payment_id: str) -> list[ProviderRefund]:
        found = _ask(lambda client: client.payment.fetch_multiple_refund(payment_id, {"count": 100}, timeout=TIMEOUT))
        return [_read_refund(row) for row in _items(found)]

    def orders_between(self, since: datetime, until: datetime) -> Iterator[list[LedgerOrder]]:
        for rows in _pages("order", since, until, **{"expand[]": "payments"}):
            yield [_read_ledger_order(row) for row in rows]

    def refunds_between(self, since: datetime, until: datetime) -> Iterator[list[ProviderRefund]]:
        for rows in _pages("refund", since, until):
            yield [_read_refund(row) for row in rows]

    def verify_payment(self, *, order_id: str, payment_id: str, signature: str) -> bool:
        return is_checkout_signature(signature, razorpay_order_id=order_id, razorpay_payment_id=payment_id)

    def verify_webhook(self, body: bytes, headers: Mapping[str, str]) -> str:
        given = {name.lower(): value for name, value in headers.items()}
        is_own = is_webhook_signature(given.get("x-razorpay-signature", ""), body)
        return given.get("x-razorpay-event-id", "") if is_own else ""

    @property
    def is_simulated(self) -> bool:
        return settings.SIMULATED_GATEWAY

    @property
    def public_key(self) -> str:
        return current_keys().key_id

    def browser(self) -> dict[str, Any]:
        words = {reason: gettext(text) for reason, text in (WORDS | OF_THE_WINDOW).items()}
        return {"key": self.public_key, "script": settings.RAZORPAY_CHECKOUT_URL, "failure_words": words}

    def explain_failure(self, reason: str) -> str:
        return gettext(WORDS.get(reason, UNKNOWN))

    def words(self, *, is_paid: bool) -> str:
        return gettext("Paid online") if is_paid else gettext("Online, not paid")

    def missing_settings(self) -> Iterator[str]:
        for name in ("RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET"):
            if not getattr(settings, name):
                yield name
        for name in ("RAZORPAY_API_URL", "RAZORPAY_CHECKOUT_URL"):
            if not (_is_own(getattr(settings, name)) or settings.IS_LOCAL):
                yield f"{name} to the provider's own address (a simulator serves a shop on loopback only)"

    def setting_warnings(self) -> Iterator[str]:
        if settings.RAZORPAY_KEY_ID.startswith("rzp_test_") and not settings.IS_LOCAL:
            yield "RAZORPAY_KEY_ID is a test key: orders are placed without real money."


def _is_own(url: str) -> bool:
    address = urlsplit(url)
    host = address.hostname or ""
    return address.scheme == "https" and (host == DOMAIN or host.endswith(f".{DOMAIN}"))


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


def _client() -> Client:
    """One client per thread, because its HTTP session is not safe to share."""
    keys = current_keys()
    if not (keys.key_id and keys.key_secret):
        raise NoAnswer("The provider's keys are not set.")
    current = (keys.key_id, keys.key_secret, settings.RAZORPAY_API_URL, settings.SIMULATED_GATEWAY)
    if getattr(_kept, "made_for", None) != current:
        session = in_process_session() if settings.SIMULATED_GATEWAY else requests.Session()
        session.hooks["response"].append(_read_in_full)
        _kept.client = Client(session=session, auth=(keys.key_id, keys.key_secret), base_url=settings.RAZORPAY_API_URL)
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


def _ask(call: Callable[[Client], Any]) -> dict[str, Any]:
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


razorpay = Razorpay()
