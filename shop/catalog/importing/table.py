"""Any other table of products: which column is what is said by --map, else guessed by well-known names."""

import re
from ast import literal_eval
from collections.abc import Iterable
from itertools import islice

from . import cells
from .cells import PriceReader
from .reading import Record
from .rows import BadFile, BadRow, Format, NamedPicture, Row

# What a column can be, and the names it goes by elsewhere; the first one present is taken.
GUESSES: dict[str, tuple[str, ...]] = {
    "name": (
        "name", "product_name", "product_title", "product", "title", "display_name", "drug_name", "medicine_name",
        "generic_name", "heading",
    ),
    "sku": ("sku", "variant_sku", "item_code", "article_number"),
    "id": ("id", "product_id", "index", "drug_code"),
    "handle": ("handle",),
    "brand": (
        "brand", "brand_name", "vendor", "manufacturer", "manufacturer_name", "mfg_name", "maker", "drug_varient",
    ),
    "price": ("final_price", "sale_price", "selling_price", "offer_price", "price", "price_inr"),
    "mrp": ("original_price", "market_price", "actual_price", "list_price", "mrp"),
    "category": ("category", "categories", "category_l1", "group_name", "tags"),
    "sub_category": ("sub_category", "subcategory", "category_l2", "child_category"),
    "type": ("type", "category_l3", "product_type"),
    "size": ("size", "pack_size", "pack_size_label", "packaging", "unit_size", "container_text"),
    "description": ("description", "details", "uses"),
    "ingredients": ("ingredients",),
    "composition": ("composition", "salt_composition", "short_composition1"),
    "composition_2": ("short_composition2",),
    "prescription": ("prescription", "is_prescription", "prescription_required"),
    "discontinued": ("is_discontinued", "discontinued"),
    "barcode": ("barcode", "ean", "gtin"),
    "pictures": (
        "images", "image", "image_url", "image_urls", "image_src", "image_link", "picture", "pictures", "picture_url",
        "photo", "photo_url", "product_image", "product_photo_url", "product_image_url", "img", "img_url", "thumbnail",
    ),
    "stock": ("stock", "inventory", "quantity_in_stock"),
}  # fmt: skip
_INGREDIENT = re.compile(r"(?P<name>[^(+]+?)\s*\((?P<amount>[^)]*)\)")
_SIZE_LABEL = re.compile(r"^(size|pack)[:\s]+", re.IGNORECASE)
_MAKER_LABEL = re.compile(r"^(mfr|mkt|manufacturer|by)\s*:\s*", re.IGNORECASE)
NO_SIZE = {"packaging not mentioned", "none", "n/a", "-"}


class TableFormat(Format):
    description = "table of products"

    def __init__(self, columns: list[str], prices: PriceReader, mapping: dict[str, str]) -> None:
        super().__init__(columns, prices, {})
        self._column = _guess(columns) | _named(columns, mapping)

    def survey(self, records: Iterable[Record]) -> None:
        """A header may name two columns alike, so that the name got lost: take the one without addresses."""
        if "name" not in self._column:
            sample = [record.cells for record in islice(records, 5)]
            for column in self.columns:
                is_repeated = f"{column} (2)" in self.columns
                if is_repeated and sample and not any("://" in cell.get(column, "") for cell in sample):
                    self._column["name"] = column
                    if self._column.get("pictures") == column:
                        self._column["pictures"] = f"{column} (2)"
                    break
        if "name" not in self._column:
            raise BadFile(
                f"No column here is a product's name. Columns: {', '.join(self.columns)[:300]}. Say --map name=…"
            )

    def read(self, record: Record) -> Row:
        def cell(kind: str) -> str:
            return record.cells.get(self._column.get(kind, ""), "")

        name = cells.text(cell("name"))
        if not name:
            raise BadRow("no name")
        brand = _MAKER_LABEL.sub("", cells.text(cell("brand")))
        handle = cells.text(cell("handle")).lower() or cells.handle_of(brand, name, cells.text(cell("id")))
        row = Row(record.number, handle[:255], name=name, sku=cells.text(cell("sku")), brand=brand)
        row.product = {"name": name}
        row.pictures = [NamedPicture(address, is_own=True) for address in cells.addresses(cell("pictures"))]
        row.category = self._category(cell("category"), cell("sub_category"), cell("type"))
        row.options = _size(cell("size"))
        row.variant = _texts(cell("description"), cell("ingredients"), cell("composition"), cell("composition_2"))
        if barcode := cells.text(cell("barcode")):
            row.variant["barcode"] = barcode
        if prescription := cell("prescription").strip().lower():
            row.product["is_prescription"] = "required" in prescription or prescription in cells.YES
        if cells.yes_or_no(cell("discontinued"), "discontinued"):
            row.published = False
        row.stock = cells.whole_number(cell("stock"), "stock", most=10**9)
        self._price(row, cell("price"), cell("mrp"))
        return row

    def _category(self, top: str, middle: str, bottom: str) -> tuple[str, ...]:
        if self._column.get("category") == "categories":
            return cells.levels(*[name for name in top.split(",") if name.strip().lower() != "home"])
        if self._column.get("category") == "tags":
            top = top.replace("-", " ").title()
        return cells.levels(*top.split(">"), middle, bottom)

    def _price(self, row: Row, price: str, mrp: str) -> None:
        row.has_price = "price" in self._column or "mrp" in self._column
        row.actual = self.prices.read(mrp)
        row.selling = self.prices.read(price) if "price" in self._column else row.actual


def _guess(columns: list[str]) -> dict[str, str]:
    by_name = {re.sub(r"[^a-z0-9]+", "_", column).strip("_"): column for column in reversed(columns)}
    return {
        kind: next(by_name[name] for name in names if name in by_name)
        for kind, names in GUESSES.items()
        if any(name in by_name for name in names)
    }


def _named(columns: list[str], mapping: dict[str, str]) -> dict[str, str]:
    """The --map choices: a column by its name, by #number, or none by an empty word."""
    chosen = {}
    for kind, word in mapping.items():
        column = " ".join(word.lower().split())
        if column.startswith("#") and column[1:].isdigit() and 0 < int(column[1:]) <= len(columns):
            column = columns[int(column[1:]) - 1]
        if kind not in GUESSES:
            raise BadFile(f"--map {kind}=…: choose one of {', '.join(GUESSES)}.")
        if column and column not in columns:
            raise BadFile(f"--map {kind}={word}: there is no such column. Columns: {', '.join(columns)[:300]}.")
        chosen[kind] = column
    return chosen


def _size(cell: str) -> tuple[tuple[str, str], ...]:
    size = _SIZE_LABEL.sub("", cells.text(cell)).strip(" ,")
    return (("Size", size),) if size and size.lower() not in NO_SIZE else ()


def _texts(description: str, ingredients: str, *compositions: str) -> dict:
    fields: dict = {}
    if words := cells.rich_text(description):
        fields["description"] = words
    if words := cells.text(ingredients):
        fields["ingredients"] = _comma_list(words)
    parts = {
        cells.text(found["name"]): cells.text(found["amount"])
        for composition in compositions
        for found in _INGREDIENT.finditer(composition)
    }
    if parts:
        fields["composition_json"] = {"Composition": parts}
    return fields


def _comma_list(words: str) -> str:
    """Some tables hold a list as a program prints it: ['water', 'glycerin']."""
    if not (words.startswith("[") and words.endswith("]")):
        return words
    try:
        items = literal_eval(words)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return words
    return ", ".join(cells.text(str(item)) for item in items)
