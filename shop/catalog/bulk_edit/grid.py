"""Prices, stock, barcodes and weights of many variants in one table, edited in place: what was typed becomes a preview.

Beside each input the page sends what it showed, so that only what somebody changed is written, and not over what
somebody else wrote meanwhile (bulk_edit/services.py refuses such a row).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.paginator import Page
from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext

from shop.backoffice.admin import ShortCount, row_number
from shop.errors import Invalid
from shop.markets.models import Location
from shop.markets.queries import market_registry
from shop.money import INR

from ..models import Variant
from .columns import MARKET, plain
from .services import MAX_PRICE, MAX_UNITS, Cells

PER_PAGE = 50
MAX_TEXT = 40
UNITS = "units"
# A number as people write it: 1200.50, 1,200.50, 1,20,000, with its sign of rupees and in the digits of any script. A
# comma that parts no thousands may be meant for the point, so it is asked about.
AMOUNT = re.compile(r"₹?\s*(\d+|\d{1,3}(?:,\d{2,3})*,\d{3})?(\.\d*)?")
DECIMALS = {"selling": 2, "actual": 2, "weight": 3}
MAX_WEIGHT = Decimal(10) ** 7


@dataclass(frozen=True, slots=True)
class Cell:
    """An input: its name in the page, what it shows, what it was as the page was opened, and what is wrong with it."""

    name: str
    label: str
    value: str
    was: str
    kind: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    variant: Variant
    cells: Sequence[Cell]


def main_markets() -> list[Location]:
    return [place for place in market_registry().locations.values() if place.is_indexed and place.currency_id != INR]


def columns_of(markets: Sequence[Location]) -> list[tuple[str, str, str]]:
    """Name, heading and kind of each column."""
    abroad = [(f"{MARKET}{place.pk}", f"{place.code} {place.currency_id}", "price") for place in markets]
    return [
        ("selling", gettext("Price ₹"), "price"),
        ("actual", gettext("MRP ₹"), "price"),
        (UNITS, gettext("Book in"), "units"),
        *abroad,
        ("barcode", gettext("Barcode"), "code"),
        ("weight", gettext("Weight"), "price"),
    ]


def page_of(variants: QuerySet[Variant], number: str, markets: Sequence[Location], sent: Any = None) -> "Page[Line]":
    """A page of lines; `sent` is what came back with a mistake in it."""
    page: Page[Any] = ShortCount(_ordered(variants), PER_PAGE).get_page(number)
    if sent:  # lines that have moved to another page meanwhile stay, with what was typed there
        page.object_list = _ordered(Variant.objects.filter(pk__in=_lines_sent(sent)[:PER_PAGE]))
    page.object_list = [_line(variant, markets, sent) for variant in page.object_list]
    return page


def _ordered(variants: QuerySet[Variant]) -> QuerySet[Variant]:
    related = ("fixed_prices", "attribute_values__attribute")
    return variants.select_related("product").prefetch_related(*related).order_by("-product_id", "position", "pk")


def _lines_sent(sent: Any) -> list[int]:
    keys = {name.removeprefix("was-").partition("-")[0] for name in sent if name.startswith("was-")}
    return sorted(map(row_number, keys))


def _line(variant: Variant, markets: Sequence[Location], sent: Any) -> Line:
    now = shown_values(variant, markets)
    cells = []
    for column, label, kind in columns_of(markets):
        name = f"{variant.pk}-{column}"
        was = sent.get(f"was-{name}", now[column]) if sent else now[column]
        value = sent.get(name, now[column]) if sent else now[column]
        error = _mistake(column, value) if value != was else ""
        cells.append(
            Cell(name, gettext("%(label)s of %(sku)s") % {"label": label, "sku": variant.sku}, value, was, kind, error)
        )
    return Line(variant, cells)


def shown_values(variant: Variant, markets: Sequence[Location]) -> dict[str, str]:
    """What the inputs of a variant show."""
    abroad = {price.location_id: _pair(price.selling_price, price.actual_price) for price in variant.fixed_prices.all()}
    return {f"{MARKET}{place.pk}": abroad.get(place.pk, "") for place in markets} | {
        "selling": plain(variant.selling_price), "actual": plain(variant.actual_price), UNITS: "",
        "barcode": variant.barcode, "weight": plain(variant.weight_actual),
    }  # fmt: skip


def read_cells(sent: Any) -> dict[int, Cells]:
    """What was changed in the page, by variant. Raises Invalid where a cell cannot be read."""
    changed: dict[int, dict[str, tuple[str, str]]] = {}
    for name, was in sent.items():
        if name.startswith("was-"):
            key, _, column = name.removeprefix("was-").partition("-")
            value = sent.get(f"{key}-{column}", was).strip()
            if value != was and key.isascii() and key.isdigit() and len(key) < 18:
                changed.setdefault(int(key), {})[column] = (was, value)
    cells = [(name, texts) for row in changed.values() for name, texts in row.items()]
    if mistakes := sum(bool(_mistake(name, value) or (was and _mistake(name, was))) for name, (was, value) in cells):
        said = ngettext(
            "%(count)s cell cannot be read. It is marked below.",
            "%(count)s cells cannot be read. They are marked below.",
            mistakes,
        )
        raise Invalid(said % {"count": mistakes})
    if not changed:
        raise Invalid(gettext("Nothing was changed."))
    return {pk: _cells(cells) for pk, cells in changed.items()}


def _cells(cells: dict[str, tuple[str, str]]) -> Cells:
    units = cells.pop(UNITS, ("", ""))[1]
    before = {name: _kept(name, was) for name, (was, _) in cells.items()}
    after = {name: _kept(name, value) for name, (_, value) in cells.items()}
    return Cells(before, after, int(units or 0))


def _kept(name: str, text: str) -> Any:
    """As rows of a change keep it (columns.py)."""
    if name.startswith(MARKET):
        if not text:
            return None
        selling, _, actual = text.partition("/")
        return [plain(_number(selling)), plain(_number(actual or selling))]
    return text if name == "barcode" else plain(_number(text))


def _pair(selling: Decimal, actual: Decimal) -> str:
    return plain(selling) if selling == actual else f"{plain(selling)} / {plain(actual)}"


def _mistake(name: str, text: str) -> str:
    """Why a typed cell cannot be read; nothing where it can."""
    if name == "barcode":
        is_line = text.isprintable() and len(text) <= MAX_TEXT
        return "" if is_line else gettext("At most %(most)s characters, on one line.") % {"most": MAX_TEXT}
    if name == UNITS:
        is_whole = text.removeprefix("-").removeprefix("+").isdigit() and text.isascii() and len(text) < 9
        return "" if not text or (is_whole and abs(int(text)) <= MAX_UNITS) else gettext("Enter a whole number.")
    if name.startswith(MARKET):
        return _mistake_abroad(name.removeprefix(MARKET), text)
    if name not in DECIMALS:
        return gettext("There is no such column.")
    limit = MAX_WEIGHT if name == "weight" else MAX_PRICE
    if not _is_amount(text, DECIMALS[name]):
        return gettext("Enter a number with at most %(decimals)s decimals.") % {"decimals": DECIMALS[name]}
    return "" if _number(text) < limit else gettext("This is too high.")


def _mistake_abroad(location: str, text: str) -> str:
    if not row_number(location):
        return gettext("There is no such column.")
    parts = text.split("/")
    if text and (len(parts) > 2 or not all(_is_amount(part, 3) and _number(part) < MAX_PRICE for part in parts)):
        return gettext("Enter a price, or price / MRP.")
    return ""


def _is_amount(text: str, decimals: int) -> bool:
    found = AMOUNT.fullmatch(text.strip())
    return bool(found and any(map(str.isdigit, text)) and len((found[2] or "").rstrip("0")) <= decimals + 1)


def _number(text: str) -> Decimal:
    """Of a text that is an amount; nothing is 0."""
    return Decimal(text.strip().lstrip("₹").replace(",", "").strip() or 0)
