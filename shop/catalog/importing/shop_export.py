"""The shop's own product file: one row a variant, the product's columns repeated in each.

handle           key of the product (its handle, else its slug); required
sku              key of the variant; required
name, title, brand
category         names from top to bottom: Ayurveda > Tonics > Jams
concerns         names separated by |
highlight        HTML; dosage, meta_title, meta_desc
country_of_origin (two letters), maker, importer, licence_number, hsn, shelf_life_months
is_returnable, is_prescription, published, active: true or false
dispatch_max_day, buffer_delivery_day, max_purchase_qty
selling_price, actual_price: actual is the MRP, selling at most that; required
selling_price_us, actual_price_us …: fixed prices of a country, in its own currency
option1_name, option1_value … option3_value: Size, 250 g
description      HTML; ingredients separated by commas
nutritional_info, composition: JSON objects
net_quantity, net_unit, weight, weight_unit, barcode
images           addresses of the variant's pictures separated by blanks, fetched only with --pictures
stock            units on the shelf, taken over only with --stock

An empty cell leaves the field as it is. Cells that a spreadsheet would take for a formula carry a
leading apostrophe, which is taken off.
"""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from shop.markets.queries import atlas

from . import cells
from .reading import Record
from .rows import BadRow, Format, NamedPicture, Row

Reader = Callable[[str], Any]
_MARKET_PRICE = re.compile(r"selling_price_([a-z]{2})")
PRODUCT_FIELDS: dict[str, Reader] = {
    "name": cells.text,
    "title": cells.text,
    "highlight": cells.rich_text,
    "dosage": cells.rich_text,
    "meta_title": cells.text,
    "meta_desc": cells.text,
    "country_of_origin": lambda cell: _country(cell),
    "maker": cells.text,
    "importer": cells.text,
    "licence_number": cells.text,
    "shelf_life_months": lambda cell: cells.whole_number(cell, "shelf_life_months"),
    "is_returnable": lambda cell: cells.yes_or_no(cell, "is_returnable"),
    "is_prescription": lambda cell: cells.yes_or_no(cell, "is_prescription"),
    "dispatch_max_day": lambda cell: cells.whole_number(cell, "dispatch_max_day"),
    "buffer_delivery_day": lambda cell: cells.whole_number(cell, "buffer_delivery_day"),
}
VARIANT_FIELDS: dict[str, tuple[str, Reader]] = {
    "max_purchase_qty": ("max_purchase_qty", lambda cell: cells.whole_number(cell, "max_purchase_qty", most=100)),
    "description": ("description", cells.rich_text),
    "ingredients": ("ingredients", cells.text),
    "nutritional_info": ("nutritional_info_json", lambda cell: cells.json_object(cell, "nutritional_info")),
    "composition": ("composition_json", lambda cell: cells.json_object(cell, "composition")),
    "net_quantity": ("net_quantity", lambda cell: cells.number(cell, "net_quantity")),
    "net_unit": ("net_unit", cells.text),
    "weight": ("weight_actual", lambda cell: cells.number(cell, "weight", places=3)),
    "weight_unit": ("weight_unit", cells.text),
    "barcode": ("barcode", cells.text),
}


class ShopFormat(Format):
    required = ("handle", "sku", "name", "selling_price", "actual_price")
    description = "product file of this shop"

    def read(self, record: Record) -> Row:
        stated = {column: cell for column, cell in record.cells.items() if cell.strip()}
        get = stated.get
        row = Row(record.number, cells.text(get("handle", "")).lower(), sku=cells.text(get("sku", "")))
        if not row.handle or not row.sku:
            raise BadRow("no handle" if not row.handle else "no SKU")
        row.product = {field: read(stated[field]) for field, read in PRODUCT_FIELDS.items() if field in stated}
        row.variant = {
            field: read(stated[column]) for column, (field, read) in VARIANT_FIELDS.items() if column in stated
        }
        if row.variant.get("max_purchase_qty") == 0:
            raise BadRow("max_purchase_qty is at least 1")
        row.name = row.product.get("name", "")
        row.brand = cells.text(get("brand", ""))
        row.category = cells.levels(*get("category", "").split(">"))
        if "concerns" in stated:
            row.concerns = tuple(filter(None, map(cells.text, stated["concerns"].split("|"))))
        row.hsn = cells.text(get("hsn", ""))
        row.published = cells.yes_or_no(get("published", ""), "published")
        row.active = cells.yes_or_no(get("active", ""), "active")
        row.stock = cells.whole_number(get("stock", ""), "stock", most=10**9)
        row.selling = self.prices.read(get("selling_price", ""))
        row.actual = self.prices.read(get("actual_price", ""))
        row.market_prices = dict(_market_prices(stated))
        row.pictures = [NamedPicture(address, is_own=True) for address in cells.addresses(get("images", ""))]
        row.options = tuple(
            (cells.text(get(f"option{n}_name", f"Option {n}")), cells.text(stated[f"option{n}_value"]))
            for n in (1, 2, 3)
            if f"option{n}_value" in stated
        )
        return row


def _market_prices(stated: dict[str, str]) -> Iterator[tuple[int, tuple[Decimal, Decimal]]]:
    """Location id and its fixed selling and actual price."""
    for column, cell in stated.items():
        found = _MARKET_PRICE.fullmatch(column)
        if not found:
            continue
        location = atlas().by_code.get(found[1].upper())
        if location is None:
            raise BadRow(f"{column}: the shop sells to no country {found[1].upper()}")
        selling = cells.number(cell, column, places=3)
        actual = cells.number(stated.get(f"actual_price_{found[1]}", cell), f"actual_price_{found[1]}", places=3)
        if not selling or not actual or selling > actual:
            raise BadRow(f"{column}: {selling} is not above 0 and at most the actual price {actual}")
        yield location.pk, (selling, actual)


def _country(cell: str) -> str:
    code = cells.text(cell).upper()
    if len(code) != 2 or not code.isascii() or not code.isalpha():
        raise BadRow(f"country_of_origin is no two-letter code: {code[:40]!r}")
    return code
