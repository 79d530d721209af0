"""What India's tax on goods and services asks of an invoice: financial year, states, taxes inside a price."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from shop.money import PAISA

FIRST_MONTH = 4  # a financial year runs from April to March
ABROAD = "96"
# The state codes that begin every GSTIN.
STATES = {
    "01": "Jammu and Kashmir", "02": "Himachal Pradesh", "03": "Punjab", "04": "Chandigarh", "05": "Uttarakhand",
    "06": "Haryana", "07": "Delhi", "08": "Rajasthan", "09": "Uttar Pradesh", "10": "Bihar", "11": "Sikkim",
    "12": "Arunachal Pradesh", "13": "Nagaland", "14": "Manipur", "15": "Mizoram", "16": "Tripura",
    "17": "Meghalaya", "18": "Assam", "19": "West Bengal", "20": "Jharkhand", "21": "Odisha", "22": "Chhattisgarh",
    "23": "Madhya Pradesh", "24": "Gujarat", "26": "Dadra and Nagar Haveli and Daman and Diu", "27": "Maharashtra",
    "29": "Karnataka", "30": "Goa", "31": "Lakshadweep", "32": "Kerala", "33": "Tamil Nadu", "34": "Puducherry",
    "35": "Andaman and Nicobar Islands", "36": "Telangana", "37": "Andhra Pradesh", "38": "Ladakh",
}  # fmt: skip


class Supply(StrEnum):
    """Where the goods go, which decides between the taxes."""

    WITHIN = "within"  # the seller's own state: CGST and SGST, half each
    BETWEEN = "between"  # another state: IGST
    EXPORT = "export"  # abroad under a letter of undertaking: none
    TAXED_EXPORT = "taxed_export"  # abroad without one: IGST


@dataclass(frozen=True, slots=True)
class Taxes:
    """An amount that includes its tax, taken apart; the parts add up to it."""

    taxable: Decimal
    cgst: Decimal = Decimal(0)
    sgst: Decimal = Decimal(0)
    igst: Decimal = Decimal(0)


def financial_year(day: date) -> str:
    """26-27 for a day from April 2026 to March 2027."""
    first = day.year if day.month >= FIRST_MONTH else day.year - 1
    return f"{first % 100:02}-{(first + 1) % 100:02}"


def state_code(state: str) -> str:
    """The code of an Indian state in any usual spelling; empty for what is none."""
    return _CODES.get(_spelling(state), "")


def _spelling(state: str) -> str:
    letters = re.sub(r"[^a-z]", "", state.lower().replace("&", "and"))
    return letters.removesuffix("islands")


_CODES = {_spelling(name): code for code, name in STATES.items()} | {"orissa": "21", "pondicherry": "34"}


def supply_to(*, country_code: str, state: str, seller_code: str, lut: str) -> Supply:
    if country_code != "IN":
        return Supply.EXPORT if lut else Supply.TAXED_EXPORT
    return Supply.WITHIN if seller_code and seller_code == state_code(state) else Supply.BETWEEN


def taxes_in(amount: Decimal, percent: Decimal, supply: Supply) -> Taxes:
    """The taxes inside an amount to the paisa; CGST and SGST are equal."""
    if supply == Supply.EXPORT or not percent:
        return Taxes(amount)
    whole = 100 + percent
    if supply == Supply.WITHIN:
        half = (amount * percent / 2 / whole).quantize(PAISA, ROUND_HALF_UP)
        return Taxes(amount - 2 * half, cgst=half, sgst=half)
    igst = (amount * percent / whole).quantize(PAISA, ROUND_HALF_UP)
    return Taxes(amount - igst, igst=igst)
