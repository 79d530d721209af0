"""Product files of Shopify (older and newer layouts) and of ShopBase, which only writes other capitals.

A product is the rows with one handle: the first says what the product is, each with option values or
a price is a variant, the others only bring pictures. A picture is of the product; Variant Image repeats the
address of the one that stands for a variant.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from ..files.reading import Record
from ..rows import BadRow, NamedPicture, Row
from . import cells
from .base import Format, register
from .cells import PriceReader
from .facts import Facts

OPTIONS = (1, 2, 3)
TAKEN = {
    "handle", "title", "body (html)", "vendor", "published", "status", "variant sku", "variant grams",
    "variant inventory qty", "variant price", "variant compare at price", "variant barcode", "image src",
    "image position", "image alt text", "variant image", "seo title", "seo description",
    *(f"option{n} {part}" for n in OPTIONS for part in ("name", "value")),
}  # fmt: skip
KINDS = ("type", "product category", "tags")  # the first that is filled names the category
VARIANT_COLUMNS = ("variant sku", "variant price", "option1 value", "option2 value", "option3 value")


@register("shopify", "Shopify")
class ShopifyFormat(Format):
    required = ("handle", "title", "variant price")
    description = gettext_noop("Shopify product file")
    stock_columns = {"variant inventory qty"}
    picture_columns = {"image src", "image position", "image alt text", "variant image"}

    def __init__(self, columns: list[str], prices: PriceReader, mapping: dict[str, str]) -> None:
        super().__init__(columns, prices, mapping)
        self._facts = Facts(columns)
        self.taken = TAKEN | self._facts.taken
        self._option_names: dict[str, list[str]] = {}
        self._described: tuple[str, str] = ("", "")  # the handle that was described last, and how

    def read(self, record: Record) -> Row:
        get = record.cells.get
        handle = cells.text(get("handle", "")).lower()
        if not handle:
            raise BadRow("no handle")
        row = Row(record.number, handle, name=cells.text(get("title", "")))
        row.sku = cells.text(get("variant sku", "")).lstrip("'")
        row.pictures = _pictures(record.cells)
        if not row.name and not any(get(column, "").strip() for column in VARIANT_COLUMNS):
            row.is_picture_only = True
            return row
        row.options = self._options(handle, record.cells)
        row.variant = self._variant_fields(row, record.cells)
        row.stock = cells.units(row, get("variant inventory qty", ""), "Variant Inventory Qty")
        row.selling = self.prices.read(get("variant price", ""))
        row.actual = self.prices.read(get("variant compare at price", ""))
        if row.selling and row.actual and row.actual < row.selling:
            row.notes.append(f"compare-at price {row.actual} is below the price {row.selling} and was ignored")
            row.actual = None
        if row.name:
            self._describe_product(row, record.cells)
        return row

    def remarks(self) -> Iterable[str]:
        return (*super().remarks(), self._facts.remark())

    def note_left(self, record: Record) -> None:
        super().note_left(record)
        if record.cells.get("title"):
            self._left[_kind_column(record.cells)] -= 1

    def _options(self, handle: str, cell: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        names = [cells.text(cell.get(f"option{n} name", "")) for n in OPTIONS]
        names = names if any(names) else self._option_names.get(handle, names)
        self._option_names[handle] = names
        pairs = [
            (name or f"Option {n}", cells.text(cell.get(f"option{n} value", "")))
            for n, name in zip(OPTIONS, names, strict=True)
        ]
        return tuple((name, value) for name, value in pairs if value and value != "Default Title")

    def _variant_fields(self, row: Row, cell: Mapping[str, str]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        handle = row.handle
        body = cells.rich_text(cell.get("body (html)", ""))
        if body:
            self._described = (handle, body)
        elif self._described[0] == handle:
            body = self._described[1]
        if body:
            fields["description"] = body
        if barcode := cells.text(cell.get("variant barcode", "")).lstrip("'"):
            fields["barcode"] = barcode
        if grams := cells.measure(row, cell.get("variant grams", ""), "Variant Grams"):
            fields |= {"weight_actual": grams, "weight_unit": "g"}
        return fields

    def _describe_product(self, row: Row, cell: Mapping[str, str]) -> None:
        column = _kind_column(cell)
        kind = cell.get(column, "")
        if column == "tags":
            kind = cells.text(kind).split(",")[0].replace("-", " ").title()
        row.brand = cells.text(cell.get("vendor", ""))
        row.category = cells.levels(*kind.split(">"))
        row.published = cells.is_open(row, cell.get("published", ""), "Published")
        if cells.is_open(row, cell.get("status", ""), "Status") is False:
            row.published = False
        row.product = {"name": row.name}
        self._facts.read(row, cell)
        for column, field in (("seo title", "meta_title"), ("seo description", "meta_desc")):
            if words := cells.text(cell.get(column, "")):
                row.product[field] = words


def _kind_column(cell: Mapping[str, str]) -> str:
    return next((column for column in KINDS if cell.get(column)), "")


def _pictures(cell: Mapping[str, str]) -> list[NamedPicture]:
    alt = cells.text(cell.get("image alt text", ""))
    place = cell.get("image position", "").strip()
    position = int(place) if place.isdecimal() and len(place) < 5 else None
    shown = [NamedPicture(address, alt, position) for address in cells.addresses(cell.get("image src", ""))]
    own = cells.addresses(cell.get("variant image", ""))
    return shown + [NamedPicture(address, is_own=True) for address in own]
