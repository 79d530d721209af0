"""Any other table of products: which column is what is said by --map, else guessed by well-known names."""

import re
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.http.api import MAX_JSON_DEPTH

from ...composition.dosage import read_pack
from ...composition.files import CompositionColumns
from ..files.reading import Record
from ..rows import NO_NAME_COLUMN, NO_SUCH_COLUMN, UNKNOWN_KIND, BadFile, BadRow, NamedPicture, Row
from . import cells
from .base import Format, register
from .cells import PriceReader
from .facts import FACTS, Facts, plain_name

# What a column can be, and the names it goes by elsewhere; the first one present is taken.
REDUCED = (
    "discounted_price", "discount_price", "price_after_discount", "special_price", "deal_price", "promo_price",
    "promotional_price", "offer_price", "sale_price",
)  # fmt: skip
GUESSES: dict[str, tuple[str, ...]] = {
    "name": (
        "name", "product_name", "product_title", "product", "title", "display_name", "drug_name", "medicine_name",
        "generic_name", "item_name", "heading",
    ),
    "sku": ("sku", "variant_sku", "item_code", "article_number"),
    "id": ("id", "product_id", "index", "drug_code"),
    "handle": ("handle",),
    "brand": ("brand", "brand_name", "vendor"),
    "maker": (
        "manufacturer", "manufacturer_name", "mfg_name", "maker", "manufactured_by", "marketer", "marketed_by",
        "drug_varient",
    ),
    "price": (
        "final_price", *REDUCED, "selling_price", "price", "our_price", "net_price", "unit_price", "sell_price",
        "price_inr",
    ),
    "mrp": (
        "original_price", "market_price", "actual_price", "list_price", "mrp", "m_r_p", "maximum_retail_price",
        "regular_price", "retail_price", "compare_at_price", "old_price", "strike_price",
    ),
    "category": ("category", "categories", "category_l1", "group_name", "tags"),
    "sub_category": ("sub_category", "subcategory", "category_l2", "child_category"),
    "type": ("type", "category_l3", "product_type"),
    "size": ("size", "pack_size", "pack_size_label", "packaging", "unit_size", "container_text"),
    "description": ("description", "details", "uses"),
    "ingredients": ("ingredients",),
    "composition": ("composition", "salt_composition", "short_composition1"),
    "composition_2": ("short_composition2",),
    "discontinued": ("is_discontinued", "discontinued"),
    "barcode": ("barcode", "ean", "gtin"),
    "pictures": (
        "images", "image", "image_url", "image_urls", "image_src", "image_link", "picture", "pictures", "picture_url",
        "photo", "photo_url", "product_image", "product_photo_url", "product_image_url", "img", "img_url", "thumbnail",
    ),
    "stock": ("stock", "inventory", "quantity_in_stock"),
}  # fmt: skip
FULL = ("price", "selling_price", "our_price", "unit_price", "sell_price")  # beside a reduced price
COMPOSITIONS = ("composition", "composition_2")
NO_REDUCTION = {"", "0", "0.0", "0.00", "-", "none", "nan", "null", "n/a"}
_MONEY_WORDS = re.compile(r"_(?:in_)?(?:inr|rs|rupees)\Z")
_SIZE_LABEL = re.compile(r"^(size|pack)[:\s]+", re.IGNORECASE)
_EARLIER_MANUFACTURER_LABEL = re.compile(r"^(mfr|mkt|manufacturer|by)\s*:\s*", re.IGNORECASE)
_MANUFACTURER_LABEL = re.compile(
    r"^(?:(?:mfr|mfd|mfg|mkt|mktd|manufacturer|manufactured|marketer|marketed|maker|made|by)\b\.?\s*+(?:by\b\s*+)?:"
    r"|(?:manufactured|marketed|made|mfd|mfg|mktd?)\.?\s+by\b)\s*",
    re.IGNORECASE,
)
_MANUFACTURER_PARTS = re.compile(r"[*•|\n]")
_NO_MANUFACTURER = re.compile(r"delivery charges?\b.*", re.IGNORECASE)
NO_SIZE = {"packaging not mentioned", "none", "n/a", "-"}


