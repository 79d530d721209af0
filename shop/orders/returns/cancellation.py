"""Units that a customer no longer wants, cancelled line by line while the order is placed and not yet packed; staff
may cancel what is in no parcel yet also later, such as what turns out to be broken.

Each is a request for its money that needs no parcel: refund, points and credit note follow from it as from a return.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.accounts.points import services as points
from shop.catalog.models import ReturnReason
from shop.catalog.stock import services as stock
from shop.errors import Invalid, NotFound
from shop.money import INR, display

from ..invoices.services import credit
from ..models import Order, OrderEvent, OrderLine, ReturnRequest
from ..notifications import queue_cancelled_units_notification
from ..placing.services import cancel_order
from ..shipping.event_notes import CANCELLED
from ..shipping.services import CANCELLED_UNITS, close_if_complete, left_to_ship
from ..states import Status, WrongState
from .refundable import credits_of
from .services import close_refunded, refund_for

TOO_LATE = gettext_noop("We're already packing this order, so you can't cancel individual items any more.")
REFUSALS = {
    Status.PENDING: gettext_noop(
        "This order hasn't been paid for yet. You can cancel the whole order and order again."
    ),
    Status.PLACED: gettext_noop("This order has only one item left. Cancel the whole order instead."),
    Status.PROCESSING: TOO_LATE,
    Status.SHIPPED: gettext_noop("This order has been shipped, so you can't cancel individual items any more."),
    Status.DELIVERED: gettext_noop("This order has been delivered, so you can't cancel individual items any more."),
}
ENDED = gettext_noop("This order is closed, so there is nothing left to cancel.")
WHOLE = gettext_noop("Every item was cancelled.")
BEFORE_PACKING = gettext_noop("Cancelled before packing.")
BEFORE_SHIPPING = gettext_noop("Cancelled before shipping.")
UNSENT = (Status.PROCESSING, Status.SHIPPED)  # of which staff may cancel what is in no parcel yet


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Units of a line that were cancelled just now, and what they cost."""

    line: OrderLine
    units: int
    inr: Decimal


@transaction.atomic
def cancel_units(order: Order, totals: Mapping[int, int], *, actor: str, by_shop: bool = False) -> list[Cancelled]:
    """Cancel units of single lines of a placed order: order line id to how many of it are to be cancelled in all, so
    that a repetition cancels nothing more; nothing is left of a cancelled order. With the last unit the whole order is
    cancelled, shipping included. The shop itself cancels units that are in no parcel yet also of an order that is
    packed or partly sent; one of which all that was sent has arrived is delivered then.

    Their stock is on sale again, their points are given back, their money is owed (payments reads it from the rows),
    and a credit note takes them off the invoice. Neither coupon nor shipping is worked out anew.

    Locks the order, then its customer, then the variants in ascending order, last the series of credit notes. Raises
    NotFound for a line of another order, Invalid for more units than there are or fewer than are cancelled already,
    WrongState once it is packed, or for the shop once they are sent.
    """
    locked = Order.objects.select_for_update().get(pk=order.pk)
    lines = {line.pk: line for line in locked.lines.select_related("variant")}
    more = _more_of(lines, totals)
    if not more or locked.status == Status.CANCELLED:
        return []
    if locked.status != Status.PLACED and not (by_shop and locked.status in UNSENT):
        raise WrongState(refusal_words(locked))
    unsent = left_to_ship(locked)
    if any(units > unsent.get(pk, 0) for pk, units in more.items()):
        raise WrongState(gettext("Some of these items are in a parcel already. Please choose again."))
    if all(line.kept == more.get(pk, 0) for pk, line in lines.items()):
        whole = [Cancelled(lines[pk], units, Decimal(0)) for pk, units in more.items()]
        cancel_order(locked, actor=actor, note=WHOLE)
        return whole
    cancelled = _cancel(locked, lines, more, actor=actor, by_shop=by_shop)
    close_if_complete(locked, actor)
    return cancelled


@transaction.atomic
def cancel_short_units(order: Order, short: Mapping[int, int], *, actor: str) -> list[Cancelled]:
    """Cancel units (order line id to number) that the shop cannot send, also of an order that is being packed or partly
    on its way: one of which all that was sent has arrived is delivered then. Not all units of an order: that is
    `cancel_order`. `order` is locked by the caller. Locks and effects as in `cancel_units`."""
    lines = {line.pk: line for line in order.lines.select_related("variant")}
    cancelled = _cancel(order, lines, short, actor=actor, by_shop=True, is_short=True)
    close_if_complete(order, actor)
    return cancelled


