"""The shop's own product file: one row a variant, the product's columns repeated in each.

handle           key of the product (its handle, else its slug); required
sku              key of the variant; required, save in the one row of a product without variants
slug             last part of the product's address, for a new product
name, title
brand            its name; for a new one its address in brand_slug, its place among the brands in brand_position
category         path of slugs: ayurveda/tonics/jams; or names from top to bottom: Ayurveda > Tonics > Jams
category_names   names from top to bottom, for a path that is new; category_positions: theirs among their siblings
concerns         names separated by |; for new ones their addresses in concern_slugs, their order in concern_positions
active_ingredients  names with their strengths, separated by |: Paracetamol (500 mg) | Caffeine (65 mg)
dosage_form      tablet, syrup, cream …; is_composition_confirmed: true where all active ingredients are listed
highlight        HTML; suited_for, dosage, cautions, storage, meta_title, meta_desc
country_of_origin (two letters or a name), maker, importer, licence_number, shelf_life_months
hsn              code; gst_rates: percent and first day of each of its rates, 12@2017-07-01 5@2025-09-22, with which
                 a shop that does not know the code makes it
is_returnable, is_prescription, is_pinned, published, active: true or false
schedule         H or H1; X and N (narcotics) are kept and not published
not_sold_in      two-letter codes of countries, separated by blanks; "-" for none
dispatch_max_day, buffer_delivery_day, max_purchase_qty
selling_price, actual_price: actual is the MRP, selling at most that; required
selling_price_us, actual_price_us …: fixed prices of a country, in its own currency
option1_name, option1_value, option2_name …: Size, 250 g
description      HTML; ingredients separated by commas
nutritional_info, composition: JSON objects
net_quantity, net_unit, weight, weight_unit, barcode
images           addresses of the variant's pictures separated by blanks, taken only with --pictures
image_texts      what each of them shows, separated by |
stock            units on the shelf, taken over only with --stock

An empty cell leaves the field as it is. A backslash keeps the next | or > within a name. Cells that a spreadsheet
would take for a formula carry a leading apostrophe, which is taken off.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import zip_longest
from typing import Any

from django.db.models import CharField, Count, Max, Prefetch, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext_lazy, gettext_noop

from shop.markets.geography.names import country_names
from shop.markets.models import Location
from shop.markets.queries import market_registry

from ...composition.dosage import DosageForm, form_named
from ...composition.files import read_ingredients, written_ingredients
from ...composition.prescriptions import Schedule
from ...models import AttributeValue, Picture, PictureAddress, Product, Variant, VariantImage, VariantPrice
from ...pictures.services import identities_in, source_address
from ..files.reading import Record
from ..rows import MAX_POSITION, BadRow, NamedPicture, Row
from . import cells
from .base import Format, register
from .facts import needs_prescription, read_origin, read_prescription

CHUNK = 200
MIN_OPTIONS = 3
Reader = Callable[[str], Any]
NOWHERE = "-"
_MARKET_PRICE = re.compile(r"(selling|actual)_price_([a-z]{2})")
_OPTION = re.compile(r"option(\d{1,2})_value")
_PATH = re.compile(r"[-\w]+(?:/[-\w]+)*", re.ASCII)
_POSITION = re.compile(r"[0-9]{1,5}")
_RATE = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)@(\d{4}-\d{2}-\d{2})", re.ASCII)
_UNREADABLE = re.compile(r"[\x00\ud800-\udfff]")


def _exact(cell: str) -> str:
    """As it stands in the shop, signs and blanks included, so that what comes back is what went out."""
    return _UNREADABLE.sub("", cell).strip()


PRODUCT_FIELDS: dict[str, Reader] = {
    "name": _exact,
    "title": _exact,
    "highlight": cells.rich_text,
    "suited_for": _exact,
    "dosage": cells.rich_text,
    "cautions": _exact,
    "storage": _exact,
    "meta_title": _exact,
    "meta_desc": _exact,
    "country_of_origin": cells.text,
    "maker": _exact,
    "importer": _exact,
    "licence_number": _exact,
    "shelf_life_months": lambda cell: cells.whole_number(cell, "shelf_life_months"),
    "is_returnable": lambda cell: cells.yes_or_no(cell, "is_returnable"),
    "is_prescription": needs_prescription,
    "schedule": lambda cell: _schedule(cell),
    "active_ingredients": lambda cell: read_ingredients(split_names(cell, "|")),
    "dosage_form": lambda cell: _dosage_form(cell),
    "is_composition_confirmed": lambda cell: cells.yes_or_no(cell, "is_composition_confirmed"),
    "is_pinned": lambda cell: cells.yes_or_no(cell, "is_pinned"),
    "dispatch_max_day": lambda cell: cells.whole_number(cell, "dispatch_max_day"),
    "buffer_delivery_day": lambda cell: cells.whole_number(cell, "buffer_delivery_day"),
}
VARIANT_FIELDS: dict[str, tuple[str, Reader]] = {
    "max_purchase_qty": ("max_purchase_qty", lambda cell: cells.whole_number(cell, "max_purchase_qty", maximum=100)),
    "description": ("description", cells.rich_text),
    "ingredients": ("ingredients", _exact),
    "nutritional_info": ("nutritional_info_json", lambda cell: cells.json_object(cell, "nutritional_info")),
    "composition": ("composition_json", lambda cell: cells.json_object(cell, "composition")),
    "net_quantity": ("net_quantity", cells.text),
    "net_unit": ("net_unit", _exact),
    "weight": ("weight_actual", cells.text),
    "weight_unit": ("weight_unit", _exact),
    "barcode": ("barcode", _exact),
}
OF_VARIANTS = {*VARIANT_FIELDS, "selling_price", "actual_price", "active", "stock", "images"}


MEASURES = {"net_quantity": 2, "weight": 3}  # decimals
FACTS = {"country_of_origin", "is_prescription"}
TAKEN = {
    "handle", "sku", "slug", *PRODUCT_FIELDS, *VARIANT_FIELDS, "brand", "brand_slug", "brand_position", "category",
    "category_names", "category_positions", "concerns", "concern_slugs", "concern_positions", "hsn", "gst_rates",
    "published", "active", "not_sold_in", "selling_price", "actual_price", "images", "image_texts", "stock",
}  # fmt: skip


@register("shop", gettext_lazy("This shop's own (as exported)"))
class ShopFormat(Format):
    stock_columns = {"stock"}
    picture_columns = {"images", "image_texts"}
    required = ("handle", "sku", "name", "selling_price", "actual_price")
    description = gettext_noop("product file of this shop")

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._options = sorted(int(found[1]) for column in self.columns if (found := _OPTION.fullmatch(column)))
        self._names_paths = "category_names" in self.columns
        options = {f"option{n}_{part}" for n in self._options for part in ("name", "value")}
        self.taken = TAKEN | options | set(filter(_MARKET_PRICE.fullmatch, self.columns))

    @classmethod
    def write(cls, products: QuerySet[Product]) -> Iterator[list[Any]]:
        return product_rows(products)

    def read(self, record: Record) -> Row:
        stated = {column: cell for column, cell in record.cells.items() if cell.strip()}
        get = stated.get
        row = Row(record.number, cells.text(get("handle", "")).lower(), sku=_exact(get("sku", "")))
        row.selling = self.prices.read(get("selling_price", ""))
        row.actual = self.prices.read(get("actual_price", ""))
        row.is_product_only = not (row.sku or stated.keys() & OF_VARIANTS or any(map(_OPTION.fullmatch, stated)))
        if not row.handle or not (row.sku or row.is_product_only):
            raise BadRow("no handle" if not row.handle else "no SKU")
        for field, read in PRODUCT_FIELDS.items():
            if field in stated and field not in FACTS and (value := _minor(row, read, stated[field])) is not None:
                row.product[field] = value
        for column, (field, read) in VARIANT_FIELDS.items():
            if column in MEASURES:
                value = cells.measure(row, get(column, ""), column, places=MEASURES[column])
            else:
                value = _minor(row, read, stated[column]) if column in stated else None
            if value is not None:
                row.variant[field] = value
        if "is_prescription" in stated:
            row.product["is_prescription"] = read_prescription(row, stated["is_prescription"], "is_prescription")
        if code := _read_origin(row, _exact(get("country_of_origin", ""))):
            row.product["country_of_origin"] = code
        if row.variant.get("max_purchase_qty") == 0:
            raise BadRow("max_purchase_qty must be at least 1")
        row.name = row.product.get("name", "")
        row.slug = _slug(get("slug", ""))
        row.brand, row.brand_slug = _exact(get("brand", "")), _slug(get("brand_slug", ""))
        row.brand_position = next(iter(_positions(get("brand_position", ""), 1)), 0)
        row.category, row.category_path = self._category(get("category", ""), get("category_names", ""))
        row.category_positions = _positions(get("category_positions", ""), len(row.category))
        if "concerns" in stated:
            row.concerns = split_names(stated["concerns"], "|")
            slugs = tuple(map(_slug, get("concern_slugs", "").split()))
            row.concern_slugs = slugs if len(slugs) == len(row.concerns) else ()
            row.concern_positions = _positions(get("concern_positions", ""), len(row.concerns))
        if "not_sold_in" in stated:
            row.not_sold_in = frozenset(self._locations(stated["not_sold_in"]))
        row.hsn = cells.text(get("hsn", ""))
        row.gst_rates = tuple(map(_gst_rate, get("gst_rates", "").split()))
        if len({day for day, _ in row.gst_rates}) < len(row.gst_rates):
            raise BadRow("gst_rates: two rates start on the same day")
        row.published = cells.is_open(row, get("published", ""), "published")
        row.active = False if row.is_product_only else cells.is_open(row, get("active", ""), "active")
        row.stock = cells.units(row, get("stock", ""), "stock")
        row.market_prices = dict(_market_prices(stated))
        texts = split_names(get("image_texts", ""), "|", keep_empty=True)
        row.pictures = [
            NamedPicture(address, alt, is_own=True)
            for address, alt in zip_longest(cells.addresses(get("images", "")), texts, fillvalue="")
            if address
        ]
        row.options = tuple(
            (_exact(get(f"option{n}_name", f"Option {n}")), _exact(stated[f"option{n}_value"]))
            for n in self._options
            if f"option{n}_value" in stated
        )
        return row

    def _category(self, cell: str, names: str) -> tuple[tuple[str, ...], str]:
        """Names and path; a file of before, which has no column of names, has them where the path is now."""
        path = _exact(cell)
        if not self._names_paths or not _PATH.fullmatch(path):
            return split_names(cell, ">"), ""
        known = split_names(names, ">")
        slugs = path.split("/")
        return known if len(known) == len(slugs) else tuple(slug.replace("-", " ").title() for slug in slugs), path

    def _locations(self, cell: str) -> Iterator[int]:
        for code in cell.upper().split() if cell.strip() != NOWHERE else ():
            if code not in self._countries:
                raise BadRow(f"not_sold_in: the shop does not know the country {code[:40]!r}")
            yield self._countries[code]

    @cached_property
    def _countries(self) -> dict[str, int]:
        return dict(Location.objects.values_list("code", "pk"))


def join_names(names: Iterable[str], sign: str) -> str:
    """Names in one cell; a backslash stands before a sign that is part of a name."""
    return f" {sign} ".join(name.replace("\\", "\\\\").replace(sign, f"\\{sign}") for name in names)


def split_names(cell: str, sign: str, *, keep_empty: bool = False) -> tuple[str, ...]:
    names = [re.sub(rf"\\([\\{sign}])", r"\1", part).strip() for part in _parts(_exact(cell), sign)]
    return tuple(name for name in names if name or keep_empty)


def _parts(cell: str, sign: str) -> list[str]:
    parts, is_kept = [""], False
    for letter in cell:
        if letter == sign and not is_kept:
            parts.append("")
        else:
            parts[-1] += letter
        is_kept = letter == "\\" and not is_kept
    return parts


def _dosage_form(cell: str) -> int:
    if not (form := form_named(cell)):
        raise BadRow(f"dosage_form: {cell[:40]!r} is none that the shop knows, such as tablet or eye-drops")
    return int(form)


def _schedule(cell: str) -> str:
    if (word := cell.strip().upper()) not in Schedule.values:
        raise BadRow(f"schedule: {cell[:40]!r} is none of {', '.join(Schedule.values)}")
    return word


def _gst_rate(word: str) -> tuple[date, Decimal]:
    found = _RATE.fullmatch(word)
    try:
        if found and Decimal(found[1]) <= 100:
            return date.fromisoformat(found[2]), Decimal(found[1])
    except ValueError:
        pass
    raise BadRow(f"gst_rates: {word[:40]!r} is not a percentage and a date, such as 5@2025-09-22")


def _slug(cell: str) -> str:
    """Empty where it can be none."""
    word = cell.strip()
    return word if _PATH.fullmatch(word) and "/" not in word else ""


def _positions(cell: str, number: int) -> tuple[int, ...]:
    """Empty where they are not as many positions as there are names."""
    words = cell.split()
    if len(words) != number or not all(_POSITION.fullmatch(word) for word in words):
        return ()
    return tuple(min(int(word), MAX_POSITION) for word in words)


def _market_prices(stated: dict[str, str]) -> Iterator[tuple[int, tuple[Decimal, Decimal]]]:
    """Location id and its fixed selling and actual price."""
    for column, cell in stated.items():
        found = _MARKET_PRICE.fullmatch(column)
        if not found or found[1] != "selling":
            continue
        location = market_registry().by_code.get(found[2].upper())
        if location is None:
            raise BadRow(f"{column}: the shop does not sell to {found[2].upper()}")
        other = f"actual_price_{found[2]}"
        selling = cells.number(cell, column, places=3, digits=9)
        actual = cells.number(stated.get(other, cell), other, places=3, digits=9)
        if not selling or not actual or selling > actual:
            raise BadRow(f"{column}: {selling} must be above 0 and at most the actual price {actual}")
        yield location.pk, (selling, actual)


def _read_origin(row: Row, cell: str) -> str:
    return cell if not cell or cell in country_names() else read_origin(row, cell, "country_of_origin")


def _minor(row: Row, read: Reader, cell: str) -> Any:
    return cells.kept(row, lambda: read(cell))


@dataclass(frozen=True, slots=True)
class _Columns:
    """What the columns depend on, of the products that are exported."""

    markets: dict[int, str]  # location id to code, of those with a fixed price
    options: int
    shared_handles: frozenset[str]  # of several products: no key


def product_rows(products: QuerySet[Product]) -> Iterator[list[Any]]:
    """The header, then a row for each variant (or for a product that has none); some queries for each CHUNK
    products, whatever their number.

    Prices abroad have two columns for each market in which one of the products has any.
    """
    ids = list(products.order_by("pk").values_list("pk", flat=True).distinct())
    columns = _columns(products)
    yield [
        "handle", "sku", "slug", *PRODUCT_FIELDS, "brand", "brand_slug", "brand_position", "category",
        "category_names", "category_positions", "concerns", "concern_slugs", "concern_positions", "not_sold_in", "hsn",
        "gst_rates", "published", "active", "selling_price", "actual_price",
        *[name for code in columns.markets.values() for name in market_columns(code)],
        *[name for n in range(1, columns.options + 1) for name in (f"option{n}_name", f"option{n}_value")],
        *VARIANT_FIELDS, "images", "image_texts", "stock",
    ]  # fmt: skip
    for start in range(0, len(ids), CHUNK):
        for product in _read(ids[start : start + CHUNK]):
            cells = _product_cells(product, columns)
            for variant in product.variants.all() or [None]:
                yield _row(product, variant, cells, columns)


def market_columns(code: str) -> tuple[str, str]:
    return f"selling_price_{code.lower()}", f"actual_price_{code.lower()}"


def _columns(products: QuerySet[Product]) -> _Columns:
    chosen = products.order_by().values("pk")
    priced = VariantPrice.objects.filter(variant__product__in=chosen).order_by()
    used = set(priced.values_list("location_id", flat=True).distinct())
    values = Variant.attribute_values.through.objects.filter(variant__product__in=chosen).order_by()
    options = values.values("variant").annotate(number=Count("pk")).aggregate(most=Max("number"))["most"] or 0
    handles = Product.objects.order_by().values(
        shown=Coalesce(NullIf("handle", Value("")), "slug", output_field=CharField())
    )
    shared = handles.annotate(number=Count("pk")).filter(number__gt=1)
    return _Columns(
        markets={pk: location.code for pk, location in sorted(market_registry().locations.items()) if pk in used},
        options=max(MIN_OPTIONS, options),
        shared_handles=frozenset(shared.values_list("shown", flat=True)),
    )


def _read(ids: list[int]) -> QuerySet[Product]:
    values = Prefetch("attribute_values", AttributeValue.objects.select_related("attribute"))
    origins = Prefetch("picture__fetched_from", PictureAddress.objects.order_by("pk").only("address", "picture"))
    images = Prefetch("variant_images", VariantImage.objects.select_related("picture").prefetch_related(origins))
    variants = Variant.objects.order_by("position", "id").prefetch_related(values, images, "fixed_prices")
    return (
        Product.objects.filter(pk__in=ids)
        .order_by("pk")
        .select_related("brand", "category__parent__parent")
        .prefetch_related("health_concerns", "barred_locations", "hsn__rates", Prefetch("variants", variants))
    )


def _product_cells(product: Product, columns: _Columns) -> list[Any]:
    """Beside handle and SKU, what each of its rows says alike."""
    concerns = product.health_concerns.all()
    return [
        product.slug,
        *[_product_cell(product, field) for field in PRODUCT_FIELDS],
        product.brand.name,
        product.brand.slug,
        product.brand.position,
        product.category.path,
        join_names(product.category.names, ">"),
        " ".join(str(category.position) for category in product.category.trail),
        join_names((concern.name for concern in concerns), "|"),
        " ".join(concern.slug for concern in concerns),
        " ".join(str(concern.position) for concern in concerns),
        " ".join(location.code for location in product.barred_locations.all()) or NOWHERE,
        product.hsn_id or "",
        " ".join(f"{rate.percent}@{rate.valid_from}" for rate in product.hsn.rates.all()) if product.hsn else "",
        product.is_published,
    ]


def _row(product: Product, variant: Variant | None, cells: list[Any], columns: _Columns) -> list[Any]:
    handle = product.handle or product.slug
    key = product.slug if handle in columns.shared_handles else handle
    return [key, variant.sku if variant else "", *cells, *(_variant_cells(variant, columns) if variant else ())]


def _variant_cells(variant: Variant, columns: _Columns) -> list[Any]:
    prices = {price.location_id: (price.selling_price, price.actual_price) for price in variant.fixed_prices.all()}
    options = [(value.attribute.name, value.label) for value in variant.attribute_values.all()]
    options += [("", "")] * (columns.options - len(options))
    pictures = [image.picture for image in variant.variant_images.all()]
    return [
        variant.is_active,
        variant.selling_price,
        variant.actual_price,
        *[cell for pk in columns.markets for cell in prices.get(pk, ("", ""))],
        *[word for option in options for word in option],
        *[_cell(getattr(variant, field)) for field, _ in VARIANT_FIELDS.values()],
        " ".join(source_address(picture, _origin(picture)) for picture in pictures),
        join_names((picture.alt for picture in pictures), "|"),
        variant.on_hand,
    ]


def _origin(picture: Picture) -> str:
    """The hash that a picture from another shop's export has there."""
    hashes = [hashes[-1] for row in picture.fetched_from.all() if (hashes := identities_in(row.address))]
    return next((digest for digest in hashes if digest != picture.digest), "")


def _product_cell(product: Product, field: str) -> Any:
    if field == "dosage_form":
        return DosageForm(product.dosage_form).slug if product.dosage_form else ""
    if field == "active_ingredients":
        return join_names(written_ingredients(product.active_ingredients), "|")
    return _cell(getattr(product, field))


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return value
