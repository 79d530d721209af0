"""What a scanner reads off a pack: a barcode alone, or a GS1 code with batch and dates in it.

A GS1 code is a run of elements, each an application identifier and its value: 01 the trade item number (14 digits), 10
the batch (up to 20 signs, ended by a separator), 11 and 17 the days of manufacture and expiry (YYMMDD; day 00 is the
last of the month). Scanners send it with separators (FNC1, as the sign GS) or people type it with brackets.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

SEPARATOR = "\x1d"
FIXED = {"01": 14, "11": 6, "17": 6, "13": 6, "15": 6}
VARIABLE = {"10": 20, "21": 20, "30": 8, "37": 8}
SYMBOLOGY = re.compile(r"^\](?:d2|C1|Q3|e0)")
IN_BRACKETS = re.compile(r"\((\d{2})\)([^()]*)")


@dataclass(frozen=True, slots=True)
class Scan:
    """What a code says; empty where it does not."""

    code: str
    number: str = ""
    manufactured: date | None = None
    expires: date | None = None


def read_scan(text: str) -> Scan:
    """Whatever is no GS1 code is a barcode or SKU as it stands."""
    text = text.strip()
    elements = _elements(SYMBOLOGY.sub("", text).strip(SEPARATOR))
    if "01" not in elements:
        return Scan(text)
    return Scan(elements["01"], elements.get("10", ""), _day(elements.get("11", "")), _day(elements.get("17", "")))


def _elements(text: str) -> dict[str, str]:
    if bracketed := IN_BRACKETS.findall(text):
        return {identifier: value.strip() for identifier, value in bracketed}
    found: dict[str, str] = {}
    while len(text) > 2:
        identifier, rest = text[:2], text[2:]
        if length := FIXED.get(identifier):
            value, text = rest[:length], rest[length:].lstrip(SEPARATOR)
            if len(value) != length or not (value.isascii() and value.isdigit()):
                return {}
        elif identifier in VARIABLE:
            value, _, text = rest.partition(SEPARATOR)
            if len(value) > VARIABLE[identifier]:
                return {}
        else:
            return {}
        found[identifier] = value
    return found


def _day(digits: str) -> date | None:
    if len(digits) != 6 or not (digits.isascii() and digits.isdigit()):
        return None
    year, month, day = 2000 + int(digits[:2]), int(digits[2:4]), int(digits[4:])
    if not 1 <= month <= 12:
        return None
    last = monthrange(year, month)[1]
    return date(year, month, day or last) if day <= last else None