def _cancel(
    locked: Order, lines: Mapping[int, OrderLine], more: Mapping[int, int], *, actor: str, by_shop: bool,
    is_short: bool = False,
) -> list[Cancelled]:  # fmt: skip
    points.lock(locked.customer)  # before any variant
    reason = _reason()
    requests = [_request(locked, lines[pk], units, reason, actor) for pk, units in sorted(more.items())]
    stock.take_back(_units_by_variant(requests), reference=locked.number)
    cancelled = [Cancelled(request.line, request.quantity, request.refund_inr or Decimal(0)) for request in requests]
    occasion = requests[-1].pk
    facts = {"is_missing": locked.status != Status.PLACED, "more_to_come": bool(left_to_ship(locked))}
    queue_cancelled_units_notification(locked, cancelled, occasion, by_shop=by_shop, is_short=is_short, **facts)
    for request in requests:  # last: the series is locked from there on
        words = BEFORE_PACKING if locked.status == Status.PLACED else BEFORE_SHIPPING
        credit(locked, credits_of(request, locked), reference=f"return:{request.pk}", reason=words)
    return cancelled


def _more_of(lines: Mapping[int, OrderLine], totals: Mapping[int, int]) -> dict[int, int]:
    """Line id to the units that are not cancelled yet and shall be."""
    more = {}
    for pk, total in totals.items():
        line = lines.get(pk)
        if line is None:
            raise NotFound()
        if not line.cancelled <= total <= line.quantity:
            words = gettext("Choose between %(least)s and %(most)s units of %(name)s.") % {
                "least": line.cancelled, "most": line.quantity, "name": line.translated.product_name,
            }  # fmt: skip
            raise Invalid(words, fields={f"line_{pk}": [words]})
        if total > line.cancelled:
            more[pk] = total - line.cancelled
    return more


def _request(order: Order, line: OrderLine, units: int, reason: ReturnReason, actor: str) -> ReturnRequest:
    line.order = order
    inr, with_shipping = refund_for(order, line, units, reason)
    now, before = timezone.now(), line.cancelled_points
    if not _is_free(line, units).update(cancelled=F("cancelled") + units):
        raise WrongState(gettext("This order has just changed. Please check it again."))
    line.cancelled += units
    request = ReturnRequest.objects.create(
        line=line,
        kind=ReturnRequest.Kind.REFUND,
        reason=reason,
        quantity=units,
        status=ReturnRequest.Status.RECEIVED,
        decided_at=now,
        received_at=now,
        is_restocked=True,
        refund_inr=inr,
        with_shipping=with_shipping,
    )
    returned = line.cancelled_points - before
    points.restore_points(order.customer, returned, reference=order.number, occasion=f"return:{request.pk}")
    note = CANCELLED % {"units": units, "name": line.product_name, "amount": display(inr, INR)}
    OrderEvent.objects.create(order=order, actor=actor, note=note[:300])
    if not inr:
        close_refunded(request, actor=actor)
    return request


def _is_free(line: OrderLine, units: int) -> QuerySet[OrderLine]:
    """The line's row, where nobody has cancelled anything of it since it was read."""
    return OrderLine.objects.filter(pk=line.pk, cancelled=line.cancelled, quantity__gte=F("cancelled") + units)


def _units_by_variant(requests: list[ReturnRequest]) -> dict[int, int]:
    units: dict[int, int] = {}
    for request in requests:
        units[request.line.variant_id] = units.get(request.line.variant_id, 0) + request.quantity
    return units


def _reason() -> ReturnReason:
    words = {"name": gettext_noop("Cancelled before packing"), "days": 0, "is_our_fault": False, "is_active": False}
    return ReturnReason.objects.get_or_create(slug=CANCELLED_UNITS, defaults=words)[0]


def refusal_words(order: Order) -> str:
    """Why no single items of an order can be cancelled."""
    return gettext(REFUSALS.get(Status(order.status), ENDED))


def may_cancel_units(order: Order, *, by_shop: bool = False) -> bool:
    """Whether some of an order can be cancelled and some of it kept."""
    if by_shop and order.status == Status.SHIPPED:
        return bool(left_to_ship(order))
    return order.unit_count > 1 and (order.status == Status.PLACED or (by_shop and order.status == Status.PROCESSING))


def refund_of(line: OrderLine, units: int) -> Decimal:
    """INR that so many more cancelled units of a line give back."""
    after = OrderLine(
        quantity=line.quantity, cancelled=line.cancelled + units, line_inr=line.line_inr,
        reduction_inr=line.reduction_inr,
    )  # fmt: skip
    return after.cancelled_inr - line.cancelled_inr