@register("table", gettext_lazy("Any other table"))
class TableFormat(Format):
    description = gettext_noop("table of products")
    is_last = True
    new_are_drafts = True

    def __init__(self, columns: list[str], prices: PriceReader, mapping: dict[str, str]) -> None:
        super().__init__(columns, prices, {})
        named = _named(columns, mapping)
        self._column = _guess(columns) | {kind: column for kind, column in named.items() if kind in GUESSES}
        self._column.setdefault("brand", self._column.get("maker", ""))
        self._facts = Facts(columns, {kind: column for kind, column in named.items() if kind in FACTS})
        self._composed = [self._column[kind] for kind in COMPOSITIONS if self._column.get(kind)]
        self._compositions = CompositionColumns(len(self._composed))
        self._is_reduced = plain_price(self._column.get("price", "")) in REDUCED

    def survey(self, records: Iterable[Record]) -> None:
        """A header may name two columns alike, so that the name got lost: take the one without addresses."""
        records = iter(records)
        if "name" not in self._column:
            first = list(islice(records, 5))
            records = chain(first, records)
            sample = [record.cells for record in first]
            for column in self.columns:
                is_repeated = f"{column} (2)" in self.columns
                if is_repeated and sample and not any("://" in cell.get(column, "") for cell in sample):
                    self._column["name"] = column
                    if self._column.get("pictures") == column:
                        self._column["pictures"] = f"{column} (2)"
                    break
        if "name" not in self._column:
            raise BadFile(gettext(NO_NAME_COLUMN) % {"columns": ", ".join(self.columns)[:300]})
        self.taken = {*self._column.values(), *self._facts.taken}
        self.stock_columns = {self._column.get("stock", "")}
        self.picture_columns = {self._column.get("pictures", "")}
        for record in records if self._composed else ():
            self._compositions.add([record.cells.get(column, "") for column in self._composed])

    def remarks(self) -> Iterable[str]:
        return (*super().remarks(), self._compositions.remark(), self._facts.remark())

    def read(self, record: Record) -> Row:
        def cell(kind: str) -> str:
            return record.cells.get(self._column.get(kind, ""), "")

        name = cells.text(cell("name"))
        if not name:
            raise BadRow("no name")
        manufacturer, origin = _manufacturer(cell("maker"))
        brand = _manufacturer(cell("brand"))[0]
        row = Row(record.number, "", name=name, brand=brand, sku=cells.text(cell("sku")))
        self._identify(row, cell)
        row.pictures = [NamedPicture(address, is_own=True) for address in cells.addresses(cell("pictures"))]
        row.product = {"name": name} | ({"maker": manufacturer} if manufacturer else {})
        row.category = self._category(cell("category"), cell("sub_category"), cell("type"))
        row.options = _size(cell("size"))
        row.variant = _texts(cell("description"), cell("ingredients"), cell("composition"), cell("composition_2"))
        self._compose(row, record, cell("size"))
        if barcode := cells.text(cell("barcode")):
            row.variant["barcode"] = barcode
        self._facts.read(row, record.cells, [("country of origin", origin)] if origin else ())
        if discontinued := cell("discontinued"):
            row.published = _is_sold(row, discontinued)
        row.stock = cells.units(row, cell("stock"), "stock")
        self._price(row, cell("price"), cell("mrp"))
        return row

    def _compose(self, row: Row, record: Record, size: str) -> None:
        """The active ingredients, the dosage form and the content of a pack, as the label's words tell them."""
        if not self._composed:
            return
        stated = [record.cells.get(column, "") for column in self._composed]
        ingredients, is_sure = self._compositions.read(stated, row.name)
        if not ingredients:
            return
        row.product["active_ingredients"] = ingredients
        row.is_composition_sure = is_sure
        if pack := read_pack(cells.text(size)):
            row.product |= {"dosage_form": int(pack.form)} if pack.form else {}
            row.variant |= {"net_quantity": pack.quantity, "net_unit": pack.unit} if pack.unit else {}

    def _identify(self, row: Row, cell: Callable[[str], str]) -> None:
        number = cells.text(cell("id"))
        row.handle = cells.text(cell("handle")).lower()
        if not row.handle:
            row.earlier_brand = _EARLIER_MANUFACTURER_LABEL.sub("", cells.text(cell("brand")))
            row.earlier_handle = cells.earlier_handle_of(row.earlier_brand, row.name, number)
            row.handle = cells.handle_of(row.brand, row.name, number)

    def _category(self, top: str, middle: str, bottom: str) -> tuple[str, ...]:
        if self._column.get("category") == "categories":
            return cells.levels(*[name for name in top.split(",") if name.strip().lower() != "home"])
        if self._column.get("category") == "tags":
            top = top.replace("-", " ").title()
        return cells.levels(*top.split(">"), middle, bottom)

    def _price(self, row: Row, price: str, mrp: str) -> None:
        """A blank reduced price is no reduction."""
        row.has_price = "price" in self._column or "mrp" in self._column
        row.actual = self.prices.read(mrp)
        is_reduced = self._is_reduced and price.strip().lower() not in NO_REDUCTION
        takes_full = "price" not in self._column or (self._is_reduced and not is_reduced)
        row.selling = row.actual if takes_full else self.prices.read(price)


