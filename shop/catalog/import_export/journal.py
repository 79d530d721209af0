"""What an import makes and changes, written down in the transaction that does it, so that it can be undone."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from ..models import ImportedChange, Product, Variant
from .existing import KnownProduct, KnownVariant

Values = dict[str, Any]
Pair = tuple[Values, Values]  # before, after
PRICE, STOCK, OPTIONS = "price:", "stock", "attribute_values"  # what is kept beside the fields


class Journal:
    """Of one ProductImport; without one nothing is written down."""

    def __init__(self, import_id: int | None) -> None:
        self._import_id = import_id
        self._rows: list[ImportedChange] = []

    def made(self, row: models.Model) -> None:
        self._note(row, is_new=True)

    def changed(self, row: models.Model, before: Values, after: Values) -> None:
        if before:
            self._note(row, is_new=False, before=_plain(before), after=_plain(after))

    def write(self) -> None:
        ImportedChange.objects.bulk_create(self._rows, batch_size=500)
        self._rows.clear()

    def _note(self, row: models.Model, **fields: Any) -> None:
        if self._import_id is None:
            return
        name = row.sku if isinstance(row, Variant) else str(row)
        kind = str(row._meta.model_name)
        self._rows.append(ImportedChange(of_id=self._import_id, kind=kind, object_id=row.pk, name=name[:200], **fields))


def lock_and_compare(
    products: Iterable[KnownProduct], variants: Iterable[KnownVariant], value_id: Callable[[str, str], int]
) -> list[tuple[models.Model, Values, Values]]:
    """Each row that was there, with what changes in it, before and after; to be asked before it is saved. First the
    variants are locked, then the products, each in the order of their ids."""
    changes: list[tuple[models.Model, Values, Values]] = []
    of_variants = _lock(Variant, variants)
    of_products = _lock(Product, products)
    for product in products:
        if not product.is_new:
            changes.append((product.record, *_merged(_fields(product, of_products), _sets(product))))
    for variant in variants:
        if not variant.is_new:
            parts = _fields(variant, of_variants), _rows(variant), _options(variant, value_id)
            changes.append((variant.record, *_merged(*parts)))
    return changes


def _lock(model: type[models.Model], entries: Iterable[KnownProduct | KnownVariant]) -> Mapping[int, Values]:
    """Id to the fields that the import changes in any of these, as they are now."""
    old = [entry for entry in entries if not entry.is_new]
    fields = sorted({name for entry in old for name in entry.changed})
    rows = model._default_manager.filter(pk__in=[entry.record.pk for entry in old]).order_by("pk")
    return {row["pk"]: row for row in rows.select_for_update(no_key=True).values("pk", *fields)}


def _fields(entry: KnownProduct | KnownVariant, now: Mapping[int, Values]) -> Pair:
    former = now.get(entry.record.pk, {})
    names = [name for name in entry.changed if name in former]
    return {name: former[name] for name in names}, {name: getattr(entry.record, name) for name in names}


def _sets(product: KnownProduct) -> Pair:
    before = {name: sorted(row.pk for row in getattr(product.record, name).all()) for name in product.sets}
    return before, {name: sorted(related) for name, related in product.sets.items()}


def _rows(variant: KnownVariant) -> Pair:
    """Fixed prices by location, and the units that came in."""
    had = variant.market_prices if variant.new_prices else {}
    before: Values = {f"{PRICE}{pk}": had.get(pk) for pk in variant.new_prices}
    after: Values = {f"{PRICE}{pk}": pair for pk, pair in variant.new_prices.items()}
    return (before | {STOCK: 0}, after | {STOCK: variant.incoming}) if variant.incoming else (before, after)


def _options(variant: KnownVariant, value_id: Callable[[str, str], int]) -> Pair:
    if variant.new_options is None:
        return {}, {}
    before = sorted(value.pk for value in variant.record.attribute_values.all())
    return {OPTIONS: before}, {OPTIONS: sorted({value_id(*pair) for pair in variant.new_options})}


def _merged(*pairs: Pair) -> Pair:
    before: Values = {}
    after: Values = {}
    for was, becomes in pairs:
        before |= was
        after |= becomes
    return before, after


def _plain(values: Values) -> Values:
    plain: dict[str, Any] = json.loads(json.dumps(values, cls=DjangoJSONEncoder))
    return plain
