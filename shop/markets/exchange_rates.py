"""Rates from a file or an address: JSON {"USD": "88.5"} or CSV with the columns currency, inr."""

import csv
import io
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

import requests
from django.db import transaction

from shop.errors import Invalid
from shop.http.api import parse_json

from .queries import stale_currencies
from .services import set_rate

logger = logging.getLogger(__name__)
MAX_BYTES = 1024 * 1024
TIMEOUTS = (3.0, 10.0)  # seconds to connect, and between two pieces of the answer
WHOLE_SECONDS = 20.0


@dataclass
class Refreshed:
    """What became of the rates of one source; `refused` maps a currency to the reason."""

    written: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def refresh_rates(rates: Iterable[tuple[str, str]], *, source: str, force: bool = False) -> Refreshed:
    """Write every good rate of (currency, INR for one unit); a bad one is refused and keeps no other."""
    outcome = Refreshed()
    for currency, text in rates:
        try:
            with transaction.atomic():
                set_rate(currency, _number(text), source[:200], force=force)
        except Invalid as refusal:
            outcome.refused[currency] = refusal.message
        else:
            outcome.written.append(currency)
    return outcome


def read_rates(source: str) -> list[tuple[str, str]]:
    """(currency, INR) as written in a file or at an http(s) address. Raises Invalid."""
    text = _fetch(source) if source.startswith(("http://", "https://")) else _open(source)
    rates = _read_json(text) if text.lstrip().startswith("{") else _read_csv(text)
    if not rates:
        raise Invalid(f"{source} contains no rates.")
    return rates


def warn_of_old_rates() -> None:
    """Scheduled job."""
    if old := stale_currencies():
        logger.warning("rates older than 7 days: %s; run manage.py refresh_rates", ", ".join(old))


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise Invalid(f"{text[:40]!r} is not a number.") from error


def _open(name: str) -> str:
    if "://" in name:
        raise Invalid("Enter a file name or an http(s) address.")
    try:
        with Path(name).open("rb") as file:
            return _decode(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise Invalid(f"{name} cannot be read: {error.strerror}.") from error


def _fetch(address: str) -> str:
    until = time.monotonic() + WHOLE_SECONDS
    body = b""
    try:
        with requests.get(address, timeout=TIMEOUTS, stream=True) as answer:
            answer.raise_for_status()
            for piece in answer.iter_content(16 * 1024):
                body += piece
                if len(body) > MAX_BYTES or time.monotonic() > until:
                    break
    except requests.RequestException as error:
        raise Invalid(f"{address} is not responding: {type(error).__name__}.") from error
    if time.monotonic() > until:
        raise Invalid(f"{address} took longer than {WHOLE_SECONDS:.0f} seconds.")
    return _decode(body)


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise Invalid("That's too large to be a list of rates.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Invalid("That isn't UTF-8 text.") from error


def _read_json(text: str) -> list[tuple[str, str]]:
    """Numbers are taken as written, so that none passes through a binary fraction."""
    try:
        rates = parse_json(text, parse_float=str, parse_int=str, parse_constant=str)
    except ValueError as error:
        raise Invalid("That isn't JSON.") from error
    return [(currency, str(inr)) for currency, inr in rates.items()]


def _read_csv(text: str) -> list[tuple[str, str]]:
    rows = csv.DictReader(io.StringIO(text))
    if not {"currency", "inr"} <= set(rows.fieldnames or []):
        raise Invalid("The first line of the CSV must name the columns currency and inr.")
    return [((row["currency"] or "").strip(), (row["inr"] or "").strip()) for row in rows]