def plain_price(column: str) -> str:
    """`Discounted Price (₹)` as discounted_price; the currency in which the shop counts says nothing more."""
    return _MONEY_WORDS.sub("", plain_name(column))


def _manufacturer(cell: str) -> tuple[str, str]:
    """A maker without what shops write around it ("* Mkt: Ipca * Delivery charges if applicable"), and its country."""
    manufacturer = origin = ""
    for words in _MANUFACTURER_PARTS.split(cell):
        part = _NO_MANUFACTURER.sub("", cells.text(words)).strip(" ,;")
        if part.lower().startswith("country of origin"):
            origin = part
        elif part and not manufacturer:
            manufacturer = _MANUFACTURER_LABEL.sub("", part)
    return manufacturer, origin


def _is_sold(row: Row, discontinued: str) -> bool | None:
    """None where the file has nothing against it."""
    says = cells.kept(row, lambda: cells.yes_or_no(discontinued, "discontinued"))
    return None if says is False else False


def columns_taken(columns: list[str], mapping: dict[str, str]) -> dict[str, str]:
    """Of each kind of fact the column that it is read from, or nothing: those named in `mapping`, else guessed. Raises
    BadFile for a column that the file does not have."""
    named = _named(columns, mapping)
    guessed = _guess(columns)
    return {kind: named.get(kind, guessed.get(kind, "")) for kind in GUESSES}


def _guess(columns: list[str]) -> dict[str, str]:
    by_name = {plain_price(column): column for column in reversed(columns)}
    found = {
        kind: next(by_name[name] for name in names if name in by_name)
        for kind, names in GUESSES.items()
        if any(name in by_name for name in names)
    }
    full = next((by_name[name] for name in FULL if name in by_name), "")
    if full and "mrp" not in found and plain_price(found.get("price", "")) in REDUCED:
        found["mrp"] = full
    return found


def _named(columns: list[str], mapping: dict[str, str]) -> dict[str, str]:
    """The --map choices: a column by its name, by #number, or none by an empty word."""
    chosen = {}
    for kind, word in mapping.items():
        column = " ".join(word.lower().split())
        if column.startswith("#") and column[1:].isdigit() and 0 < int(column[1:]) <= len(columns):
            column = columns[int(column[1:]) - 1]
        if kind not in GUESSES and kind not in FACTS:
            raise BadFile(gettext(UNKNOWN_KIND) % {"kind": kind, "kinds": ", ".join([*GUESSES, *FACTS])})
        if column and column not in columns:
            values = {"kind": kind, "column": word, "columns": ", ".join(columns)[:300]}
            raise BadFile(gettext(NO_SUCH_COLUMN) % values)
        chosen[kind] = column
    return chosen


def _size(cell: str) -> tuple[tuple[str, str], ...]:
    size = _SIZE_LABEL.sub("", cells.text(cell)).strip(" ,")
    return (("Size", size),) if size and size.lower() not in NO_SIZE else ()


def _texts(description: str, ingredients: str, *compositions: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if words := cells.rich_text(description):
        fields["description"] = words
    if words := cells.text(ingredients):
        fields["ingredients"] = _comma_list(words)
    parts: dict[str, str] = {}
    for composition in compositions:
        for words in _salts(composition):
            name, amount = _salt(cells.text(words))
            if name:
                parts[name] = " + ".join(filter(None, (parts.get(name, ""), amount.strip())))
    if parts:
        fields["composition_json"] = {"Composition": parts}
    return fields


def _salt(words: str) -> tuple[str, str]:
    """Name and amount of "Paracetamol (500 mg)"."""
    named, bracket, amount = words.removesuffix(")").rpartition("(")
    name = named.rstrip()
    if bracket and words.endswith(")") and ")" not in amount and name and name[0] not in "()":
        return name, amount
    return words, ""


def _salts(composition: str) -> Iterator[str]:
    """The parts between plus signs; those in brackets are of one salt."""
    held: list[str] = []
    depth = 0
    for part in composition.split("+"):
        held.append(part)
        depth = max(0, depth + part.count("(") - part.count(")"))
        if not depth:
            yield "+".join(held)
            held = []
    yield "+".join(held)


def _comma_list(words: str) -> str:
    """Some tables hold a list as a program prints it: ['water', 'glycerin']."""
    if not (words.startswith("[") and words.endswith("]")) or words.count("[") > MAX_JSON_DEPTH:
        return words
    try:
        items = literal_eval(words)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return words
    return ", ".join(cells.text(str(item)) for item in items)
