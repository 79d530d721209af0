"""The only writer of the stock columns.

received = on_hand + held + sold at every commit. Every change is one conditional update whose
row count tells whether it happened, so two buyers can never take the same unit; a CHECK in the
database stands behind it. Call these inside the transaction that writes the reason.

Units of a variant that is tracked by batch come and go with their batch (shop/catalog/batches): `cover` and `lose` take
the place of `receive` there.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.translation import gettext

from shop.backoffice.forms import lock_rows
from shop.errors import OutOfStock, ShopError
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from ..models import Product, StockMovement, Variant

Kind = StockMovement.Kind


class TrackedByBatch(ShopError):
    """Units of this variant come in and are written off with their batch alone."""

    code = "tracked_by_batch"

    def __init__(self, variant_id: int) -> None:
        sku = Variant.objects.values_list("sku", flat=True).get(pk=variant_id)
        words = gettext("%(sku)s is tracked by batch. Receive or write off its stock under Batches.") % {"sku": sku}
        super().__init__(words, extra={"variant_id": variant_id})


def receive(variant: Variant, quantity: int, *, note: str = "") -> None:
    """Goods came in (or, with a negative quantity, were written off); raises OutOfStock below 0, TrackedByBatch."""
    receive_many({variant.pk: quantity}, note=note)


def receive_many(quantities: Mapping[int, int], *, note: str) -> None:
    """`receive` for many variants, variant id to units, all or none: one statement a variant, few for the rest."""
    with transaction.atomic():
        for variant_id, quantity in sorted(quantities.items()):
            rows = Variant.objects.filter(pk=variant_id, is_batched=False, on_hand__gte=max(0, -quantity))
            if not rows.update(received=F("received") + quantity, on_hand=F("on_hand") + quantity):
                if Variant.objects.filter(pk=variant_id, is_batched=True).exists():
                    raise TrackedByBatch(variant_id)
                raise OutOfStock(gettext("There aren't that many units on hand."), extra={"variant_id": variant_id})
        StockMovement.objects.bulk_create(
            StockMovement(variant_id=variant_id, kind=Kind.RECEIVED, quantity=quantity, reference=note)
            for variant_id, quantity in quantities.items()
        )
        _refresh_availability(quantities)


def cover(quantities: Mapping[int, int], *, note: str) -> None:
    """Units came in with their batch: they go to the orders that wait for some, and the others on sale. The caller has
    locked the variants, and so for `lose`."""
    _change_units(quantities, note, sign=1)


def lose(quantities: Mapping[int, int], *, note: str) -> None:
    """Units are gone with their batch: received and on hand fall by what nobody reserved, and the rest is unmet."""
    _change_units(quantities, note, sign=-1)


def _change_units(quantities: Mapping[int, int], note: str, *, sign: int) -> None:
    falling, rising = ("unmet", "on_hand") if sign > 0 else ("on_hand", "unmet")  # never both above zero
    for variant_id, quantity in sorted(quantities.items()):
        fallen = min(quantity, Variant.objects.values_list(falling, flat=True).get(pk=variant_id))
        risen = quantity - fallen
        moved = risen if sign > 0 else -fallen
        Variant.objects.filter(pk=variant_id).update(
            **{falling: F(falling) - fallen, rising: F(rising) + risen}, received=F("received") + moved
        )
        if moved:
            _record(variant_id, Kind.RECEIVED, moved, note)
    _refresh_availability(quantities)


def hold(quantities: Mapping[int, int], *, reference: str, only_active: bool = False) -> None:
    """Take units off the shelf for an unpaid order: variant id to quantity, all or none.

    `only_active` refuses what was taken off sale since it was priced, also by somebody whose change this
    statement had to wait for.

    Ids are taken in ascending order so that carts with the same variants in opposite order never
    deadlock. Raises OutOfStock naming the variant in `extra["variant_id"]`; the caller's
    transaction then rolls back what was already held.
    """
    sellable = Variant.objects.filter(is_active=True) if only_active else Variant.objects.all()
    for variant_id, quantity in sorted(quantities.items()):
        held = sellable.filter(pk=variant_id, on_hand__gte=quantity).update(
            on_hand=F("on_hand") - quantity, held=F("held") + quantity
        )
        if not held:
            raise OutOfStock(gettext("Some of these items are no longer in stock."), extra={"variant_id": variant_id})
        _record(variant_id, Kind.HELD, quantity, reference)
    _refresh_availability(quantities, is_taken=True)


def release(quantities: Mapping[int, int], *, reference: str) -> None:
    """Give a hold back to the shelf."""
    for variant_id, quantity in sorted(quantities.items()):
        _move(variant_id, quantity, source="held", target="on_hand")
        _record(variant_id, Kind.RELEASED, quantity, reference)
    _refresh_availability(quantities)


def sell(quantities: Mapping[int, int], *, reference: str) -> None:
    """A hold was paid for."""
    for variant_id, quantity in sorted(quantities.items()):
        _move(variant_id, quantity, source="held", target="sold")
        _record(variant_id, Kind.SOLD, quantity, reference)


def take_back(quantities: Mapping[int, int], *, reference: str) -> None:
    """Sold units are back on the shelf."""
    for variant_id, quantity in sorted(quantities.items()):
        _move(variant_id, quantity, source="sold", target="on_hand")
        _record(variant_id, Kind.RETURNED, quantity, reference)
    _refresh_availability(quantities)


def _move(variant_id: int, quantity: int, *, source: str, target: str) -> None:
    changes: dict[str, Any] = {source: F(source) - quantity, target: F(target) + quantity}
    if target == "on_hand":  # first to the orders that wait for units
        met = Least(F("unmet"), Value(quantity))
        changes |= {
            "on_hand": F("on_hand") + quantity - met,
            "received": F("received") - met,
            "unmet": F("unmet") - met,
        }
    if not Variant.objects.filter(pk=variant_id, **{f"{source}__gte": quantity}).update(**changes):
        words = gettext("Variant {variant} has fewer than {units} units ({column}).")
        raise OutOfStock(words.format(variant=variant_id, units=quantity, column=source))


def _record(variant_id: int, kind: str, quantity: int, reference: str) -> None:
    StockMovement.objects.create(variant_id=variant_id, kind=kind, quantity=quantity, reference=reference)


def _refresh_availability(quantities: Mapping[int, int], *, is_taken: bool = False) -> None:
    """After stock moved: lists need to know of products that came or went, pages of every number that
    they show, which is never above what one order may have.

    Taking units away makes a product go only where the last unit of a variant went.
    """
    rows = Variant.objects.filter(pk__in=list(quantities)).order_by()
    left = list(rows.values_list("pk", "product_id", "on_hand", "max_purchase_qty"))
    ids = {product_id for _, product_id, _, _ in left}
    emptied = {product_id for _, product_id, on_hand, _ in left if on_hand == 0}
    changed = refresh_availability(emptied if is_taken else ids)
    invalidate(Change.Kind.PRODUCT, changed)
    shown = {
        product_id
        for pk, product_id, on_hand, max_quantity in left
        if (on_hand if is_taken else on_hand - abs(quantities[pk])) < max_quantity
    }
    invalidate(Change.Kind.STOCK, shown - changed)


def refresh_availability(product_ids: Iterable[int]) -> set[int]:
    """Bring Product.in_stock up to date; the ids of those whose answer changed, which the caller announces."""
    on_shelf = Exists(Variant.objects.filter(product=OuterRef("pk"), is_active=True, on_hand__gt=0))
    wrong = Product.objects.filter(_wrong(on_shelf), pk__in=list(product_ids))
    seen = list(wrong.order_by().values_list("pk", flat=True))
    if not seen:
        return set()
    lock_rows(Product.objects.filter(pk__in=seen))
    rows = list(wrong.filter(pk__in=seen).values_list("pk", "in_stock"))
    for was in {was for _, was in rows}:
        ids = [pk for pk, answer in rows if answer is was]
        Product.objects.filter(pk__in=ids).update(in_stock=not was, changed_at=timezone.now())
    return {pk for pk, _ in rows}


def mend_availability() -> None:
    """Scheduled job: two last variants of one product, sold in the same moment, each see the other's unit."""
    on_shelf = Exists(Variant.objects.filter(product=OuterRef("pk"), is_active=True, on_hand__gt=0))
    wrong = list(Product.objects.filter(_wrong(on_shelf)).values_list("pk", flat=True)[:500])
    with transaction.atomic():
        invalidate(Change.Kind.PRODUCT, refresh_availability(wrong))


def _wrong(on_shelf: Exists) -> Q:
    return Q(on_shelf, in_stock=False) | Q(~on_shelf, in_stock=True)
