"""What the catalogue already holds of one batch's products, in a handful of queries."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import Prefetch, Q

from shop.catalog.models import AttributeValue, Product, Variant

from .cells import generated_sku
from .rows import OptionKey, Options, Row, option_set


@dataclass(eq=False, slots=True)
class KnownProduct:
    """A product of the catalogue, or one to be made, and what is to change in it."""

    record: Product
    handle: str
    had_active: bool = False
    changed: set[str] = field(default_factory=set)
    concerns: set[int] | None = None
    variants: list["KnownVariant"] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        return self.record.pk is None

    @property
    def has_active(self) -> bool:
        return any(variant.record.is_active for variant in self.variants)

    @property
    def is_touched(self) -> bool:
        mine = self.is_new or self.changed or self.concerns is not None
        return bool(mine) or any(variant.is_touched for variant in self.variants)


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


class Known:
    """Products by handle, variants by SKU and by handle and options; grows as rows make new ones."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.products: dict[str, KnownProduct] = {}
        self._by_sku: dict[str, KnownVariant] = {}
        self._by_options: dict[OptionKey, KnownVariant] = {}
        for product in _load(rows):
            self._add_loaded(product)

    def variant_of(self, row: Row) -> KnownVariant | None:
        """By SKU, else by handle and options; a row that brings a SKU also finds the one we made up."""
        by_options = self._by_options.get(row.option_key)
        if not row.sku:
            return by_options
        made_up = by_options and by_options.record.sku == generated_sku(row.handle, row.options)
        return self._by_sku.get(row.sku) or (by_options if made_up else None)

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


def _load(rows: Iterable[Row]) -> Iterable[Product]:
    handles = {row.handle for row in rows}
    skus = {row.sku for row in rows if row.sku}
    ids = set(Variant.objects.filter(sku__in=skus).values_list("product_id", flat=True))
    values = Prefetch("attribute_values", AttributeValue.objects.select_related("attribute"))
    variants = Prefetch("variants", Variant.objects.order_by("position", "id").prefetch_related(values, "fixed_prices"))
    by_handle = Q(handle__in=handles) | Q(handle="", slug__in=handles)
    return Product.objects.filter(by_handle | Q(pk__in=ids)).prefetch_related("health_concerns", variants)
