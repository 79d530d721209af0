"""What single cells say: texts, prices, numbers, yes and no. Raises BadRow where one makes no sense."""

import hashlib
import html
import json
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, TypeVar

from django.utils.text import slugify

from shop import money
from shop.html import clean_html
from shop.http.api import parse_json

from ..rows import MAX_LEVELS, BadRow, Row

_BROKEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060\ufeff\ud800-\udfff]")
_SPACES = re.compile(r"[\s\ufffd]+")
_AMOUNT = re.compile(r"-?(?<![\d.,])[\d.,]*\d")
_DECIMAL_COMMA = re.compile(r",\d{1,2}\Z")
_RUPEES = re.compile(r"₹|\brs\.?|\binr\b", re.IGNORECASE)
_OTHER_MONEY = re.compile(r"[$€£¥]|\b(?:usd|eur|gbp|aed)\b", re.IGNORECASE)
_BETWEEN_ADDRESSES = re.compile(r"""(?<![\s,;|"'\[\]{}])[\s,;|"'\[\]{}]++(?=[a-z][a-z0-9+.-]*+://|//)""", re.IGNORECASE)
_AROUND_ADDRESSES = " ,;|\"'[]{}"
MAX_PRICE = Decimal(10) ** 10
YES = {"true", "yes", "y", "1", "on", "active"}
NO = {"false", "no", "n", "0", "-1", "off", "draft", "archived", "unlisted"}
T = TypeVar("T")


def text(cell: str) -> str:
    """One line of clean text: entities read, control characters and U+FFFD gone, single spaces."""
    plain = _BROKEN.sub("", html.unescape(cell))
    return _SPACES.sub(" ", unicodedata.normalize("NFC", plain)).strip()


def rich_text(cell: str) -> str:
    """Clean HTML with its lines kept."""
    return clean_html(_BROKEN.sub("", cell).replace("\ufffd", " "))


def addresses(cell: str) -> list[str]:
    """Each address of a cell that holds one, some with commas, bars or blanks between, or a list as programs print it.

    A blank inside an address stays. Of entities only &amp; is read: &copy=1 may be a part of a query.
    """
    words = _BROKEN.sub("", cell).replace("&amp;", "&").strip(_AROUND_ADDRESSES + "\t\r\n")
    found = [" ".join(address.splitlines()).strip(_AROUND_ADDRESSES) for address in _BETWEEN_ADDRESSES.split(words)]
    return [f"https:{address}" if address.startswith("//") else address for address in found if address]


def yes_or_no(cell: str, column: str) -> bool | None:
    """None for an empty cell."""
    word = cell.strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    if word:
        raise BadRow(f"{column} is neither yes nor no: {text(cell)[:40]!r}")
    return None


def whole_number(cell: str, column: str, maximum: int = 32767) -> int | None:
    word = cell.strip()
    if not word:
        return None
    if not re.fullmatch(r"\d{1,9}(?:\.0+)?", word) or int(float(word)) > maximum:
        raise BadRow(f"{column} is not a whole number from 0 to {maximum}: {text(cell)[:40]!r}")
    return int(float(word))


def number(cell: str, column: str, *, places: int = 2, digits: int = 7) -> Decimal | None:
    """A number from 0 with so many digits before the point, rounded to `places`; None for an empty cell."""
    word = cell.strip()
    if not word:
        return None
    is_number = re.fullmatch(r"\d{0,40}(?:\.\d{1,40})?", word) and word != "."
    if not is_number or len(word.partition(".")[0]) > digits:
        raise BadRow(f"{column} is not a number: {text(cell)[:40]!r}")
    return Decimal(word).quantize(Decimal(1).scaleb(-places))


def kept(row: Row, read: Callable[[], T]) -> T | None:
    """What a minor cell says; where it makes no sense the row is kept without it, with a remark."""
    try:
        return read()
    except BadRow as reason:
        row.notes.append(f"{reason}; left out")
        return None


def is_open(row: Row, cell: str, column: str) -> bool | None:
    """Whether something may be shown; a word that is neither yes nor no keeps it back, with a remark."""
    try:
        return yes_or_no(cell, column)
    except BadRow as reason:
        row.notes.append(f"{reason}; kept back")
        return False


