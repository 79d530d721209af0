"""From the packed order to the customer's door: parcels, their arrival, what is refused there.

Each function owns its transaction and works under the lock of the order; a second call finds the
first one's rows and refuses, or changes nothing.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import Case, Exists, F, IntegerField, Max, OuterRef, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.accounts.points import services as points
from shop.backoffice.actors import SHOP
from shop.catalog.models import ReturnReason
from shop.catalog.stock import services as stock
from shop.errors import Changed, Invalid, ShopError, require_words
from shop.jobs.services import for_each
from shop.markets.queries import market_registry

from ..batches.services import pack_batches, take_in_parcels
from ..models import Courier, Order, OrderEvent, OrderLine, ReturnRequest, Shipment, ShipmentLine
from ..notifications import queue_delivery_notification, queue_shipping_notification, queue_tracking_notification
from ..placing.services import quantities_of, return_reductions
from ..returns.refundable import goods_kept
from ..signals import order_delivered
from ..states import Status, WrongState, move_order
from .carriers.registry import clean_number
from .event_notes import REFUSED, REPLACEMENT_REFUSED, SENT_WITHOUT_NUMBER, TRACKING_CORRECTED

OPEN_RETURNS = (ReturnRequest.Status.REQUESTED, ReturnRequest.Status.APPROVED, ReturnRequest.Status.RECEIVED)
REFUSED_ON_DELIVERY = "refused-at-the-door"
CANCELLED_UNITS = "cancelled-before-packing"  # the reason of requests for units that were never sent
NOTHING_ON_ITS_WAY = gettext_noop("No parcel from this order is on its way.")
NOTHING_LEFT = gettext_noop("Nothing is left to ship in this order.")
ON_THE_WAY: dict[str, None] = {"delivered_at": None, "refused_at": None}
NO_TRACKING = gettext_noop("none")
BATCH = 500


def left_to_ship(order: Order) -> dict[int, int]:
    """Order line id to the units that are in no parcel yet; lines without any left out."""
    left = dict(order.lines.values_list("pk", F("quantity") - F("cancelled")))
    for line_id, quantity in _in_parcels(order):
        left[line_id] -= quantity
    return {line_id: quantity for line_id, quantity in left.items() if quantity > 0}


def _in_parcels(order: Order) -> list[tuple[int, int]]:
    rows = ShipmentLine.objects.filter(shipment__order=order, shipment__is_replacement=False)
    return list(rows.values_list("order_line_id", "quantity"))


@transaction.atomic
def ship(
    order: Order,
    lines: Mapping[int, int] | None = None,
    *,
    courier: Courier | None = None,
    tracking_number: str = "",
    actor: str,
    after: int | None = None,
) -> Shipment:
    """Send a parcel with these units (order line id to quantity), or with all that is left.

    The first parcel takes the order to `shipped`, a placed one through `processing`. `after` is the
    number of parcels that the caller saw: a form sent twice is refused. Units of variants that are tracked by batch are
    taken of the batches that expire first; their variants are locked after the order. Raises WrongState, Invalid for
    units that the order has not left, and for a number that the carrier does not give out, TooFewInBatches.
    """
    locked = Order.objects.select_for_update().get(pk=order.pk)
    if locked.status not in (Status.PLACED, Status.PROCESSING, Status.SHIPPED):
        words = gettext("An order that is {state} cannot be shipped.")
        raise WrongState(words.format(state=locked.get_status_display().lower()))
    if after is not None and locked.shipments.count() != after:
        raise WrongState(gettext("A parcel has just been sent. Please check again."))
    packed = _packed(left_to_ship(locked), lines)
    number = clean_number(courier, tracking_number)
    shipment = Shipment.objects.create(order=locked, courier=courier, tracking_number=number)
    lines_of_parcel = ShipmentLine.objects.bulk_create(
        ShipmentLine(shipment=shipment, order_line_id=line_id, quantity=quantity)
        for line_id, quantity in sorted(packed.items())
    )
    pack_batches(shipment, lines_of_parcel, actor=actor)
    _move_to_shipped(locked, actor)
    if not shipment.tracking_number:
        OrderEvent.objects.create(order=locked, actor=actor, note=SENT_WITHOUT_NUMBER)
    queue_shipping_notification(shipment)
    return shipment


def tracking_key(shipment: Shipment) -> str:
    """Names carrier and number of a parcel as somebody saw them."""
    return f"{shipment.courier_id or ''}:{shipment.tracking_number}"


@transaction.atomic
def correct_tracking(
    shipment: Shipment, *, courier: Courier | None, tracking_number: str, actor: str, seen: str | None = None
) -> bool:
    """Add or correct carrier and number of a parcel that was sent; the customer of one that is on its way is
    notified, once a correction. False where they are the same already. `seen` is the `tracking_key` that the caller
    saw.

    Locks the order, and writes these two fields only. Raises Invalid without a number or with one that the carrier
    does not give out, Changed where somebody else corrected them meanwhile.
    """
    number = require_words(tracking_number, gettext("Enter the tracking number."), field="tracking_number")
    number = clean_number(courier, number)
    order = Order.objects.select_for_update().get(pk=shipment.order_id)
    locked = order.shipments.select_related("courier").get(pk=shipment.pk)
    if (locked.courier, locked.tracking_number) == (courier, number):
        return False
    if seen is not None and seen != tracking_key(locked):
        words = gettext("Someone else has corrected this: it is now {tracking}.")
        words = words.format(tracking=_tracking_words(locked, gettext(NO_TRACKING)))
        raise Changed(words, fields={"tracking_number": [words]})
    before = _tracking_words(locked)
    locked.courier, locked.tracking_number = courier, number
    locked.save(update_fields=["courier", "tracking_number"])
    note = TRACKING_CORRECTED % {"now": _tracking_words(locked), "before": before}
    event = OrderEvent.objects.create(order=order, actor=actor, note=note)
    if locked.delivered_at is None and locked.refused_at is None:
        queue_tracking_notification(locked, event.pk)
    return True


def _tracking_words(shipment: Shipment, nothing: str = NO_TRACKING) -> str:
    parts = (shipment.courier.name if shipment.courier else "", shipment.tracking_number)
    return " ".join(part for part in parts if part) or nothing


def _packed(left: Mapping[int, int], lines: Mapping[int, int] | None) -> dict[int, int]:
    if not left:
        raise WrongState(gettext(NOTHING_LEFT))
    if lines is None:
        return dict(left)
    packed = {line_id: quantity for line_id, quantity in lines.items() if quantity}
    if not packed:
        raise Invalid(gettext("Choose what's in the parcel."))
    if any(not 0 < quantity <= left.get(line_id, 0) for line_id, quantity in packed.items()):
        raise Invalid(gettext("That's more than is left to ship in this order."))
    return packed


def _move_to_shipped(order: Order, actor: str) -> None:
    if order.status == Status.PLACED:
        move_order(order, Status.PROCESSING, actor=actor)
    if order.status == Status.PROCESSING:
        move_order(order, Status.SHIPPED, actor=actor)


def deliver(shipment: Shipment, *, actor: str) -> Order:
    """A parcel arrived; with the last unit the order is delivered and earns its points. Twice is safe;
    raises WrongState for a parcel that was refused."""
    return _end_journey(shipment.order_id, "delivered_at", actor, shipment)


def deliver_all(order: Order, *, actor: str) -> Order:
    """Every parcel that is on its way arrived; raises WrongState when none is."""
    return _end_journey(order.pk, "delivered_at", actor)


def refuse(shipment: Shipment, *, actor: str, reason: str = "") -> Order:
    """A parcel was refused at the door, and why. Twice is safe; raises WrongState for one that was delivered.

    An order of which nothing was accepted is returned: its stock, coupon and points are given back,
    and what was paid is owed (payments reads it from the rows). Of an order that was partly accepted
    the refused units become return requests on their way back. A replacement that was refused is back
    on the shelf, and its request waits for the desk again.
    """
    return _end_journey(shipment.order_id, "refused_at", actor, shipment, reason)


def refuse_all(order: Order, *, actor: str, reason: str = "") -> Order:
    """Every parcel that is on its way was refused, and why; raises WrongState when none is."""
    return _end_journey(order.pk, "refused_at", actor, reason=reason)


def ends_by_refusal(order: Order, parcel: Shipment | None = None) -> bool:
    """Whether nothing of an order was accepted once this parcel (or all that are on their way) is refused. Reads
    `order.shipments`."""
    sent = [one for one in order.shipments.all() if not one.is_replacement]
    moving = {one.pk for one in sent if not (one.delivered_at or one.refused_at) and parcel in (None, one)}
    return order.status == Status.SHIPPED and bool(moving) and all(one.refused_at or one.pk in moving for one in sent)


@transaction.atomic
def _end_journey(order_id: int, how: str, actor: str, parcel: Shipment | None = None, reason: str = "") -> Order:
    """Note of one parcel, or of all that are on their way, how they ended, and do what follows."""
    order: Order = Order.objects.select_for_update().get(pk=order_id)
    moving = order.shipments.filter(pk=parcel.pk, **ON_THE_WAY) if parcel else _on_the_way(order)
    ended = list(moving)
    if not ended:
        if parcel is None:
            raise WrongState(gettext(NOTHING_ON_ITS_WAY))
        if order.shipments.filter(pk=parcel.pk, **{how: None}).exists():
            refused, delivered = gettext("This parcel was refused on delivery."), gettext("This parcel was delivered.")
            raise WrongState(refused if how == "delivered_at" else delivered)
        return order
    moving.update(**{how: timezone.now()})
    for replacement in [one for one in ended if one.is_replacement and how == "refused_at"]:
        _reopen_return(order, replacement, actor)
    if reason:
        OrderEvent.objects.create(order=order, actor=actor, note=(REFUSED % {"reason": reason})[:300])
    close_if_complete(order, actor)
    return order


def _on_the_way(order: Order) -> "models.QuerySet[Shipment]":
    return order.shipments.filter(is_replacement=False, **ON_THE_WAY)


def is_on_the_way(order: Order) -> bool:
    """Whether some parcel of an order neither arrived nor was refused. Reads `order.shipments`."""
    return any(not (one.is_replacement or one.delivered_at or one.refused_at) for one in order.shipments.all())


def arrived_units(order: Order) -> int:
    """Units whose parcel was delivered. Reads `order.shipments` with their lines."""
    arrived = [one for one in order.shipments.all() if one.delivered_at and not one.is_replacement]
    return sum(line.quantity for one in arrived for line in one.lines.all())


def partly_delivered(order: Order) -> str:
    """ "Partly delivered: 1 of 3 units" of an order whose rest has yet to arrive; empty for any other. Reads
    `order.shipments` and `order.lines`."""
    arrived = arrived_units(order) if order.status == Status.SHIPPED else 0
    words = gettext("Partly delivered: {units} of {all} units")
    return words.format(units=arrived, all=order.unit_count) if arrived else ""


def progress(order: Order) -> str:
    """ "Partly shipped: 2 of 3 units" or "Partly delivered: …" of an order that is on its way in parts; empty for any
    other. Reads what `with_parcel_units` adds."""
    row: Any = order
    delivered = gettext("Partly delivered: {units} of {all} units")
    shipped = gettext("Partly shipped: {units} of {all} units")
    for words, units in ((delivered, row.arrived_units), (shipped, row.sent_units)):
        if units and units < row.units:
            return words.format(units=units, all=row.units)
    return ""


def _reopen_return(order: Order, replacement: Shipment, actor: str) -> None:
    """Nobody took the replacement: send it again, or give the money back."""
    ReturnRequest.objects.filter(replacements=replacement, status=ReturnRequest.Status.REPLACED).update(
        status=ReturnRequest.Status.RECEIVED, closed_at=None
    )
    units = dict(replacement.lines.values_list("order_line__variant_id", "quantity"))
    stock.take_back(units, reference=order.number)
    take_in_parcels(order.shipments.filter(pk=replacement.pk), reference=order.number, actor=actor)
    OrderEvent.objects.create(order=order, actor=actor, note=REPLACEMENT_REFUSED)


def close_if_complete(order: Order, actor: str) -> None:
    """What follows once no parcel is on its way any more; `order` is locked by the caller."""
    if order.status != Status.SHIPPED or _on_the_way(order).exists():
        return
    if not order.shipments.filter(refused_at=None, is_replacement=False).exists():
        _return_whole(order, actor)
    elif not left_to_ship(order):
        _deliver_order(order, actor)


def _return_whole(order: Order, actor: str) -> None:
    """Nothing was accepted; what had not been sent yet is not sent any more."""
    move_order(order, Status.RETURNED, actor=actor, note="Refused at the door.")
    stock.take_back(quantities_of([order]), reference=order.number)
    take_in_parcels(order.shipments.all(), reference=order.number, actor=actor)
    return_reductions(order, occasion="refused")


def _deliver_order(order: Order, actor: str) -> None:
    move_order(order, Status.DELIVERED, actor=actor)
    goods = goods_kept(order, ReturnRequest.objects.filter(line__order=order, reason__slug=CANCELLED_UNITS))
    points.earn(order.customer, points.points_for(max(goods, Decimal(0))), reference=order.number)
    order_delivered.send(Order, order=order)
    _request_return_of_refused(order)
    queue_delivery_notification(order)


def _request_return_of_refused(order: Order) -> None:
    """What was refused of a delivered order is owed back once the shop has received it."""
    refused = ShipmentLine.objects.filter(
        shipment__order=order, shipment__refused_at__isnull=False, shipment__is_replacement=False
    )
    units = refused.order_by().values_list("order_line_id", "quantity")
    if not units:
        return
    words = {"name": gettext_noop("Refused at the door"), "days": 0, "is_our_fault": False, "is_active": False}
    reason, _ = ReturnReason.objects.get_or_create(slug=REFUSED_ON_DELIVERY, defaults=words)
    totals: dict[int, int] = {}
    for line_id, quantity in units:
        totals[line_id] = totals.get(line_id, 0) + quantity
    for line_id, quantity in totals.items():
        ReturnRequest.objects.create(
            line_id=line_id,
            kind=ReturnRequest.Kind.REFUND,
            reason=reason,
            quantity=quantity,
            status=ReturnRequest.Status.APPROVED,
            decided_at=timezone.now(),
            decision="Refused at the door.",
        )


def complete_delivered() -> int:
    """Scheduled job: orders whose longest return window ended, and of which no return is open, are completed."""
    return for_each("complete_delivered", _ready_to_complete()[:BATCH], _complete)


def _complete(order: Order) -> bool:
    try:
        move_order(order, Status.COMPLETED, actor=SHOP, note=gettext_noop("The return windows ended."))
    except ShopError:
        return False  # it moved meanwhile
    return True


def _ready_to_complete(now: datetime | None = None) -> "models.QuerySet[Order]":
    """A window of n days ends with the nth day after the day of delivery. Elsewhere days end at another hour than
    here: such orders wait for a day more."""
    longest = ReturnReason.objects.filter(is_active=True).aggregate(days=Max("days"))["days"] or 0
    today = timezone.localtime(now or timezone.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    here = [pk for pk, zone in market_registry().time_zones.items() if zone == settings.TIME_ZONE]
    shorter = Q(return_days__lt=longest)
    own_longest = Case(
        When(is_returnable=False, then=Value(0)),
        When(shorter, then=F("return_days")),
        default=Value(longest),
        output_field=IntegerField(),
    )
    lines = OrderLine.objects.filter(order=OuterRef("pk")).annotate(window=own_longest)
    ended = Q()
    for days in range(longest + 1):
        waits_longer = Exists(lines.filter(window__gt=days))
        end = today - timedelta(days=days)
        is_over = Q(delivered_at__lt=end - timedelta(days=1)) | Q(delivered_at__lt=end, location__in=here)
        ended |= Q(~waits_longer) & is_over
    open_returns = ReturnRequest.objects.filter(line__order=OuterRef("pk"), status__in=OPEN_RETURNS)
    return Order.objects.filter(ended, ~Exists(open_returns), status=Status.DELIVERED).order_by("delivered_at")
