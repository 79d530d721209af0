"""Bring the catalogue to what rows say: plan a batch, then write only what differs.

The first row of a key rules; a later one with the same key is merged into it. So a file that
contradicts itself still says the same in every run. A dry run plans and does not write.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import models, transaction

from shop.rows import update_rows

from ..composition.prescriptions import NEVER_PUBLISHED
from ..models import Product, Variant
from ..services import put_market_prices, refresh_products
from ..stock import services as stock
from .existing import EarlierHandles, Known, KnownProduct, KnownVariant
from .formats.cells import generated_sku, same_name
from .formats.facts import stricter_schedule
from .journal import Journal, lock_and_compare
from .lookups import Choices, Lookups, NewName
from .named_pictures import NamedPictures
from .report import Outcome, Report
from .rows import BadRow, Row, kept_options, option_set


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
    rest: int  # a hash of all else that it says


class Writer:
    def __init__(
        self,
        report: Report,
        *,
        dry_run: bool,
        take_stock: bool,
        pictures: NamedPictures | None,
        source: str,
        as_drafts: bool = False,
        choices: Choices | None = None,
        import_id: int | None = None,
    ) -> None:
        self._report = report
        self._dry_run = dry_run
        self._take_stock = take_stock
        self._pictures = pictures
        self._source = source
        self._as_drafts = as_drafts
        self._journal = Journal(import_id)
        self._lookups = Lookups(create=not dry_run, choices=choices, made=self._journal.made)
        self._earlier = EarlierHandles()
        self._seen: dict[object, Seen] = {}
        self._handles: set[str] = set()
        self._made: set[str] = set()
        self._described: dict[object, tuple[int, str]] = {}  # product, as `_mark_of` tells it: row and name
        self._kept_back: set[object] = set()

    def take(self, rows: list[Row]) -> None:
        with nullcontext() if self._dry_run else transaction.atomic():
            known = Known(rows)
            self._earlier.settle(rows, known)
            _agree_on_prescriptions(rows)
            plans = [plan for row in rows if (plan := self._plan_or_refuse(row, known))]
            for product, its_plans in _by_product(plans):
                self._settle_publication(product, its_plans)
            if not self._dry_run:
                self._write([product for product in known.products.values() if product.is_touched])
                self._journal.write()
            if self._pictures:
                self._pictures.write()
        for plan in plans:
            self._report.count(plan.outcome)

    @property
    def new_names(self) -> list[NewName]:
        return self._lookups.new_names

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
                raise BadRow(f"a picture of {row.handle!r}, which is not a product")
            self._note_pictures(row, known.products.get(row.handle), None)
            self._report.count(Outcome.MERGED)
            return None
        self._check(row)
        row.options = kept_options(row)
        self._settle_sku(row, known)
        variant = known.variant_of(row)
        if self._is_repeated(row):
            merged = variant.product if variant else known.products.get(row.handle)
            if merged:
                self._be_strict(row, merged)
            self._note_pictures(row, merged, variant)
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
            raise BadRow("no SKU or handle")
        if len(row.sku) > 100 or len(row.handle) > 255:
            raise BadRow("the SKU is longer than 100 characters, or the handle than 255")
        if row.selling and row.actual and row.selling > row.actual:
            raise BadRow(f"the selling price {row.selling} is above the actual price {row.actual}")
        if row.hsn:
            self._lookups.check_hsn(row)

    def _settle_sku(self, row: Row, known: Known) -> None:
        """A SKU that is something else's already is left to that; the row's variant gets one of its own."""
        first = self._seen.get(row.sku) if row.sku else None
        if first and first.key != row.option_key:
            row.notes.append(
                f"the SKU {row.sku} is used for something else in row {first.number}: this one gets a new SKU"
            )
        elif row.sku and not first and known.has_elsewhere(row):
            row.notes.append(f"the SKU {row.sku} belongs to another product: this one gets a new SKU")
        else:
            return
        row.sku = ""

    def _is_repeated(self, row: Row) -> bool:
        first = self._seen.get(_key(row))
        if first is None:
            return False
        if first.selling != row.selling:
            self._remark(
                row, f"row {first.number} says {first.selling}, this row says {row.selling}; the first one is used"
            )
        elif first.rest != _rest(row):
            self._remark(row, f"row {first.number} is the same product with different details; it is used")
        return True

    def _remember(self, row: Row) -> None:
        seen = Seen(row.number, row.option_key, row.selling, _rest(row))
        self._seen[_key(row)] = seen
        if not row.is_product_only:
            self._seen.setdefault(row.option_key, seen)
        for note in row.notes:
            self._remark(row, note)

    def _remark(self, row: Row, words: str) -> None:
        self._report.remark(row.number, words, row.name or row.handle)

    def _new_product(self, row: Row, known: Known) -> KnownProduct:
        repeats_earlier = self._dry_run and row.handle in self._handles
        if not row.name and not repeats_earlier:
            raise BadRow(f"no name, and no product has the handle {row.handle!r}")
        record = Product(handle=row.handle, slug=self._lookups.slugs.take(row.name, row.slug))
        _set(
            record,
            {
                "name": row.name,
                "brand_id": self._lookups.brand_of(row),
                "category_id": self._lookups.category_of(row),
            }
            | row.if_new,
        )
        product = KnownProduct(record, row.handle)
        known.add_product(product)
        self._made.add(row.handle)
        return product

    def _mark_of(self, product: KnownProduct) -> object:
        """What it is known by in all batches; two that were there before may have one handle."""
        return product.handle if product.is_new or product.handle in self._made else product.record.pk

    def _describe(self, plan: Plan) -> None:
        """The first row that describes a product speaks for it."""
        row, product = plan.row, plan.product
        if not row.product:
            return
        if first := self._described.get(self._mark_of(product)):
            self._compare(row, product, *first)
            return
        self._described[self._mark_of(product)] = (row.number, row.name)
        before = product.record.name
        if row.kept_back or row.published is False:
            self._kept_back.add(self._mark_of(product))
        fields: dict[str, Any] = dict(row.product)
        if row.brand:
            fields["brand_id"] = self._lookups.brand_of(row)
        if row.category or row.category_path:
            fields["category_id"] = self._lookups.category_of(row)
        if row.hsn:
            fields["hsn_id"] = row.hsn
        changed = _set(product.record, fields)
        if "active_ingredients" in changed and "is_composition_confirmed" not in fields:
            # What is confirmed or not of the same ingredients stays as it is: a person may have looked at the label.
            changed |= _set(product.record, {"is_composition_confirmed": row.is_composition_sure})
        if product.record.schedule:
            changed |= _set(product.record, {"is_prescription": True})
        product.changed |= changed
        stated = {} if row.concerns is None else {"health_concerns": self._lookups.concerns_of(row)}
        if row.not_sold_in is not None:
            stated["barred_locations"] = set(row.not_sold_in)
        for name, related in stated.items():
            if product.is_new or related != {other.pk for other in getattr(product.record, name).all()}:
                product.sets[name] = related
        if row.kept_back:
            self._report.draft(row.number, row.kept_back, row.name)
        elif row.lacks_variants and not product.variants:
            self._report.draft(row.number, row.lacks_variants, row.name)
        if "name" in changed and not product.is_new and same_name(before) != same_name(product.record.name):
            self._remark(row, f"was called {before!r} until now")
        if not product.is_new and (changed or product.sets):
            plan.outcome = Outcome.UPDATED

    def _compare(self, row: Row, product: KnownProduct, number: int, name: str) -> None:
        """A later row of a product that was described already."""
        if row.name and same_name(row.name) != same_name(name):
            self._remark(row, f"row {number} calls this product {name[:80]!r}; the first one is used")
        if row.product.get("active_ingredients") not in (None, product.record.active_ingredients):
            product.changed |= _set(product.record, {"is_composition_confirmed": False})
            self._remark(row, f"row {number} states another composition of this product; it is used, unconfirmed")
        self._be_strict(row, product)

    def _be_strict(self, row: Row, product: KnownProduct) -> None:
        """Whichever of its rows says prescription or a schedule, even one that is passed over, counts."""
        record = product.record
        schedule = stricter_schedule(record.schedule, row.product.get("schedule", ""))
        fields: dict[str, Any] = {"schedule": schedule, "is_prescription": True}
        if not record.is_prescription and (row.product.get("is_prescription") or schedule):
            number, _ = self._described.get(self._mark_of(product), (0, ""))
            first = f"row {number}" if number else "an earlier row"
            self._remark(row, f"{first} does not say that it is prescription-only; this row is used")
        elif schedule == record.schedule:
            return
        if schedule in NEVER_PUBLISHED:
            fields["is_published"] = False
        product.changed |= _set(record, fields)

    def _plan_variant(self, plan: Plan, variant: KnownVariant | None, known: Known) -> KnownVariant:
        row = plan.row
        if variant is None:
            variant = self._new_variant(row, plan.product, known)
            plan.outcome = Outcome.CREATED
        fields = row.variant | _prices(row, variant)
        if row.sku:
            fields["sku"] = row.sku
        variant.changed = _set(variant.record, fields)
        is_as_made = variant.record.sku == generated_sku(row.handle, row.options)  # staff named it since
        if row.options and option_set(row.options) != variant.options and not is_as_made:
            variant.new_options = row.options
        kept = variant.market_prices if row.market_prices else {}
        variant.new_prices = {pk: pair for pk, pair in row.market_prices.items() if kept.get(pk) != pair}
        if self._take_stock and row.stock is not None:
            variant.incoming = row.stock - variant.record.on_hand
        if variant.incoming and variant.record.is_batched:
            variant.incoming = 0
            self._remark(row, "its stock is tracked by batch and stays as it is")
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
        sku = row.sku or known.free_sku(generated_sku(row.handle, row.options))
        record = Variant(product=product.record, sku=sku, position=len(product.variants))
        record.selling_price = record.actual_price = Decimal(0)
        record.is_active = False
        variant = KnownVariant(record, product, option_set(row.options), new_options=row.options or None)
        known.add_variant(variant)
        return variant

    def _settle_publication(self, product: KnownProduct, plans: list[Plan]) -> None:
        """A product without a priced variant is a draft; one that just got its first is published, unless it is
        archived."""
        is_withdrawn = self._mark_of(product) in self._kept_back or not product.record.may_be_published
        if not (product.is_new or product.had_active or product.has_active or is_withdrawn):
            return  # nothing to sell, before and after
        is_paused = any(plan.row.published and plan.row.active is False for plan in plans)  # as the file says
        is_held = is_withdrawn or not (product.has_active or is_paused)
        is_requested = any(plan.row.published for plan in plans)
        if self._as_drafts and not is_held:  # what is on sale stays so
            self._report.unpublished += product.is_new
        elif is_held or product.is_new or is_requested or not product.had_active:
            changed = _set(product.record, {"is_published": not is_held})
            product.changed |= changed
            if changed and not product.is_new and plans[0].outcome is Outcome.UNCHANGED:
                plans[0].outcome = Outcome.UPDATED

    # --- Writing --------------------------------------------------------------------

    def _write(self, products: list[KnownProduct]) -> None:
        variants = [variant for product in products for variant in product.variants]
        entries: list[KnownProduct | KnownVariant] = [*products, *variants]
        new = [entry.record for entry in entries if entry.is_new]
        changes = lock_and_compare(products, variants, self._lookups.values.id_of)
        _save(Product.objects, products)
        _save(Variant.objects, variants)
        self._write_options([variant for variant in variants if variant.new_options is not None])
        for record in new:
            self._journal.made(record)
        for change in changes:
            self._journal.changed(*change)
        for product in products:
            for name, related in product.sets.items():
                getattr(product.record, name).set(related)
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


def _agree_on_prescriptions(rows: list[Row]) -> None:
    """A product is prescription-only if one of its rows says so."""
    marked = {row.handle for row in rows if row.product.get("is_prescription") or row.product.get("schedule")}
    for row in rows:
        if row.product and row.handle in marked:
            row.product["is_prescription"] = True


def _rest(row: Row) -> int:
    return hash(repr((row.name, row.brand, row.category, row.product, row.variant, row.actual)))


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
        return {"selling_price": Decimal(0), "actual_price": row.actual or Decimal(0), "is_active": False}
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
        now = getattr(record, name)
        if now != value and (not isinstance(now, str) or _lines(now) != _lines(value)):
            setattr(record, name, value)
            changed.add(name)
    return changed


def _lines(value: Any) -> Any:
    """Workbooks keep no carriage returns."""
    return value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value


def _fit(model: type[models.Model], name: str, value: str) -> str:
    max_length = getattr(model._meta.get_field(name), "max_length", None)
    return value[:max_length].rstrip() if max_length else value


def _save(manager: "models.Manager[Any]", entries: list[Any]) -> None:
    new = [entry.record for entry in entries if entry.is_new]
    old = [entry for entry in entries if not entry.is_new and entry.changed]
    if old:
        by_fields: dict[tuple[str, ...], list[models.Model]] = {}
        for entry in old:  # of each row only what the file changes: others may be at work on the rest
            by_fields.setdefault(tuple(sorted(entry.changed)), []).append(entry.record)
        for fields, records in by_fields.items():
            update_rows(records, fields)
    if new:
        manager.bulk_create(new)
