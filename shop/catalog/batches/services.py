"""The only writer of batches. Each function locks the variant first, then changes its batches."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from shop.backoffice.actors import SHOP
from shop.errors import Invalid, NotFound, OutOfStock
from shop.jobs.services import for_each

from ..models import Batch, BatchMovement, Variant
from ..products.barcodes import gtin_of
from ..stock import services as stock
from .shelf_life import last_day_of_sale, sold_until
from .signals import unpacked_units

Kind = BatchMovement.Kind
MAX_UNITS = 1_000_000
MAX_YEARS = 15  # beyond this an expiry is a slip of the pen


class TooFewInBatches(OutOfStock):
    """No batch with enough life left covers these units."""

    code = "too_few_in_batches"


@dataclass(frozen=True, slots=True)
class Taken:
    """Units of one batch that went into a parcel."""

    batch: Batch
    units: int


def find_variant(code: str) -> Variant:
    """The variant with this SKU or barcode. Raises Invalid where there is none or more than one."""
    code = code.strip()
    barcodes = {code, code.lstrip("0"), code.lstrip("0").zfill(13)} if gtin_of(code) else {code}
    named = Q(sku__in=[code, code.upper()]) | Q(barcode__in=barcodes - {""})
    found: list[Variant] = list(Variant.objects.filter(named).select_related("product").order_by("pk")[:2])
    if len(found) == 1:
        [variant] = found
        return variant
    none, several = gettext("No product has this SKU or barcode."), gettext("Several products have this barcode.")
    words = several if found else none
    raise Invalid(words, fields={"code": [words]})


# --- Coming in ----------------------------------------------------------------------------------


@transaction.atomic
def track_by_batch(variant_id: int) -> None:
    """From now on the variant is tracked by batch; what is here of it becomes its opening batch. Twice is safe."""
    variant = _locked(variant_id)
    if variant.is_batched:
        return
    Variant.objects.filter(pk=variant_id).update(is_batched=True)
    units = variant.on_hand + variant.held + unpacked_units(variant_id)
    if units:
        batch = Batch.objects.create(variant_id=variant_id, received=units, units=units)
        _record(batch, Kind.OPENED, units, actor=SHOP)


@transaction.atomic
def receive_batch(
    variant_id: int, *, number: str, manufactured: date | None, expires: date | None, units: int, actor: str,
    note: str = "", key: str | None = None,
) -> Batch:  # fmt: skip
    """Goods of a batch came in; what nobody waits for goes on sale. More of a known batch has the same dates. `key`
    names the form, so that a repetition receives nothing more.

    Locks the variant, then its batch. Raises Invalid by field.
    """
    number = number.strip().upper()
    _require_sensible(number, manufactured, expires, units)
    track_by_batch(variant_id)
    known = BatchMovement.objects.filter(key=key).select_related("batch").first() if key else None
    if known is not None:
        return known.batch
    ends = sold_until(manufactured, expires)
    batch, is_new = Batch.objects.get_or_create(
        variant_id=variant_id,
        number=number,
        defaults={"manufactured": manufactured, "expires": expires, "sold_until": ends},
    )
    if not is_new:
        _require_same(batch, manufactured, expires)
    if ends is not None and ends < last_day_of_sale():
        words = gettext("This batch expires too soon to be sold: it may be delivered until %(day)s.") % {"day": ends}
        _refuse("expires", words)
    Batch.objects.filter(pk=batch.pk).update(received=F("received") + units, units=F("units") + units)
    _record(batch, Kind.RECEIVED, units, actor=actor, reference=note, key=key)
    stock.cover({variant_id: units}, note=_note(batch, note))
    batch.refresh_from_db()
    return batch


@transaction.atomic
def correct_batch(batch: Batch, *, number: str, manufactured: date | None, expires: date | None) -> Batch:
    """Another number or other dates, where they were mistyped; stock from before can be given both. Parcels keep their
    copy. A batch that keeps too short now goes off sale with the next `end_sales`.

    Locks the variant. Raises Invalid by field, also for dates by which what was sent would have been too old."""
    _locked(batch.variant_id)
    now = Batch.objects.get(pk=batch.pk)
    number = number.strip().upper()
    if now.recalled_at:
        _refuse("number", gettext("This batch was recalled."))
    if number or now.number:
        _require_sensible(number, manufactured, expires, units=1)
    if Batch.objects.filter(variant=now.variant_id, number=number).exclude(pk=now.pk).exists():
        _refuse("number", gettext("Another batch of this product has this number."))
    ends = sold_until(manufactured, expires)
    if ends is not None and now.movements.filter(kind=Kind.PACKED, at__date__gt=ends).exists():
        _refuse(
            "expires",
            gettext("With this expiry date, some units were already sent too late. Recall the batch instead."),
        )
    changes = {"number": number, "manufactured": manufactured, "expires": expires, "sold_until": ends}
    Batch.objects.filter(pk=now.pk).update(**changes)
    return Batch.objects.get(pk=now.pk)


def _require_sensible(number: str, manufactured: date | None, expires: date | None, units: int) -> None:
    today = timezone.localdate()
    if not any(sign.isalnum() for sign in number):
        _refuse("number", gettext("Enter the batch number from the pack."))
    if expires is None:
        _refuse("expires", gettext("Enter the expiry date."))
    if manufactured and manufactured > today:
        _refuse("manufactured", gettext("The date of manufacture is in the future."))
    if manufactured and expires and expires <= manufactured:
        _refuse("expires", gettext("The expiry date is before the date of manufacture."))
    if expires and expires > today + timedelta(days=366 * MAX_YEARS):
        _refuse("expires", gettext("The expiry date is too far away. Please check the year."))
    if not 1 <= units <= MAX_UNITS:
        _refuse("units", gettext("Enter how many units came in."))


def _require_same(batch: Batch, manufactured: date | None, expires: date | None) -> None:
    if batch.recalled_at:
        _refuse("number", gettext("This batch was recalled."))
    if batch.expires != expires:
        known = gettext("This batch is recorded with another expiry date: %(day)s.") % {"day": batch.expires}
        _refuse("expires", known)
    if batch.manufactured != manufactured:
        known = gettext("This batch is recorded with another date of manufacture: %(day)s.")
        _refuse("manufactured", known % {"day": batch.manufactured or "–"})


def _refuse(field: str, words: str) -> None:
    raise Invalid(words, fields={field: [words]})


# --- Going out and coming back ------------------------------------------------------------------


def take(variant_id: int, units: int, *, deliver_on: date, reference: str, actor: str, name: str = "") -> list[Taken]:
    """Take units for a parcel that is promised on a day, of the batches that expire first. The caller has locked the
    variant, which is tracked. Raises TooFewInBatches where no batch with enough life left covers them."""
    taken, left = [], units
    for batch in Batch.objects.packable(deliver_on).filter(variant=variant_id):
        share = min(left, batch.units)
        packable = Batch.objects.packable(deliver_on).filter(pk=batch.pk, units__gte=share)
        if not packable.update(units=F("units") - share, packed=F("packed") + share):
            continue
        _record(batch, Kind.PACKED, share, actor=actor, reference=reference)
        taken.append(Taken(batch, share))
        left -= share
        if not left:
            return taken
    words = gettext("Only %(units)s of %(wanted)s units of %(name)s are in a batch with a late enough expiry date.")
    facts = {"units": units - left, "wanted": units, "name": name or variant_id}
    raise TooFewInBatches(words % facts, extra={"variant_id": variant_id})


def put_back(variant_id: int, units: Mapping[int, int], *, reference: str, actor: str, to_bin: bool = False) -> int:
    """Sent units (batch id to number) came back: to their batch, or written off where they may not be sold any more.
    The answer is how many were written off; the caller keeps the stock of the variant, locked, in step."""
    binned = 0
    for batch in Batch.objects.filter(pk__in=list(units), variant=variant_id).order_by("pk"):
        number = units[batch.pk]
        is_sold = batch.recalled_at is None and (batch.sold_until is None or batch.sold_until >= last_day_of_sale())
        is_binned = to_bin or not is_sold
        column, kind = ("discarded", Kind.BINNED) if is_binned else ("units", Kind.RETURNED)
        sent = Batch.objects.filter(pk=batch.pk, packed__gte=number)
        if not sent.update(packed=F("packed") - number, **{column: F(column) + number}):
            raise OutOfStock(
                gettext("Batch {batch} has sent fewer than {units} units.").format(batch=batch.pk, units=number)
            )
        _record(batch, kind, number, actor=actor, reference=reference)
        binned += number if is_binned else 0
    return binned


def opening_batch_of_sent(variant_id: int, units: int) -> Batch:
    """The opening batch, for units that come back and were sent before batches were tracked: they count as received
    by it. The caller has locked the variant."""
    batch, _ = Batch.objects.get_or_create(variant_id=variant_id, number="")
    Batch.objects.filter(pk=batch.pk).update(received=F("received") + units, packed=F("packed") + units)
    return batch


# --- Ends ---------------------------------------------------------------------------------------


def renew_last_days() -> int:
    """Scheduled job: once the settings of the promised rest of life have changed, the batches that are here are sold
    until another day. The answer is how many are."""
    there = Batch.objects.in_shop().exclude(expires=None).order_by("variant_id", "pk")
    other = [batch for batch in there if batch.sold_until != sold_until(batch.manufactured, batch.expires)]
    return for_each("renew_last_days", other, _renew_last_day)


@transaction.atomic
def _renew_last_day(batch: Batch) -> int:
    """Never before a day on which some of it was sent, which was in time then. Locks the variant."""
    _locked(batch.variant_id)
    now = Batch.objects.get(pk=batch.pk)
    ends = sold_until(now.manufactured, now.expires)
    sent = now.movements.filter(kind=Kind.PACKED).aggregate(last=Max("at"))["last"]
    if ends is not None and sent is not None:
        ends = max(ends, timezone.localdate(sent))
    return Batch.objects.filter(pk=now.pk).exclude(sold_until=ends).update(sold_until=ends)


@transaction.atomic
def write_off(batch: Batch, units: int, *, actor: str, note: str) -> Batch:
    """Units of a batch are lost or broken. Raises Invalid without a reason or for more than there are."""
    _locked(batch.variant_id)
    if not any(sign.isalnum() for sign in note):
        _refuse("note", gettext("Enter a reason."))
    _discard(batch, units, Kind.CORRECTED, actor=actor, reference=note)
    return Batch.objects.get(pk=batch.pk)


def end_sales() -> int:
    """Scheduled job: batches that would arrive with too little life left go off sale, and their units that nobody
    reserved are written off; those that can be packed for no order any more, all of them. The answer is how many
    units."""
    ending = Batch.objects.off_sale().order_by("variant_id", "pk")
    return for_each("end_sales", ending, end_sale)


@transaction.atomic
def end_sale(batch: Batch) -> int:
    """Write off what nobody reserved of a batch that ends, and the rest once it is too old to be packed at all.

    Locks the variant. What was reserved and is written off is unmet from then on."""
    variant = _locked(batch.variant_id)
    now = Batch.objects.off_sale().filter(pk=batch.pk).first()
    if now is None:
        return 0
    is_too_old = now.sold_until is not None and now.sold_until < timezone.localdate()
    units: int = now.units if is_too_old else min(now.units, variant.on_hand)
    if units:
        _discard(now, units, Kind.EXPIRED, actor=SHOP)
    return units


def _discard(batch: Batch, units: int, kind: Kind, *, actor: str, reference: str = "") -> None:
    there = Batch.objects.filter(pk=batch.pk, units__gte=units)
    if units < 1 or not there.update(units=F("units") - units, discarded=F("discarded") + units):
        _refuse("units", gettext("There are fewer units in this batch."))
    _record(batch, kind, units, actor=actor, reference=reference)
    if batch.recalled_at is None:
        stock.lose({batch.variant_id: units}, note=_note(batch, reference or Kind(kind).label))


@transaction.atomic
def set_recalled(batch: Batch) -> bool:
    """Nothing of a batch is sold or sent any more; its reserved units are unmet. False where it was recalled before."""
    _locked(batch.variant_id)
    now = Batch.objects.get(pk=batch.pk)
    if now.recalled_at is not None:
        return False
    Batch.objects.filter(pk=batch.pk).update(recalled_at=timezone.now())
    if now.units:
        stock.lose({batch.variant_id: now.units}, note=_note(batch, gettext("recalled")))
    return True


# --- Shared -------------------------------------------------------------------------------------


def lock_variants(ids: Iterable[int] | QuerySet[Any]) -> dict[int, Variant]:
    """By id, locked in ascending order until the end of the transaction; `ids` may be a subquery."""
    rows = Variant.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return {variant.pk: variant for variant in rows}


def _locked(variant_id: int) -> Variant:
    found = lock_variants([variant_id]).get(variant_id)
    if found is None:
        raise NotFound()
    return found


def _record(
    batch: Batch, kind: Kind, quantity: int, *, actor: str, reference: str = "", key: str | None = None
) -> None:
    BatchMovement.objects.create(
        batch=batch, kind=kind, quantity=quantity, reference=reference[:80], actor=actor, key=key
    )


def _note(batch: Batch, more: object) -> str:
    return f"{batch}: {more}"[:80] if more else str(batch)
