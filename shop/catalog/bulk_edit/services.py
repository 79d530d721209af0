"""Prices and stock of many variants at once: previewed as rows of before and after, then applied once.

A row is refused where the result would break a rule, or where the variant is no longer as it was previewed;
the others are applied together, in one transaction.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from shop.backoffice import history
from shop.errors import Invalid

from ..job_models import MAX_CHANGES
from ..models import BulkChange, BulkChangeRow, Variant
from ..services import refresh_products
from ..stock import services as stock

CHUNK = 500
MAX_PRICE = Decimal(10) ** 10
MAX_UNITS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to happen; `selling` and `actual` tell which prices change, `units` is None where no stock does."""

    selling: bool = False
    actual: bool = False
    how: str = "percent"  # percent, amount: up or down by `value`; set: to `value`
    value: Decimal = Decimal(0)
    rounding: Decimal = Decimal("0.01")  # prices become multiples of it
    units: int | None = None
    sets_stock: bool = False  # to `units`; else by `units` up or down

    def price(self, now: Decimal) -> Decimal:
        if self.how == "percent":
            price = now * (100 + self.value) / 100
        else:
            price = self.value if self.how == "set" else now + self.value
        return (price / self.rounding).quantize(Decimal(1), ROUND_HALF_UP) * self.rounding

    def stock(self, now: int) -> int:
        if self.units is None:
            return now
        return self.units if self.sets_stock else now + self.units

    def in_words(self) -> str:
        prices = " and ".join(["selling"] * self.selling + ["actual"] * self.actual)
        sign = "+" if self.value >= 0 else "−"
        amount = f"₹{abs(self.value):f}"
        steps = {"percent": f"{sign}{abs(self.value):f} %", "amount": f"{sign}{amount}", "set": f"= {amount}"}
        words = [f"{prices} price {steps[self.how]}, rounded to ₹{self.rounding:f}"] if prices else []
        if self.units is not None:
            words.append(f"stock {'=' if self.sets_stock else '+' if self.units >= 0 else '−'} {abs(self.units)} units")
        return "; ".join(words)


@transaction.atomic
def preview_change(variants: QuerySet[Variant], wish: Wish, *, by: models.Model, reason: str = "") -> BulkChange:
    """The change with a row for each variant that it would alter. Raises Invalid for too many, or none."""
    found = variants.order_by("pk")
    if found[: MAX_CHANGES + 1].count() > MAX_CHANGES:
        raise Invalid(f"These products have more than {MAX_CHANGES:,} variants. Choose fewer at a time.")
    change = BulkChange.objects.create(what=wish.in_words(), reason=reason, by_id=by.pk)
    rows = [row for variant in found.iterator(CHUNK) if (row := _row(change, variant, wish))]
    if not rows:
        raise Invalid("Nothing to change: the prices and stock are already set to this.")
    BulkChangeRow.objects.bulk_create(rows, batch_size=CHUNK)
    return change


def apply_change(change: BulkChange, *, by: models.Model) -> bool:
    """Apply what was previewed; False where that was done before. All of it in one transaction."""
    with transaction.atomic():
        if not BulkChange.objects.filter(pk=change.pk, applied_at=None).update(applied_at=timezone.now()):
            return False
        ids = list(change.rows.filter(refusal="").order_by("variant_id").values_list("pk", flat=True))
        products: set[int] = set()
        for start in range(0, len(ids), CHUNK):
            products |= _apply(change, ids[start : start + CHUNK], by)
        refresh_products(products)
        history.note(by, change, why=f"Applied to {change.rows.filter(refusal='').count()} variants")
    change.refresh_from_db()
    return True


def _row(change: BulkChange, variant: Variant, wish: Wish) -> BulkChangeRow | None:
    """None where nothing would change."""
    selling = wish.price(variant.selling_price) if wish.selling else variant.selling_price
    actual = wish.price(variant.actual_price) if wish.actual else variant.actual_price
    units = wish.stock(variant.on_hand)
    if (selling, actual, units) == (variant.selling_price, variant.actual_price, variant.on_hand):
        return None
    return BulkChangeRow(
        change=change,
        variant=variant,
        selling_before=variant.selling_price,
        selling_after=selling,
        actual_before=variant.actual_price,
        actual_after=actual,
        on_hand_before=variant.on_hand,
        on_hand_after=units,
        refusal=_refusal(variant, selling, actual, units),
    )


def _refusal(variant: Variant, selling: Decimal, actual: Decimal, units: int) -> str:
    if selling < 0 or actual < 0 or (selling == 0 and variant.is_active):
        return "The price would not be above zero."
    if selling > actual:
        return "The selling price would be above the actual price."
    if max(selling, actual) >= MAX_PRICE:
        return "The price would be too high."
    if units < 0:
        return f"Only {variant.on_hand} are on hand."
    return "The stock would be too high." if units > MAX_UNITS else ""


def _apply(change: BulkChange, ids: list[int], by: models.Model) -> set[int]:
    """A chunk of rows; the ids of the products that changed."""
    rows = list(change.rows.filter(pk__in=ids).order_by("variant_id"))
    variants = Variant.objects.filter(pk__in=[row.variant_id for row in rows]).order_by("pk")
    # The product's name is for the history; only the variants are locked (SQLite locks all, PostgreSQL these).
    now = {variant.pk: variant for variant in variants.select_related("product").select_for_update(of=("self",))}
    refused = [row for row in rows if _is_outdated(row, now[row.variant_id])]
    BulkChangeRow.objects.bulk_update(refused, ["refusal"])
    done = [row for row in rows if not row.refusal]
    priced = [row for row in done if _prices(row, "before") != _prices(row, "after")]
    for row in priced:
        now[row.variant_id].selling_price, now[row.variant_id].actual_price = _prices(row, "after")
    Variant.objects.bulk_update([now[row.variant_id] for row in priced], ["selling_price", "actual_price"])
    incoming = {row.variant_id: row.on_hand_after - row.on_hand_before for row in done}
    stock.receive_many({pk: units for pk, units in incoming.items() if units}, note=change.reason or change.what[:60])
    history.note_many(by, ((now[row.variant_id], _values(row)) for row in done), why=change.what)
    return {now[row.variant_id].product_id for row in done}


def _is_outdated(row: BulkChangeRow, variant: Variant) -> bool:
    """Write down what is no longer as it was, of that which the row changes."""
    changes_price = _prices(row, "before") != _prices(row, "after")
    if changes_price and _prices(row, "before") != (variant.selling_price, variant.actual_price):
        row.refusal = f"Changed since the preview: now {variant.selling_price} of {variant.actual_price}."
    elif row.on_hand_after != row.on_hand_before and row.on_hand_before != variant.on_hand:
        row.refusal = f"Changed since the preview: {variant.on_hand} on hand now."
    return bool(row.refusal)


def _prices(row: BulkChangeRow, when: str) -> tuple[Decimal, Decimal]:
    return getattr(row, f"selling_{when}"), getattr(row, f"actual_{when}")


def _values(row: BulkChangeRow) -> dict[str, tuple[str, str]]:
    pairs: Iterable[tuple[str, object, object]] = (
        ("Selling price (INR)", row.selling_before, row.selling_after),
        ("Actual price, MRP (INR)", row.actual_before, row.actual_after),
        ("On hand", row.on_hand_before, row.on_hand_after),
    )
    return {label: (str(before), str(after)) for label, before, after in pairs if before != after}
