"""WooCommerce's product export (version 7).

A `variable` row is a product without a variant of its own; its `variation` rows name it by SKU or as
`id:44` under Parent and may stand before it, so a first look over the file learns the parents. Grouped,
external and downloadable products have nothing of ours to send: they are kept as drafts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext_noop

from ..files.reading import Record
from ..rows import BadRow, NamedPicture, Row
from . import cells
from .base import Format, register
from .cells import PriceReader
from .facts import Facts, is_fact

GRAMS = {"g": Decimal(1), "kg": Decimal(1000), "lbs": Decimal("453.592"), "oz": Decimal("28.3495")}
WEIGHT_COLUMN = re.compile(r"weight \((\w+)\)")
KEPT_BACK = {
    "grouped": "a grouped product only lists other products and has no price",
    "external": "an external product is sold elsewhere",
    "downloadable": "a downloadable product cannot be sent",
}


TAKEN = {
    "id", "type", "sku", "name", "published", "visibility in catalog", "short description", "description", "stock",
    "date sale price starts", "date sale price ends", "sale price", "regular price", "categories", "brands", "images",
    "parent", "gtin, upc, ean, or isbn",
}  # fmt: skip
BETWEEN = re.compile(r"(?<!\\), ")  # WooCommerce writes it so; "1,000 mg" is one value
SALE_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?.{0,6})?")


@dataclass(slots=True)
class Parent:
    """What variations have of a variable product."""

    handle: str
    name: str
    description: str
    weight: str
    variations: int = 0


@register("woocommerce", "WooCommerce")
class WooCommerceFormat(Format):
    required = ("type", "sku", "name", "regular price")
    description = gettext_noop("WooCommerce product export")
    stock_columns = {"stock"}
    picture_columns = {"images"}

    def __init__(self, columns: list[str], prices: PriceReader, mapping: dict[str, str]) -> None:
        super().__init__(columns, prices, mapping)
        self._parents: dict[str, Parent] = {}  # by what variations name it
        self._owners: dict[str, tuple[int, str]] = {}  # SKU: the first product with it, by row and name
        self._attributes = [column.split()[1] for column in columns if re.fullmatch(r"attribute \d+ name", column)]
        unit = next((match for match in map(WEIGHT_COLUMN.fullmatch, columns) if match), None)
        self._unit = unit.group(1) if unit and unit.group(1) in GRAMS else ""
        self._weight = f"weight ({self._unit})"
        self._today = timezone.localdate()
        self._facts = Facts(columns)
        attributes = {f"attribute {n} {part}" for n in self._attributes for part in ("name", "value(s)")}
        self.taken = TAKEN | self._facts.taken | attributes | ({self._weight} if self._unit else set())

    def survey(self, records: Iterable[Record]) -> None:
        named: list[str] = []
        for record in records:
            if record.problem:
                continue
            cell = record.cells
            if "variation" in _kinds(cell):
                named.append(cells.text(cell.get("parent", "")))
                continue
            self._facts.survey(self._pairs(cell))
            self._owners.setdefault(cells.text(cell["sku"]).lower(), (record.number, cells.same_name(_name(cell))))
            if "variable" in _kinds(cell):
                weight = cell.get(self._weight, "")
                parent = Parent(self._handle(cell), cells.text(cell["name"]), cell.get("description", ""), weight)
                self._parents[f"id:{cell.get('id', '').strip()}"] = parent
                self._parents.setdefault(cells.text(cell["sku"]), parent)
        for name in named:
            if name in self._parents:
                self._parents[name].variations += 1

    def remarks(self) -> Iterable[str]:
        return (*super().remarks(), self._facts.remark())

    def read(self, record: Record) -> Row:
        cell = record.cells
        kinds = _kinds(cell)
        row = Row(record.number, self._handle(cell), name=_name(cell), sku=cells.text(cell["sku"]))
        if first := self._owner_before(cell):
            row.notes.append(f"the SKU {row.sku} is used for something else in row {first}: this one gets a new SKU")
            row.sku = ""
        if "variation" in kinds:
            self._join_parent(row, cell)
        elif kinds & {"simple", "variable", "grouped", "external", "subscription"}:
            self._describe_product(row, cell, kinds)
        else:
            raise BadRow(f"an unknown type: {cells.text(cell['type'])[:40]!r}")
        if not row.handle:
            raise BadRow("no SKU, ID or name")
        is_own = "variation" in kinds
        row.pictures = [NamedPicture(address, is_own=is_own) for address in cells.addresses(cell.get("images", ""))]
        row.is_product_only = "variable" in kinds
        if not row.is_product_only:
            self._describe_variant(row, cell)
        elif not self._parents[f"id:{cell.get('id', '').strip()}"].variations:
            row.lacks_variants = "a variable product without variations in the file"
        return row

    def _owner_before(self, cell: Mapping[str, str]) -> int:
        """The row of the product that has this product's SKU under another name; 0 where there is none."""
        number, name = self._owners.get(cells.text(cell["sku"]).lower(), (0, ""))
        is_same = "variation" in _kinds(cell) or not cell["sku"].strip() or name == cells.same_name(_name(cell))
        return 0 if is_same else number

    def _handle(self, cell: Mapping[str, str]) -> str:
        number = cell.get("id", "").strip()
        sku = "" if self._owner_before(cell) else cells.text(cell["sku"]).lower()
        return sku or (f"id:{number}" if number else cells.handle_of(_name(cell)))

    def _join_parent(self, row: Row, cell: Mapping[str, str]) -> None:
        parent = cells.text(cell.get("parent", ""))
        if not parent:
            raise BadRow("a variation without a parent")
        known = self._parents.get(parent)
        row.handle, row.name = (known.handle, known.name) if known else (parent.lower(), "")

    def _describe_product(self, row: Row, cell: Mapping[str, str], kinds: set[str]) -> None:
        if not row.name:
            raise BadRow("no name")
        visible = cell.get("visibility in catalog", "").strip().lower() != "hidden"
        row.published = cells.is_open(row, cell.get("published", ""), "Published") is not False and visible
        row.kept_back = next((reason for kind, reason in KEPT_BACK.items() if kind in kinds), "")
        row.category = _first_category(cell.get("categories", ""))
        row.brand = cells.text(cell.get("brands", ""))
        row.product = {"name": row.name}
        if not row.sku and not cell.get("id", "").strip():
            row.earlier_handle, row.earlier_brand = cells.earlier_handle_of(row.name), row.brand
        if short := cells.rich_text(cell.get("short description", "").replace("\\n", "\n")):
            row.product["highlight"] = short
        self._facts.read(row, cell, [(name, _plain(value)) for name, value in self._pairs(cell) if is_fact(name)])

    def _describe_variant(self, row: Row, cell: Mapping[str, str]) -> None:
        parent = self._parents.get(cells.text(cell.get("parent", ""))) if "variation" in _kinds(cell) else None
        row.options = self._options(cell)
        row.stock = cells.units(row, cell.get("stock", ""), "Stock")
        description = cell.get("description", "") or (parent.description if parent else "")
        if description := cells.rich_text(description.replace("\\n", "\n")):
            row.variant["description"] = description
        if barcode := cells.text(cell.get("gtin, upc, ean, or isbn", "")):
            row.variant["barcode"] = barcode
        if self._unit:
            self._weigh(row, cell.get(self._weight, "") or (parent.weight if parent else ""))
        if "variation" in _kinds(cell) and cells.is_open(row, cell.get("published", ""), "Published") is False:
            row.active = False
        self._price(row, cell)

    def _weigh(self, row: Row, cell: str) -> None:
        if weight := cells.measure(row, cell, "Weight"):
            grams = (weight * GRAMS[self._unit]).quantize(Decimal("0.001"))
            if grams < 10**7:
                row.variant |= {"weight_actual": grams, "weight_unit": "g"}
            else:
                row.notes.append(f"Weight {weight} {self._unit} is over ten tonnes; left out")

    def _price(self, row: Row, cell: Mapping[str, str]) -> None:
        row.actual = self.prices.read(cell["regular price"])
        sale = self.prices.read(cell.get("sale price", ""))
        if sale and (reason := self._no_sale(row, cell)):
            row.notes.append(f"{reason}: it sells at the regular price")
            sale = None
        row.selling = sale or row.actual
        if row.selling and row.actual and row.selling > row.actual:
            row.notes.append(f"sale price {row.selling} is above the regular price {row.actual} and was ignored")
            row.selling = row.actual

    def _no_sale(self, row: Row, cell: Mapping[str, str]) -> str:
        """Why the sale price does not hold today; a remark where it holds for a time that nothing here ends."""
        starts, ends = (cell.get(f"date sale price {edge}", "").strip() for edge in ("starts", "ends"))
        first, last = _day(starts), _day(ends)
        if (starts and not first) or (ends and not last):
            return f"the sale dates cannot be read ({(starts or '…')[:30]} to {(ends or '…')[:30]})"
        if last and last < self._today:
            return f"the sale ended on {last}"
        if first and first > self._today:
            return f"the sale begins on {first}"
        if last:
            row.notes.append(f"the sale price is valid until {last}; the shop will not end it automatically")
        return ""

    def _options(self, cell: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Attributes with one value; several values only say what a product comes in. A variation has one of each."""
        is_variation = "variation" in _kinds(cell)
        return tuple(
            (name, _plain(value))
            for name, value in self._pairs(cell)
            if (is_variation or not BETWEEN.search(value)) and not is_fact(name)
        )

    def _pairs(self, cell: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for n in self._attributes:
            name, value = (cells.text(cell.get(f"attribute {n} {part}", "")) for part in ("name", "value(s)"))
            if name and value:
                yield name, value


def _day(cell: str) -> date | None:
    found = SALE_DATE.fullmatch(cell)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def _kinds(cell: Mapping[str, str]) -> set[str]:
    return {kind.strip().lower() for kind in cell["type"].split(",")}


def _name(cell: Mapping[str, str]) -> str:
    return cells.text(cell["name"])


def _first_category(cell: str) -> tuple[str, ...]:
    return cells.levels(*_plain(BETWEEN.split(cell)[0]).split(">"))


def _plain(value: str) -> str:
    """Without the backslash that WooCommerce writes before a comma within a name."""
    return value.replace("\\,", ",")