def units(row: Row, cell: str, column: str) -> int | None:
    """Stock; what is below nothing counts as nothing, with a remark."""
    if re.fullmatch(r"-\d+(?:\.0+)?", cell.strip()):
        row.notes.append(f"{column} is {cell.strip()[:20]}, below zero, so it counts as 0")
        return 0
    return kept(row, lambda: whole_number(cell, column, maximum=10**9))


def measure(row: Row, cell: str, column: str, *, places: int = 3) -> Decimal | None:
    """A weight or the like; a remark where rounding changed it."""
    value = kept(row, lambda: number(cell, column, places=places))
    if value is not None and value != Decimal(cell.strip()):
        row.notes.append(f"{column} {cell.strip()[:50]} was rounded to {value}")
    return value


def json_object(cell: str, column: str) -> dict[str, Any] | None:
    if not cell.strip():
        return None
    try:
        value = parse_json(cell)
    except ValueError:
        value = None
    if not isinstance(value, dict) or _BROKEN.search(json.dumps(value, ensure_ascii=False).replace("\\u0000", "\0")):
        raise BadRow(f"{column} is not a JSON object")
    return value


class PriceReader:
    """Reads prices written in one currency, as INR at `rate` INR for one unit."""

    def __init__(self, currency: str = money.INR, rate: Decimal = Decimal(1)) -> None:
        self.currency = currency
        self.rate = rate

    def read(self, cell: str) -> Decimal | None:
        """ "Rs. 1,125.00" as 1125.00; None for nothing, zero, or words such as "Not For Sale"."""
        foreign = _RUPEES if self.currency != money.INR else _OTHER_MONEY
        if foreign.search(cell):
            raise BadRow(f"the price {text(cell)[:40]!r} is not in {self.currency}; use --currency")
        words = _RUPEES.sub("", cell).replace(" ", "")
        found = _AMOUNT.search(words)
        if not found:
            return None
        amount = _amount(found.group())
        if amount is None or not 0 <= amount < MAX_PRICE or re.search(r"\d", words[found.end() :]):
            raise BadRow(f"the price is not valid: {text(cell)[:40]!r}")
        inr = money.to_inr(amount, self.rate)
        if inr >= MAX_PRICE:
            raise BadRow(f"the price is too high: {text(cell)[:40]!r}")
        return inr if inr > 0 else None


def _amount(digits: str) -> Decimal | None:
    """1,125.00 and 1.125,00 and 1,23,456 as a person means them; None for 1.2.3."""
    if _DECIMAL_COMMA.search(digits):
        digits = digits.replace(".", "").replace(",", ".")
    try:
        return Decimal(digits.replace(",", ""))
    except InvalidOperation:
        return None


@lru_cache(8)  # the earlier handle mostly has the same words
def _words(text: str) -> str:
    return slugify(text, allow_unicode=True)


def same_name(name: str) -> str:
    """By this two names are compared: case, kinds of spaces and Unicode's ways to write one letter do not matter;
    every dot, sign, stroke and vowel does."""
    if name.isascii():
        return " ".join(name.lower().split())
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())


def handle_of(*parts: str) -> str:
    """A key for a product that has none in its file: its words to be read, and what tells it from every other."""
    identity = "\n".join(map(same_name, parts))
    words = _words(" ".join(filter(None, parts)))[:180].strip("-")
    return f"{words}-{hashlib.blake2s(identity.encode(), digest_size=8).hexdigest()}".lstrip("-")


def earlier_handle_of(*parts: str) -> str:
    """The key of such a product in imports until November 2026; products with different names may share one."""
    handle = _words(" ".join(filter(None, parts)))
    return handle if len(handle) <= 200 else f"{handle[:180]}-{short_hash(handle)}"


def generated_sku(handle: str, options: tuple[tuple[str, str], ...]) -> str:
    """The same SKU for the same handle and options, whatever the order and case."""
    values = "-".join(slugify(value) for _, value in options)
    key = "\n".join([handle, *sorted(f"{name}\t{value}".casefold() for name, value in options)])
    return f"{slugify(f'{handle} {values}')[:90]}-{short_hash(key)}".lstrip("-")


def short_hash(words: str) -> str:
    return hashlib.blake2s(words.encode(), digest_size=4).hexdigest()


def levels(*names: str) -> tuple[str, ...]:
    """Up to three category names from top to bottom, without blanks and repetitions."""
    path: list[str] = []
    for name in map(text, names):
        if name and (not path or path[-1].casefold() != name.casefold()):
            path.append(name)
    return tuple(path[:MAX_LEVELS])
