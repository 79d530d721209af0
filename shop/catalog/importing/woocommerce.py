"""WooCommerce's product export (version 7).

A `variable` row is a product without a variant of its own; its `variation` rows name it by SKU or as
`id:44` under Parent and may stand before it, so a first look over the file learns the parents. Grouped,
external and downloadable products have nothing of ours to send: they are kept as drafts.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from . import cells
from .cells import PriceReader
from .reading import Record
from .rows import BadRow, Format, NamedPicture, Row

GRAMS = {"g": Decimal(1), "kg": Decimal(1000), "lbs": Decimal("453.592"), "oz": Decimal("28.3495")}
WEIGHT_COLUMN = re.compile(r"weight \((\w+)\)")
KEPT_BACK = {
    "grouped": "a grouped product is a shelf of others and has no price",
    "external": "an external product is sold elsewhere",
    "downloadable": "a downloadable product cannot be sent",
}


class WooCommerceFormat(Format):
    required = ("type", "sku", "name", "regular price")
    description = "WooCommerce product export"

    def __init__(self, columns: list[str], prices: PriceReader, mapping: dict[str, str]) -> None:
        super().__init__(columns, prices, mapping)
        self._parents: dict[str, tuple[str, str]] = {}  # how variations name it: (handle, name)
        self._attributes = [column.split()[1] for column in columns if re.fullmatch(r"attribute \d+ name", column)]
        self._weight = next((match for match in map(WEIGHT_COLUMN.fullmatch, columns) if match), None)

    def survey(self, records: Iterable[Record]) -> None:
        for record in records:
            if not record.problem and "variable" in _kinds(record.cells):
                known = _handle(record.cells), cells.text(record.cells["name"])
                self._parents[f"id:{record.cells.get('id', '').strip()}"] = known
                self._parents[cells.text(record.cells["sku"])] = known

    def read(self, record: Record) -> Row:
        cell = record.cells
        kinds = _kinds(cell)
        row = Row(record.number, _handle(cell), name=cells.text(cell["name"]), sku=cells.text(cell["sku"]))
        if "variation" in kinds:
            self._join_parent(row, cell)
        elif kinds & {"simple", "variable", "grouped", "external", "subscription"}:
            self._describe_product(row, cell, kinds)
        else:
            raise BadRow(f"an unknown type: {cells.text(cell['type'])[:40]!r}")
        if not row.handle:
            raise BadRow("neither SKU nor ID nor name")
        is_own = "variation" in kinds
        row.pictures = [NamedPicture(address, is_own=is_own) for address in cells.addresses(cell.get("images", ""))]
        row.is_product_only = "variable" in kinds
        if not row.is_product_only:
            self._describe_variant(row, cell)
        return row

    def _join_parent(self, row: Row, cell: Mapping[str, str]) -> None:
        parent = cells.text(cell.get("parent", ""))
        if not parent:
            raise BadRow("a variation without a parent")
        row.handle, row.name = self._parents.get(parent, (parent.lower(), ""))

    def _describe_product(self, row: Row, cell: Mapping[str, str], kinds: set[str]) -> None:
        if not row.name:
            raise BadRow("no name")
        visible = cell.get("visibility in catalog", "").strip().lower() != "hidden"
        row.published = cells.yes_or_no(cell.get("published", ""), "Published") is not False and visible
        row.kept_back = next((reason for kind, reason in KEPT_BACK.items() if kind in kinds), "")
        row.category = _first_category(cell.get("categories", ""))
        row.brand = cells.text(cell.get("brands", ""))
        row.product = {"name": row.name}
        if short := cells.rich_text(cell.get("short description", "").replace("\\n", "\n")):
            row.product["highlight"] = short

    def _describe_variant(self, row: Row, cell: Mapping[str, str]) -> None:
        row.options = self._options(cell)
        row.stock = cells.whole_number(cell.get("stock", ""), "Stock", most=10**9)
        if description := cells.rich_text(cell.get("description", "").replace("\\n", "\n")):
            row.variant["description"] = description
        if barcode := cells.text(cell.get("gtin, upc, ean, or isbn", "")):
            row.variant["barcode"] = barcode
        unit = self._weight.group(1) if self._weight else ""
        if unit in GRAMS and (weight := cells.number(cell[f"weight ({unit})"], "Weight", places=3)):
            grams = (weight * GRAMS[unit]).quantize(Decimal("0.001"))
            if grams >= 10**7:
                raise BadRow("Weight is over ten tonnes")
            row.variant |= {"weight_actual": grams, "weight_unit": "g"}
        if "variation" in _kinds(cell) and cells.yes_or_no(cell.get("published", ""), "Published") is False:
            row.active = False
        self._price(row, cell)

    def _price(self, row: Row, cell: Mapping[str, str]) -> None:
        row.actual = self.prices.read(cell["regular price"])
        row.selling = self.prices.read(cell.get("sale price", "")) or row.actual
        if row.selling and row.actual and row.selling > row.actual:
            row.notes.append(f"sale price {row.selling} is above the regular price {row.actual} and was ignored")
            row.selling = row.actual

    def _options(self, cell: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Attributes with one value; several values only say what a product comes in."""
        pairs = [
            (cells.text(cell.get(f"attribute {n} name", "")), cells.text(cell.get(f"attribute {n} value(s)", "")))
            for n in self._attributes
        ]
        return tuple((name, value) for name, value in pairs if name and value and ", " not in value)


def _kinds(cell: Mapping[str, str]) -> set[str]:
    return {kind.strip().lower() for kind in cell["type"].split(",")}


def _handle(cell: Mapping[str, str]) -> str:
    number = cell.get("id", "").strip()
    return cells.text(cell["sku"]).lower() or (f"id:{number}" if number else cells.handle_of(cell["name"]))


def _first_category(cell: str) -> tuple[str, ...]:
    return cells.levels(*cell.split(", ")[0].split(">"))
