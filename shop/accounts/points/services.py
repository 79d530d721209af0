"""Loyalty points: a ledger whose rows are only added. One point is one rupee off.

A point lives twelve months; the oldest are used first. Points leave under the lock of the customer's
row, and every change has a key that names its occasion, so that it counts once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_FLOOR, Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from shop.errors import ShopError

from ..models import Customer, PointsEntry

Kind = PointsEntry.Kind
RUPEES_A_POINT = 100  # of goods delivered
MAX_OF_A_CART = Decimal("0.10")


def twelve_months_after(at: datetime) -> datetime:
    try:
        return at.replace(year=at.year + 1)
    except ValueError:  # 29 February
        return at.replace(year=at.year + 1, month=3, day=1)


class NotEnoughPoints(ShopError):
    code = "points_gone"


@dataclass
class Lot:
    """Points that came in together, and how many of them are left; without an entry, the debt."""

    expires_at: datetime
    left: int
    entry: PointsEntry | None = None


def points_for(goods_inr: Decimal) -> int:
    """What delivered goods of this value earn."""
    return max(0, int((goods_inr / RUPEES_A_POINT).to_integral_value(ROUND_FLOOR)))


def balance_of(customer: Customer, *, returning: int = 0) -> int:
    """Points that can be redeemed once `returning` ones are returned; never below zero."""
    return sum_of(lots_of(customer.points_entries.all()), returning)


def sum_of(lots: Iterable[Lot], returning: int = 0) -> int:
    return max(0, returning + sum(lot.left for lot in lots))


def lots_of(entries: Iterable[PointsEntry], now: datetime | None = None) -> list[Lot]:
    """What is left of each living lot, next to end first.

    Points taken back from somebody who had spent them stand as one more lot, below zero.
    """
    now = now or timezone.now()
    lots, debt = replay(entries)
    living = sorted((lot for lot in lots if lot.left and lot.expires_at > now), key=lambda lot: lot.expires_at)
    return [*living, Lot(now, -debt)] if debt else living


def replay(entries: Iterable[PointsEntry]) -> tuple[list[Lot], int]:
    """Every lot, used up and ended ones too, after the ledger was applied from its beginning; and the debt."""
    lots: list[Lot] = []
    debt = 0
    for entry in entries:
        if entry.expires_at:
            settled = min(debt, entry.points)
            lots.append(Lot(entry.expires_at, entry.points - settled, entry))
            debt -= settled
        else:
            debt += _apply_entry(lots, entry)
    return lots, debt


def _apply_entry(lots: list[Lot], entry: PointsEntry) -> int:
    """Take an entry's points from the lots that lived then (an expiry's: from the dead); the rest that nobody had."""
    remaining = -entry.points
    is_expiry = entry.kind == Kind.EXPIRED
    for lot in sorted(lots, key=lambda lot: lot.expires_at):
        if (lot.expires_at <= entry.at) == is_expiry:
            used = min(lot.left, remaining)
            lot.left -= used
            remaining -= used
    return remaining


def redeem(customer: Customer, points: int, *, reference: str) -> None:
    """Use points in an order; raises NotEnoughPoints where there are fewer. `customer` is locked by the caller."""
    if balance_of(customer) < points:
        raise NotEnoughPoints(gettext("You no longer have enough points."))
    _write(customer, Kind.REDEEMED, -points, reference, key=f"redeemed:{reference}:{_times(customer, reference)}")


def _times(customer: Customer, reference: str) -> int:
    """How often an order redeemed: one that came back to life with late money does so a second time."""
    return customer.points_entries.filter(kind=Kind.REDEEMED, reference=reference).count()


def restore_points(customer: Customer, points: int, *, reference: str, occasion: str) -> None:
    """Redeemed points return with the time that they had left: while they were in an order it stood still."""
    used = customer.points_entries.filter(kind=Kind.REDEEMED, reference=reference).last()
    if points and used:
        _write(
            customer,
            Kind.GIVEN_BACK,
            points,
            reference,
            key=f"given_back:{occasion}:{_times(customer, reference)}",
            expires_at=_end_of_used(customer, used) + (timezone.now() - used.at),
        )


def _end_of_used(customer: Customer, used: PointsEntry) -> datetime:
    """When the youngest points of a redemption would have ended."""
    entries = list(customer.points_entries.all())
    before = entries[: entries.index(used)]
    lots = [lot for lot in replay(before)[0] if lot.left and lot.expires_at > used.at]
    taken, end = 0, used.at
    for lot in sorted(lots, key=lambda lot: lot.expires_at):
        if taken >= -used.points:
            break
        taken, end = taken + lot.left, lot.expires_at
    return end


@transaction.atomic
def earn(customer: Customer, points: int, *, reference: str) -> None:
    """For delivered goods, once an order."""
    lock(customer)
    if points:
        ends = twelve_months_after(timezone.now())
        _write(customer, Kind.EARNED, points, reference, key=f"earned:{reference}", expires_at=ends)


@transaction.atomic
def take_back(customer: Customer, points: int, *, reference: str, occasion: str) -> None:
    """For goods that were refunded after they had earned points."""
    lock(customer)
    if points:
        _write(customer, Kind.TAKEN_BACK, -points, reference, key=f"taken_back:{occasion}")


def expire(customer: Customer, points: int, entry: PointsEntry) -> bool:
    """What was left when the points of an entry ended, once; says whether it was news. `customer` is locked."""
    return _write(customer, Kind.EXPIRED, -points, entry.reference, key=f"expired:{entry.pk}")


def lock(customer: Customer) -> None:
    Customer.objects.select_for_update(no_key=True).get(pk=customer.pk)


def _write(
    customer: Customer, kind: str, points: int, reference: str, *, key: str, expires_at: datetime | None = None
) -> bool:
    return PointsEntry.objects.get_or_create(
        key=key,
        defaults={
            "customer": customer,
            "kind": kind,
            "points": points,
            "reference": reference,
            "expires_at": expires_at,
        },
    )[1]
