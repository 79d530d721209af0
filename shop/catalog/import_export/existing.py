"""What the catalogue already holds of one batch's products, in a handful of queries."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Prefetch, Q

from shop.backoffice import history

from ..models import AttributeValue, Product, Variant
from .formats.cells import generated_sku, same_name
from .lookups import UNKNOWN_BRAND
from .rows import OptionKey, Options, Row, kept_options, option_set


@dataclass(eq=False, slots=True)
class KnownProduct:
    """A product of the catalogue, or one to be made, and what is to change in it."""

    record: Product
    handle: str
    had_active: bool = False
    changed: set[str] = field(default_factory=set)
    sets: dict[str, set[int]] = field(default_factory=dict)  # many-to-many field: the ids it is to have
    variants: list["KnownVariant"] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        return self.record.pk is None

    @property
    def has_active(self) -> bool:
        return any(variant.record.is_active for variant in self.variants)

    @property
    def is_touched(self) -> bool:
        return bool(self.is_new or self.changed or self.sets) or any(variant.is_touched for variant in self.variants)


@dataclass(eq=False, slots=True)
class KnownVariant:
    record: Variant
    product: KnownProduct
    options: Options
    changed: set[str] = field(default_factory=set)
    new_options: tuple[tuple[str, str], ...] | None = None
    incoming: int = 0
    new_prices: dict[int, tuple[Decimal, Decimal]] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        return self.record.pk is None

    @property
    def is_touched(self) -> bool:
        return bool(self.is_new or self.changed or self.new_options is not None or self.incoming or self.new_prices)

    @property
    def market_prices(self) -> dict[int, tuple[Decimal, Decimal]]:
        rows = () if self.is_new else self.record.fixed_prices.all()
        return {row.location_id: (row.selling_price, row.actual_price) for row in rows}


class EarlierHandles:
    """Finds what imports until November 2026 made of a row: under the handle stored then, which products with different
    names could share, so that the name must be the same, or have been before staff changed it."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}  # earlier handle: the handle of the rows that it stands for in this run

    def settle(self, rows: Iterable[Row], known: "Known") -> None:
        for row in rows:
            product = known.products.get(row.earlier_handle) if row.earlier_handle else None
            if product is None or row.handle in known.products:
                continue
            if self._owners.get(row.earlier_handle, row.handle) == row.handle and _is_of(row, product.record):
                self._owners[row.earlier_handle] = row.handle
                row.handle = row.earlier_handle
            else:
                row.notes.append(f"earlier imports matched it to {product.record.name!r}; it is now a separate product")


def _is_of(row: Row, product: Product) -> bool:
    names, brands = {product.name}, {product.brand.name}
    mine = {_compared(row.brand, 80) or same_name(UNKNOWN_BRAND), _compared(row.earlier_brand, 80)}

    def agree() -> bool:
        return _compared(row.name, 200) in set(map(same_name, names)) and not mine.isdisjoint(map(same_name, brands))

    if agree():
        return True
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Product), object_id=str(product.pk)
    ).order_by()
    for part in (part for entry in entries for part in history.read(entry)):
        names |= {before for label, before, _ in part.fields if label == "Name"}
        brands |= {before for label, before, _ in part.fields if label == "Brand"}
    return agree()


def _compared(name: str, max_length: int) -> str:
    return same_name(name[:max_length])


class Known:
    """Products by handle, variants by SKU and by handle and options; grows as rows make new ones."""

    def __init__(self, rows: Collection[Row]) -> None:
        self._rows = rows
        self.products: dict[str, KnownProduct] = {}
        self._by_sku: dict[str, KnownVariant] = {}
        self._by_options: dict[OptionKey, KnownVariant] = {}
        for product in _load(rows):
            self._add_loaded(product)

    def variant_of(self, row: Row) -> KnownVariant | None:
        """By SKU, else by handle and options; a row that brings a SKU also finds the one we made up."""
        by_options = self._by_options.get(row.option_key) or self._renamed(row)
        if not row.sku:
            return by_options
        made_up = by_options and by_options.record.sku == generated_sku(row.handle, row.options)
        return self._by_sku.get(row.sku) or (by_options if made_up else None)

    def _renamed(self, row: Row) -> KnownVariant | None:
        """The variant that an import made of these options, before staff renamed an attribute or one of its values; not
        where another row is of the options that it has now."""
        variant = self._by_sku.get(generated_sku(row.handle, row.options))
        if variant is None or variant.product.handle != row.handle:
            return None
        return None if (row.handle, variant.options) in self._stated else variant

    @cached_property
    def _stated(self) -> set[OptionKey]:
        return {row.option_key for row in self._rows}

    def free_sku(self, sku: str) -> str:
        """With a number where it is somebody's already."""
        free, number = sku, 1
        while free in self._by_sku or (number > 1 and Variant.objects.filter(sku=free).exists()):
            number += 1
            free = f"{sku[:94]}-{number}"
        return free

    def has_elsewhere(self, row: Row) -> bool:
        """Whether the row's SKU is a variant of another product, while its own product is known, too."""
        variant = self._by_sku.get(row.sku)
        return bool(variant and variant.product.handle != row.handle and row.handle in self.products)

    def add_product(self, product: KnownProduct) -> None:
        self.products[product.handle] = product

    def add_variant(self, variant: KnownVariant) -> None:
        variant.product.variants.append(variant)
        self._by_sku[variant.record.sku] = variant
        self._by_options[variant.product.handle, variant.options] = variant

    def _add_loaded(self, record: Product) -> None:
        product = KnownProduct(record, record.handle or record.slug)
        self.add_product(product)
        for variant in record.variants.all():
            options = option_set((value.attribute.name, value.label) for value in variant.attribute_values.all())
            self.add_variant(KnownVariant(variant, product, options))
        product.had_active = product.has_active


def _handles(row: Row) -> list[str]:
    return [handle for handle in (row.handle, row.earlier_handle) if handle]


def _load(rows: Collection[Row]) -> Iterable[Product]:
    handles = {handle for row in rows for handle in _handles(row)}
    skus = {row.sku or generated_sku(handle, kept_options(row)) for row in rows for handle in _handles(row)}
    ids = set(Variant.objects.filter(sku__in=skus).values_list("product_id", flat=True))
    values = Prefetch("attribute_values", AttributeValue.objects.select_related("attribute"))
    variants = Prefetch("variants", Variant.objects.order_by("position", "id").prefetch_related(values, "fixed_prices"))
    by_handle = Q(handle__in=handles) | Q(handle="", slug__in=handles)
    sets = ["health_concerns"] + ["barred_locations"] * any(row.not_sold_in is not None for row in rows)
    found = Product.objects.filter(by_handle | Q(pk__in=ids)).select_related("brand")
    return found.prefetch_related(*sets, variants)
