"""Bring the catalogue to what rows say: plan a batch, then write only what differs.

The first row of a key rules; a later one with the same key is merged into it. So a file that
contradicts itself still says the same in every run. A dry run plans and does not write.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import models, transaction

from shop.catalog import stock
from shop.catalog.models import Product, Variant
from shop.catalog.services import put_market_prices, refresh_products

from .cells import generated_sku
from .known import Known, KnownProduct, KnownVariant
from .lookups import UNCATEGORIZED, UNKNOWN_BRAND, Lookups
from .named_pictures import NamedPictures
from .report import Outcome, Report
from .rows import BadRow, Row, option_set


@dataclass(slots=True)
class Plan:
    row: Row
    product: KnownProduct
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Seen:
    """An accepted row of this file, as later rows are compared with it."""

    number: int
    key: object
    selling: Decimal | None


class Writer:
    def __init__(
        self, report: Report, *, dry_run: bool, take_stock: bool, pictures: NamedPictures | None, source: str
    ) -> None:
        self._report = report
        self._dry_run = dry_run
        self._take_stock = take_stock
        self._pictures = pictures
        self._source = source
        self._lookups = Lookups(create=not dry_run)
        self._seen: dict[object, Seen] = {}
        self._handles: set[str] = set()
        self._made: set[str] = set()
        self._described: set[str] = set()
        self._kept_back: set[str] = set()

    def take(self, rows: list[Row]) -> None:
        with nullcontext() if self._dry_run else transaction.atomic():
            known = Known(rows)
            plans = [plan for row in rows if (plan := self._plan_or_refuse(row, known))]
            for product, its_plans in _by_product(plans):
                self._settle_publication(product, its_plans)
            if not self._dry_run:
                self._write([product for product in known.products.values() if product.is_touched])
            if self._pictures:
                self._pictures.write()
        for plan in plans:
            self._report.count(plan.outcome)

    # --- Planning -----------------------------------------------------------------

    def _plan_or_refuse(self, row: Row, known: Known) -> Plan | None:
        try:
            return self._plan(row, known)
        except BadRow as reason:
            self._report.refuse(row.number, str(reason), row.name or row.handle)
            return None

    def _plan(self, row: Row, known: Known) -> Plan | None:
        if row.is_picture_only:
            if row.handle not in known.products and row.handle not in self._handles:
                raise BadRow(f"a picture of {row.handle!r}, which is no product")
            self._note_pictures(row, known.products.get(row.handle), None)
            self._report.count(Outcome.MERGED)
            return None
        self._check(row)
        row.options = tuple((name[:60].strip(), value[:80].strip()) for name, value in row.options)
        variant = known.variant_of(row)
        if self._is_repeated(row):
            self._note_pictures(row, variant.product if variant else known.products.get(row.handle), variant)
            self._report.count(Outcome.MERGED)
            return None
        product = variant.product if variant else known.products.get(row.handle) or self._new_product(row, known)
        self._handles.add(row.handle)
        plan = Plan(row, product, Outcome.UNCHANGED)
        self._describe(plan)
        if row.is_product_only and product.handle in self._made:
            plan.outcome = Outcome.CREATED
        if not row.is_product_only:
            variant = self._plan_variant(plan, variant, known)
        self._note_pictures(row, product, variant)
        self._remember(row)
        return plan

    def _check(self, row: Row) -> None:
        if not row.handle and not row.sku:
            raise BadRow("neither SKU nor handle")
        if len(row.sku) > 100 or len(row.handle) > 255:
            raise BadRow("the SKU is longer than 100 characters, or the handle than 255")
        if row.selling and row.actual and row.selling > row.actual:
            raise BadRow(f"the selling price {row.selling} is above the actual price {row.actual}")
        if row.hsn and row.hsn not in self._lookups.hsn_codes:
            raise BadRow(f"no HSN code {row.hsn}: add it with its GST rate first")
        if unknown := [name for name in row.concerns or () if name.casefold() not in self._lookups.concerns]:
            raise BadRow(f"no health concern {unknown[0]!r}")

    def _is_repeated(self, row: Row) -> bool:
        first = self._seen.get(_key(row))
        if first is None:
            return False
        if first.key != row.option_key:
            raise BadRow(f"the SKU {row.sku} stands in row {first.number} for something else")
        if first.selling != row.selling:
            text = f"row {first.number} says {first.selling}, this row {row.selling}; the first one counts"
            self._report.remark(row.number, text, row.name or row.handle)
        return True

    def _remember(self, row: Row) -> None:
        seen = Seen(row.number, row.option_key, row.selling)
        self._seen[_key(row)] = seen
        if not row.is_product_only:
            self._seen.setdefault(row.option_key, seen)
        for note in row.notes:
            self._report.remark(row.number, note, row.name or row.handle)

    def _new_product(self, row: Row, known: Known) -> KnownProduct:
        repeats_earlier = self._dry_run and row.handle in self._handles
        if not row.name and not repeats_earlier:
            raise BadRow(f"no name, and no product is known as {row.handle!r}")
        record = Product(handle=row.handle, slug=self._lookups.slugs.take(row.name))
        _set(
            record,
            {
                "name": row.name,
                "brand_id": self._lookups.brands.id_of(row.brand or UNKNOWN_BRAND),
                "category_id": self._lookups.categories.id_of(row.category or UNCATEGORIZED),
            },
        )
        product = KnownProduct(record, row.handle)
        known.add_product(product)
        self._made.add(row.handle)
        return product

    def _describe(self, plan: Plan) -> None:
        """The first row that describes a product speaks for it."""
        row, product = plan.row, plan.product
        if not row.product or product.handle in self._described:
            return
        self._described.add(product.handle)
        if row.kept_back or row.published is False:
            self._kept_back.add(product.handle)
        fields: dict[str, Any] = dict(row.product)
        if row.brand:
            fields["brand_id"] = self._lookups.brands.id_of(row.brand)
        if row.category:
            fields["category_id"] = self._lookups.categories.id_of(row.category)
        if row.hsn:
            fields["hsn_id"] = row.hsn
        changed = _set(product.record, fields)
        product.changed |= changed
        if row.concerns is not None:
            wanted = {self._lookups.concerns[name.casefold()] for name in row.concerns}
            if product.is_new or wanted != {concern.pk for concern in product.record.health_concerns.all()}:
                product.concerns = wanted
        if row.kept_back:
            self._report.draft(row.number, row.kept_back, row.name)
        if not product.is_new and (changed or product.concerns is not None):
            plan.outcome = Outcome.UPDATED

    def _plan_variant(self, plan: Plan, variant: KnownVariant | None, known: Known) -> KnownVariant:
        row = plan.row
        if variant is None:
            variant = self._new_variant(row, plan.product, known)
            plan.outcome = Outcome.CREATED
        fields = row.variant | _prices(row, variant)
        if row.sku:
            fields["sku"] = row.sku
        variant.changed = _set(variant.record, fields)
        if row.options and option_set(row.options) != variant.options:
            variant.new_options = row.options
        kept = variant.market_prices if row.market_prices else {}
        variant.new_prices = {pk: pair for pk, pair in row.market_prices.items() if kept.get(pk) != pair}
        if self._take_stock and row.stock is not None:
            variant.incoming = row.stock - variant.record.on_hand
        if plan.outcome is not Outcome.CREATED and variant.is_touched:
            plan.outcome = Outcome.UPDATED
        if not variant.record.selling_price and not row.kept_back:
            reason = "no price, or zero" if row.has_price else "the file has no prices"
            self._report.draft(row.number, reason, row.name or row.handle)
        return variant

    def _note_pictures(self, row: Row, product: KnownProduct | None, variant: KnownVariant | None) -> None:
        if self._pictures:
            self._pictures.take(row, product, variant)

    def _new_variant(self, row: Row, product: KnownProduct, known: Known) -> KnownVariant:
        sku = row.sku or generated_sku(row.handle, row.options)
        record = Variant(product=product.record, sku=sku, position=len(product.variants))
        record.selling_price = record.actual_price = Decimal(0)
        record.is_active = False
        variant = KnownVariant(record, product, option_set(row.options), new_options=row.options or None)
        known.add_variant(variant)
        return variant

    def _settle_publication(self, product: KnownProduct, plans: list[Plan]) -> None:
        """A product without a priced variant is a draft; one that just got its first is published."""
        is_held = not product.has_active or product.handle in self._kept_back
        is_asked_for = any(plan.row.published for plan in plans)
        if is_held or product.is_new or is_asked_for or not product.had_active:
            changed = _set(product.record, {"is_published": not is_held})
            product.changed |= changed
            if changed and not product.is_new and plans[0].outcome is Outcome.UNCHANGED:
                plans[0].outcome = Outcome.UPDATED

    # --- Writing --------------------------------------------------------------------

    def _write(self, products: list[KnownProduct]) -> None:
        variants = [variant for product in products for variant in product.variants]
        _save(Product.objects, products)
        _save(Variant.objects, variants)
        self._write_options([variant for variant in variants if variant.new_options is not None])
        for product in products:
            if product.concerns is not None:
                product.record.health_concerns.set(product.concerns)
        for variant in variants:
            if variant.incoming:
                stock.receive(variant.record, variant.incoming, note=f"Import of {self._source}"[:80])
        put_market_prices((variant.record.pk, variant.new_prices) for variant in variants if variant.new_prices)
        refresh_products([product.record.pk for product in products])

    def _write_options(self, variants: list[KnownVariant]) -> None:
        through = Variant.attribute_values.through
        through.objects.filter(variant_id__in=[variant.record.pk for variant in variants if variant.options]).delete()
        pairs = [(variant.record.pk, option) for variant in variants for option in variant.new_options or ()]
        rows = {(pk, self._lookups.values.id_of(name, value)) for pk, (name, value) in pairs}
        through.objects.bulk_create([through(variant_id=pk, attributevalue_id=value) for pk, value in sorted(rows)])


def _by_product(plans: list[Plan]) -> list[tuple[KnownProduct, list[Plan]]]:
    groups: dict[int, tuple[KnownProduct, list[Plan]]] = {}
    for plan in plans:
        groups.setdefault(id(plan.product), (plan.product, []))[1].append(plan)
    return list(groups.values())


def _key(row: Row) -> object:
    if row.is_product_only:
        return ("product", row.handle)
    return row.sku or row.option_key


def _prices(row: Row, variant: KnownVariant) -> dict[str, Any]:
    """The variant's price fields. Without a price it is kept inactive, at zero."""
    record = variant.record
    if not row.has_price:
        return {}
    if row.selling is None:
        return {"selling_price": Decimal(0), "actual_price": Decimal(0), "is_active": False}
    actual = row.actual or max(record.actual_price, row.selling)
    fields: dict[str, Any] = {"selling_price": row.selling, "actual_price": actual}
    if row.active is not None:
        fields["is_active"] = row.active
    elif not record.selling_price:
        fields["is_active"] = True
    return fields


def _set(record: models.Model, fields: dict[str, Any]) -> set[str]:
    """Set what differs; returns the names of the fields that did."""
    changed = set()
    for name, value in fields.items():
        value = _fit(type(record), name, value) if isinstance(value, str) else value
        if getattr(record, name) != value:
            setattr(record, name, value)
            changed.add(name)
    return changed


def _fit(model: type[models.Model], name: str, value: str) -> str:
    most = getattr(model._meta.get_field(name), "max_length", None)
    return value[:most].rstrip() if most else value


def _save(manager: models.Manager, entries: list) -> None:
    new = [entry.record for entry in entries if entry.is_new]
    old = [entry for entry in entries if not entry.is_new and entry.changed]
    if old:
        fields = set().union(*(entry.changed for entry in old))
        manager.bulk_update([entry.record for entry in old], sorted(fields))
    if new:
        manager.bulk_create(new)
