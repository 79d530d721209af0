"""Prices and stock of many variants at once: previewed as rows of before and after, then applied once.

A row is refused where the result would break a rule, or where the variant is no longer as it was previewed;
the others are applied together, in one transaction. Units that are added or written off are so whatever was sold
since the preview; a count that the stock is set to is not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, override

from shop.backoffice import history
from shop.backoffice.languages import ENGLISH
from shop.errors import Invalid
from shop.jobs.services import for_each
from shop.kept_texts import translated_text
from shop.markets.queries import market_registry
from shop.money import round_money

from ..composition.prescriptions import NEVER_PUBLISHED, NOT_PUBLISHED
from ..job_models import MAX_CHANGES
from ..models import BulkChange, BulkChangeRow, Product, Variant
from ..services import change_market_prices, refresh_products
from ..stock import services as stock
from . import columns
from .columns import CONCERNS, MARKET, OF_PRODUCTS, OF_VARIANTS, Values

CHUNK = 500
MAX_PRICE = Decimal(10) ** 10
MAX_UNITS = 1_000_000_000
# Why a row is refused: kept in English, shown by `shown_refusal`.
ONLY_ON_HAND = gettext_noop("Only %(units)s are on hand.")
PRICE_CHANGED = gettext_noop("Changed since the preview: now %(selling)s of %(actual)s.")
STOCK_CHANGED = gettext_noop("Changed since the preview: %(units)s on hand now.")
CHANGED = gettext_noop("Changed since the preview: %(labels)s.")
GONE = gettext_noop("This no longer exists: %(names)s.")
REFUSALS = (
    columns.WRONG_PRICE, columns.FEWER_DECIMALS, ONLY_ON_HAND, PRICE_CHANGED, STOCK_CHANGED, CHANGED, GONE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BulkEdit:
    """What is to happen; `selling` and `actual` tell which prices change, `units` is None where no stock does."""

    selling: bool = False
    actual: bool = False
    how: str = "percent"  # percent, amount: up or down by `value`; set: to `value`
    value: Decimal = Decimal(0)
    rounding: Decimal = Decimal("0.01")  # prices become multiples of it
    units: int | None = None
    sets_stock: bool = False  # to `units`; else by `units` up or down
    markets: tuple[int, ...] = ()  # locations whose fixed prices change, where a variant has one; `set`: also others
    product: Mapping[str, Any] = field(default_factory=dict)  # category, brand, concerns, is_published
    adds_concerns: bool = True  # to those that a product has; else in their place

    def price(self, now: Decimal) -> Decimal:
        if self.how == "percent":
            price = now * (100 + self.value) / 100
        else:
            price = self.value if self.how == "set" else now + self.value
        price = min(max(price, -MAX_PRICE), MAX_PRICE)  # either is refused, and a row can hold it
        return (price / self.rounding).quantize(Decimal(1), ROUND_HALF_UP) * self.rounding

    def pair(self, location: int, now: list[str] | None) -> list[str] | None:
        """A fixed price after the change; none stays none, but where a figure is set."""
        place = market_registry().locations.get(location)
        if place is None or (now is None and self.how != "set"):
            return now
        old = [Decimal(price) for price in now] if now else [Decimal(0), self.value]
        new = [self.value if self.how == "set" else price * (100 + self.value) / 100 for price in old]
        if self.how == "amount":
            new = [price + self.value for price in old]
        if self.how == "set" and now:
            new[1] = max(old[1], self.value)
        return [columns.plain(round_money(price, place.currency_id)) for price in new]

    def more(self, before: Values) -> Values:
        """What becomes of prices abroad and facts of the product."""
        after: Values = {
            name: self.pair(columns.location_of(name), before[name]) for name in before if name.startswith(MARKET)
        }
        after |= {name: value for name, value in self.product.items() if name in before}
        if CONCERNS in after and self.adds_concerns:
            after[CONCERNS] = sorted({*before[CONCERNS], *after[CONCERNS]})
        return after

    @property
    def names(self) -> list[str]:
        return [*(f"{MARKET}{pk}" for pk in self.markets), *self.product]

    def stock(self, now: int) -> int:
        if self.units is None:
            return now
        return self.units if self.sets_stock else now + self.units

    @override(ENGLISH)
    def in_words(self) -> str:
        """As the row of the change keeps it."""
        prices = " and ".join(["selling"] * self.selling + ["actual"] * self.actual)
        sign = "+" if self.value >= 0 else "−"
        amount = f"₹{abs(self.value):f}"
        steps = {"percent": f"{sign}{abs(self.value):f}%", "amount": f"{sign}{amount}", "set": f"= {amount}"}
        words = [f"{prices} price {steps[self.how]}, rounded to ₹{self.rounding:f}"] if prices else []
        if self.markets:
            places = ", ".join(columns.label_of(f"{MARKET}{pk}") for pk in self.markets)
            steps |= {"amount": f"{sign}{abs(self.value):f}", "set": f"= {self.value:f}"}
            words.append(f"prices in {places} {steps[self.how]}")
        names = columns.names_of([dict(self.product)])
        words += [
            f"{columns.label_of(name).lower()} = {columns.in_words(name, value, names)}"
            for name, value in self.product.items()
        ]
        if self.units is not None:
            words.append(f"stock {'=' if self.sets_stock else '+' if self.units >= 0 else '−'} {abs(self.units)} units")
        return "; ".join(words)


@transaction.atomic
def preview_change(variants: QuerySet[Variant], edit: BulkEdit, *, by: models.Model, reason: str = "") -> BulkChange:
    """The change with a row for each variant that it would alter; facts of a product stand in the row of its first
    variant. Raises Invalid for too many, or none."""
    found = variants.order_by("product_id", "position", "pk").select_related("product")
    if found[: MAX_CHANGES + 1].count() > MAX_CHANGES:
        raise Invalid(
            gettext("These products have more than %(most)s variants. Choose fewer at a time.")
            % {"most": f"{MAX_CHANGES:,}"}
        )
    change = BulkChange.objects.create(
        what=edit.in_words()[:300], reason=reason, by_id=by.pk, adds_stock=not edit.sets_stock
    )
    rows, products = [], set()
    related = found.prefetch_related("fixed_prices", "product__health_concerns")
    for variant in related:  # at once: by pages, one that is moved meanwhile would be passed over
        is_first = variant.product_id not in products
        products.add(variant.product_id)
        before = columns.values_of(variant, [name for name in edit.names if is_first or name.startswith(MARKET)])
        prices = (
            edit.price(variant.selling_price) if edit.selling else variant.selling_price,
            edit.price(variant.actual_price) if edit.actual else variant.actual_price,
        )
        rows.append(_row(change, variant, prices, edit.stock(variant.on_hand), before, edit.more(before)))
    return _keep_rows(change, rows)


@dataclass(frozen=True, slots=True)
class Cells:
    """What was typed in the grid for one variant: of each name what the grid showed, and what it is to be.

    Prices in INR are `selling` and `actual`, as texts; `units` come in (negative: go out)."""

    before: Values
    after: Values
    units: int = 0


@transaction.atomic
def preview_cells(cells: Mapping[int, Cells], *, by: models.Model, reason: str = "") -> BulkChange:
    """The change with a row for each variant of which a cell was changed. Raises Invalid for none."""
    change = BulkChange.objects.create(
        what=_count(len(cells), "Grid: {} variant"), reason=reason, by_id=by.pk, adds_stock=True
    )
    rows = []
    for variant in Variant.objects.filter(pk__in=cells).select_related("product").order_by("pk"):
        given = cells[variant.pk]
        shown = {"selling": variant.selling_price, "actual": variant.actual_price}
        was = tuple(Decimal(given.before.get(name, now)) for name, now in shown.items())
        prices = tuple(Decimal(given.after.get(name, price)) for name, price in zip(shown, was, strict=True))
        before, after = ({n: v for n, v in part.items() if n not in shown} for part in (given.before, given.after))
        variant.selling_price, variant.actual_price = was
        rows.append(_row(change, variant, prices, variant.on_hand + given.units, before, after))
    return _keep_rows(change, rows)


@transaction.atomic
def preview_undo(change: BulkChange, *, by: models.Model) -> BulkChange:
    """What takes an applied change back, to be seen and applied like any other. Raises Invalid."""
    if not change.applied_at:
        raise Invalid(gettext("This change was not applied."))
    undo = BulkChange.objects.create(
        what=f"Undo: {change.what}"[:300], reason="Undo", by_id=by.pk, undoes=change, adds_stock=True
    )
    undone = _undone(change.pk)
    if not change.rows.filter(refusal="").exclude(variant__in=undone).exists():
        raise Invalid(gettext("This change was undone already."))
    rows = []
    for done in change.rows.filter(refusal="").exclude(variant__in=undone).select_related("variant__product"):
        variant = done.variant
        units = done.on_hand_after - done.on_hand_before
        variant.selling_price, variant.actual_price = _prices(done, "after")
        after = variant.on_hand - units
        rows.append(_row(undo, variant, _prices(done, "before"), after, done.after, done.before))
    return _keep_rows(undo, rows)


def _undone(change: int, *, but: int | None = None) -> QuerySet[BulkChangeRow, Any]:
    """The variants at which a change was taken back."""
    rows = BulkChangeRow.objects.filter(change__undoes=change, change__applied_at__isnull=False, refusal="")
    return rows.exclude(change=but).order_by().values("variant")


def _count(number: int, words: str) -> str:
    return words.format(number) + "s" * (number != 1)


def _keep_rows(change: BulkChange, rows: Iterable[BulkChangeRow | None]) -> BulkChange:
    kept = [row for row in rows if row]
    if not kept:
        raise Invalid(gettext("Nothing to change: everything is already set to this."))
    BulkChangeRow.objects.bulk_create(kept, batch_size=CHUNK)
    return change


def schedule_change(change: BulkChange, at: datetime) -> bool:
    """Have a previewed change applied at a moment to come; False where it was applied or cancelled. Raises Invalid."""
    if at <= timezone.now():
        raise Invalid(gettext("Choose a time to come."))
    return bool(BulkChange.objects.filter(pk=change.pk, applied_at=None, cancelled_at=None).update(apply_at=at))


def cancel_change(change: BulkChange) -> bool:
    """Keep a scheduled change from being applied; False where it was applied."""
    waiting = BulkChange.objects.filter(pk=change.pk, applied_at=None, cancelled_at=None)
    return bool(waiting.update(cancelled_at=timezone.now()))


def apply_due_changes() -> int:
    """Scheduled job: apply what was scheduled until now, each once, in the name of who scheduled it."""
    due = BulkChange.objects.filter(applied_at=None, cancelled_at=None, apply_at__lte=timezone.now())
    return for_each("bulk_changes", due.select_related("by").order_by("apply_at", "pk"), _apply_due)


def _apply_due(change: BulkChange) -> int:
    return int(apply_change(change, by=change.by))


def apply_change(change: BulkChange, *, by: models.Model) -> bool:
    """Apply what was previewed; False where that was done before, or cancelled. All of it in one transaction."""
    with transaction.atomic():
        if not _claim(change):
            return False
        ids = list(change.rows.filter(refusal="").order_by("variant_id").values_list("pk", flat=True))
        products: set[int] = set()
        for start in range(0, len(ids), CHUNK):
            products |= _apply(change, ids[start : start + CHUNK], by)
        refresh_products(products)
        history.note(by, change, why=_count(change.rows.filter(refusal="").count(), "Applied to {} variant"))
    change.refresh_from_db()
    return True


def _claim(change: BulkChange) -> bool:
    """One conditional update: of two who apply a change, one gets it."""
    waiting = BulkChange.objects.filter(pk=change.pk, applied_at=None, cancelled_at=None)
    return bool(waiting.update(applied_at=timezone.now()))


def _row(
    change: BulkChange, variant: Variant, prices: tuple[Decimal, ...], units: int, before: Values, after: Values
) -> BulkChangeRow | None:
    """None where nothing would change."""
    selling, actual = prices
    changed = {name for name in after if after[name] != before.get(name)}
    is_same = (selling, actual, units) == (variant.selling_price, variant.actual_price, variant.on_hand)
    if is_same and not changed:
        return None
    after = {name: after[name] for name in after if name in changed}
    return BulkChangeRow(
        change=change,
        variant=variant,
        selling_before=variant.selling_price,
        selling_after=selling,
        actual_before=variant.actual_price,
        actual_after=actual,
        on_hand_before=variant.on_hand,
        on_hand_after=units,
        before={name: before.get(name) for name in after},
        after=after,
        refusal=_refusal(variant, selling, actual, units) or columns.refusal_of(after),
    )


def _refusal(variant: Variant, selling: Decimal, actual: Decimal, units: int) -> str:
    if selling < 0 or actual < 0 or (selling == 0 and variant.is_active):
        return gettext_noop("The price would not be above zero.")
    if selling > actual:
        return gettext_noop("The selling price would be above the actual price.")
    if max(selling, actual) >= MAX_PRICE:
        return gettext_noop("The price would be too high.")
    return _refusal_of_stock(variant, units)


def _refusal_of_stock(variant: Variant, units: int) -> str:
    if variant.is_batched and units != variant.on_hand:
        return gettext_noop("Its stock is tracked by batch: receive or write off units under Batches.")
    if units < 0:
        return ONLY_ON_HAND % {"units": variant.on_hand}
    return gettext_noop("The stock would be too high.") if units > MAX_UNITS else ""


def _apply(change: BulkChange, ids: list[int], by: models.Model) -> set[int]:
    """A chunk of rows; the ids of the products that changed. Locks the variants, then those products of which facts
    change; writes the columns that change."""
    rows = list(change.rows.filter(pk__in=ids).order_by("variant_id"))
    now = {variant.pk: variant for variant in _locked(rows)}
    names = columns.names_of(part for row in rows for part in (row.before, row.after))
    undone = _undone_meanwhile(change, rows)
    refused = [row for row in rows if _is_outdated(row, now[row.variant_id]) or _is_void(row, now, names, undone)]
    BulkChangeRow.objects.bulk_update(refused, ["refusal"])
    moved = _moved(rows, now)
    BulkChangeRow.objects.bulk_update(moved, ["on_hand_before", "on_hand_after", "refusal"])
    done = [row for row in rows if not row.refusal]
    _write_variants(done, now)
    _write_products(done, now)
    incoming = {row.variant_id: row.on_hand_after - row.on_hand_before for row in done}
    stock.receive_many({pk: units for pk, units in incoming.items() if units}, note=change.reason or change.what[:60])
    history.note_many(by, ((now[row.variant_id], _values(row, names)) for row in done), why=change.what)
    return {now[row.variant_id].product_id for row in done}


def _locked(rows: list[BulkChangeRow]) -> QuerySet[Variant]:
    """Only the variants are locked (SQLite locks all), then the products whose facts change; all is read after that."""
    variants = Variant.objects.filter(pk__in=[row.variant_id for row in rows]).order_by("pk")
    list(variants.select_for_update().values_list("pk"))
    of_products = [row.variant_id for row in rows if _facts(row)]
    if of_products:
        products = Product.objects.filter(variants__in=of_products).values("pk")
        list(Product.objects.filter(pk__in=products).order_by("pk").select_for_update(no_key=True).values_list("pk"))
    return variants.select_related("product").prefetch_related("fixed_prices", "product__health_concerns")


def _facts(row: BulkChangeRow) -> Values:
    """What the row changes of the product."""
    return {name: value for name, value in row.after.items() if name in OF_PRODUCTS or name == CONCERNS}


def _write_variants(done: list[BulkChangeRow], now: Mapping[int, Variant]) -> None:
    priced = [row for row in done if _prices(row, "before") != _prices(row, "after")]
    for row in priced:
        now[row.variant_id].selling_price, now[row.variant_id].actual_price = _prices(row, "after")
    Variant.objects.bulk_update([now[row.variant_id] for row in priced], ["selling_price", "actual_price"])
    for row in done:
        if own := {OF_VARIANTS[name]: value for name, value in row.after.items() if name in OF_VARIANTS}:
            Variant.objects.filter(pk=row.variant_id).update(**own)
        abroad = {columns.location_of(name): pair for name, pair in row.after.items() if name.startswith(MARKET)}
        if abroad:
            pairs = {pk: pair and (Decimal(pair[0]), Decimal(pair[1])) for pk, pair in abroad.items()}
            change_market_prices(now[row.variant_id], pairs)


def _write_products(done: list[BulkChangeRow], now: Mapping[int, Variant]) -> None:
    for row in done:
        facts = _facts(row)
        product = now[row.variant_id].product
        if own := {OF_PRODUCTS[name]: value for name, value in facts.items() if name in OF_PRODUCTS}:
            Product.objects.filter(pk=product.pk).update(**own)
        if CONCERNS in facts:
            product.health_concerns.set(facts[CONCERNS])


def shown_refusal(row: BulkChangeRow) -> str:
    """Why a row is refused, in the language of the page."""
    return translated_text(row.refusal, REFUSALS)


@override(ENGLISH)
def _is_outdated(row: BulkChangeRow, variant: Variant) -> bool:
    """Write down what is no longer as it was, of that which the row changes."""
    changes_price = _prices(row, "before") != _prices(row, "after")
    if changes_price and _prices(row, "before") != (variant.selling_price, variant.actual_price):
        row.refusal = PRICE_CHANGED % {"selling": variant.selling_price, "actual": variant.actual_price}
    elif _sets_stock(row) and row.on_hand_before != variant.on_hand:
        row.refusal = STOCK_CHANGED % {"units": variant.on_hand}
    elif changed := [name for name, now in columns.values_of(variant, row.before).items() if now != row.before[name]]:
        row.refusal = (CHANGED % {"labels": ", ".join(map(columns.label_of, changed))})[:200]
    return bool(row.refusal)


def _sets_stock(row: BulkChangeRow) -> bool:
    return row.on_hand_after != row.on_hand_before and not row.change.adds_stock


def _moved(rows: list[BulkChangeRow], now: Mapping[int, Variant]) -> list[BulkChangeRow]:
    """Rows whose units are added to another stock than the preview saw, with the figures of now; where more would be
    written off than there is, with the refusal."""
    stale = [
        row
        for row in rows
        if not row.refusal and (row.on_hand_before != now[row.variant_id].on_hand or now[row.variant_id].is_batched)
    ]
    for row in stale:
        variant, units = now[row.variant_id], row.on_hand_after - row.on_hand_before
        row.on_hand_before, row.on_hand_after = variant.on_hand, variant.on_hand + units
        row.refusal = _refusal_of_stock(variant, row.on_hand_after) if units else ""
    return stale


def _undone_meanwhile(change: BulkChange, rows: list[BulkChangeRow]) -> set[int]:
    """Variants, locked by now, at which another undo has already taken back what this one would."""
    if not change.undoes_id:
        return set()
    of_rows = [row.variant_id for row in rows]
    return set(
        _undone(change.undoes_id, but=change.pk).filter(variant__in=of_rows).values_list("variant_id", flat=True)
    )


@override(ENGLISH)
def _is_void(
    row: BulkChangeRow, now: Mapping[int, Variant], names: Mapping[str, Mapping[int, str]], undone: set[int]
) -> bool:
    """Write down why what was previewed cannot be any more."""
    if row.variant_id in undone:
        row.refusal = gettext_noop("This change was undone already.")
    elif gone := columns.gone_of(row.after, names):
        row.refusal = GONE % {"names": ", ".join(gone)}
    elif row.after.get("is_published") and now[row.variant_id].product.archived_at:
        row.refusal = gettext_noop("The product is archived.")
    elif row.after.get("is_published") and now[row.variant_id].product.schedule in NEVER_PUBLISHED:
        row.refusal = NOT_PUBLISHED
    else:
        row.refusal = columns.refusal_of(row.after)
    return bool(row.refusal)


def _prices(row: BulkChangeRow, when: str) -> tuple[Decimal, Decimal]:
    return getattr(row, f"selling_{when}"), getattr(row, f"actual_{when}")


@override(ENGLISH)
def _values(row: BulkChangeRow, names: Mapping[str, Mapping[int, str]]) -> dict[str, tuple[str, str]]:
    pairs: Iterable[tuple[str, object, object]] = (
        ("Selling price (INR)", row.selling_before, row.selling_after),
        ("Actual price, MRP (INR)", row.actual_before, row.actual_after),
        ("On hand", row.on_hand_before, row.on_hand_after),
    )
    changes = {label: (str(before), str(after)) for label, before, after in pairs if before != after}
    return changes | {
        columns.label_of(name): (columns.in_words(name, row.before[name], names), columns.in_words(name, after, names))
        for name, after in row.after.items()
    }
