"""India's tax on goods and services: financial year, states, rates, taxes inside a price."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import cached_property

from shop.catalog.models import GstRate
from shop.company.facts import CompanyFacts
from shop.money import PAISA

from ..models import OrderLine
from .rule import HOME, Destination, Layout, Taxes, TaxRule

FIRST_MONTH = 4  # a financial year runs from April to March
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


LAYOUTS = {
    Supply.WITHIN: Layout("Tax invoice", "GST %", (("cgst", "CGST"), ("sgst", "SGST"))),
    Supply.BETWEEN: Layout("Tax invoice", "GST %", (("igst", "IGST"),)),
    Supply.EXPORT: Layout("Export invoice"),
    Supply.TAXED_EXPORT: Layout("Export invoice", "GST %", (("igst", "IGST"),)),
}


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


def state_of_gstin(gstin: str) -> str:
    """The code of the state that a GSTIN belongs to; empty for what is none."""
    return gstin[:2] if gstin[:2] in STATES else ""


def percents_on(day: date, hsn_codes: Iterable[str | None]) -> dict[str, Decimal]:
    """The GST percent of each HSN code that is valid on a day."""
    rates = GstRate.objects.filter(hsn_id__in={code for code in hsn_codes if code}, valid_from__lte=day)
    return {rate.hsn_id: rate.percent for rate in rates.order_by("valid_from")}


def supply_to(*, country_code: str, state: str, seller_code: str, lut: str) -> Supply:
    if country_code != HOME:
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


class GoodsAndServicesTax(TaxRule):
    """Within India CGST and SGST, or IGST; IGST also on exports without a letter of undertaking."""

    @cached_property
    def supply(self) -> Supply:
        return supply_to(
            country_code=self.destination.country_code,
            state=self.destination.state,
            seller_code=state_of_gstin(self.seller.gstin),
            lut=self.seller.lut,
        )

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.supply]

    @property
    def declaration(self) -> str:
        return "Supply meant for export on payment of IGST." if self.destination.is_abroad else ""

    def percents(self, lines: Iterable[OrderLine]) -> list[Decimal]:
        lines = list(lines)
        rates = percents_on(self.day, (line.hsn for line in lines))
        return [rates.get(line.hsn, line.gst_percent or Decimal(0)) for line in lines]

    def taxes_in(self, amount: Decimal, percent: Decimal) -> Taxes:
        return taxes_in(amount, percent, self.supply)


def gst(seller: CompanyFacts, destination: Destination, day: date) -> TaxRule | None:
    return GoodsAndServicesTax(seller, destination, day) if seller.gstin else None
