"""What comes back after delivery: asked for by the customer, decided and received by the desk.

requested → approved → received → refunded | replaced, or rejected. The money is given back by
payments, which reads what is owed from the rows; `close_refunded` is its last step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import NoReturn

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, ngettext

from shop.accounts.models import Customer
from shop.accounts.points import services as points
from shop.backoffice.actors import SHOP, customer_actor
from shop.catalog.models import ReturnReason
from shop.catalog.pictures.services import Upload, check_upload
from shop.catalog.stock import services as stock
from shop.errors import Invalid, NotFound
from shop.limits.services import consume
from shop.markets.geography.local_time import in_zone_of, today_in
from shop.money import share_of_units

from ..batches.services import pack_batches, take_in_return
from ..invoices.services import SHIPPING
from ..models import Courier, Order, OrderEvent, OrderLine, ReturnPhoto, ReturnRequest, Shipment, ShipmentLine
from ..notifications import notify_staff_of_return, queue_replacement_notification, queue_return_decision
from ..shipping.carriers.registry import clean_number
from ..shipping.event_notes import (
    REFUND_GRANTED,
    REFUND_INSTEAD,
    REFUND_REQUESTED,
    REPLACEMENT_REQUESTED,
    REPLACEMENT_SENT,
    RETURN_APPROVED,
    RETURN_RECEIVED,
    RETURN_REJECTED,
)
from ..shipping.services import CANCELLED_UNITS, OPEN_RETURNS, REFUSED_ON_DELIVERY
from ..states import Status, WrongState, move_order
from .photos import MAX_PHOTOS, read_photo, rows_with_files
from .pickup import pickup_slots
from .refundable import goods_kept, goods_of, refundable
from .windows import windows_of_line

Kind = ReturnRequest.Kind
Stage = ReturnRequest.Status
BY_THE_SHOP = "by-the-shop"
WITH_RETURNS = (Status.SHIPPED, Status.DELIVERED, Status.REPLACED)
DUE_AFTER = timedelta(days=30)
TRIES_A_CUSTOMER = 20  # an hour
REQUESTED = {Kind.REFUND: REFUND_REQUESTED, Kind.REPLACEMENT: REPLACEMENT_REQUESTED}
LIQUID_UNITS = {"ml", "l", "litre", "liter"}
LEAKAGE = gettext_noop("Liquids that have leaked can't be returned if a quarter or less is missing.")


class ReturnRefused(Invalid):
    code = "return_refused"


@dataclass(frozen=True, slots=True)
class Choice:
    """A reason that is still open for some units of a line."""

    reason: ReturnReason
    until: date
    units: int


# --- What a customer may ask for ----------------------------------------------------------------


def choices_of(line: OrderLine, today: date | None = None) -> list[Choice]:
    """The reasons for which units of a line may come back today. Reads the line's order, its
    `shipped` rows with their shipments, and its `return_requests`."""
    today = today or today_in(line.order)
    deliveries, free = _deliveries_of(line), refundable_units(line)
    if not free:
        return []
    choices = []
    for reason, days in windows_of_line(line):
        timely = [(day, units) for day, units in deliveries if today <= day + timedelta(days=days)]
        if timely:
            last = max(day for day, _ in timely) + timedelta(days=days)
            choices.append(Choice(reason, last, min(free, sum(units for _, units in timely))))
    return choices


def refundable_units(line: OrderLine) -> int:
    """Delivered units that nobody asked back yet, whatever the windows say. Reads what `choices_of` reads."""
    if line.order.status not in WITH_RETURNS:
        return 0
    requested = sum(request.quantity for request in line.return_requests.all() if _counts(request))
    return max(0, sum(units for _, units in _deliveries_of(line)) - requested)


def _counts(request: ReturnRequest) -> bool:
    """Whether its units were delivered and cannot be asked for again."""
    return request.status != Stage.REJECTED and request.reason.slug not in (REFUSED_ON_DELIVERY, CANCELLED_UNITS)


def _deliveries_of(line: OrderLine) -> list[tuple[date, int]]:
    """(day where it was delivered, units) of each parcel that arrived; replacements do not count."""
    rows = [row for row in line.shipped.all() if not row.shipment.is_replacement]
    if not rows and line.order.delivered_at:
        return [(in_zone_of(line.order, line.order.delivered_at).date(), line.kept)]
    arrived = [(row.shipment.delivered_at, row.quantity) for row in rows]
    return [(in_zone_of(line.order, at).date(), units) for at, units in arrived if at]


def is_liquid(line: OrderLine) -> bool:
    return line.variant.net_unit.lower() in LIQUID_UNITS


def request_return(
    line: OrderLine,
    *,
    customer: Customer,
    kind: str,
    reason: str,
    quantity: int,
    note: str = "",
    pickup: str = "",
    photos: Sequence[Upload] = (),
    after: int | None = None,
) -> ReturnRequest:
    """Ask for money back or a replacement of some delivered units of one line.

    `reason` is the slug of a ReturnReason, `after` the number of requests that the customer saw of the
    line: a form sent twice is refused; `pickup` a wish of `pickup_slots`, or nothing. Raises NotFound for a line of
    somebody else, ReturnRefused in words and by field, Invalid for a photo that is none, TooMany, Busy while others are
    decoded.
    """
    if len(photos) > MAX_PHOTOS:
        _refuse("photos", gettext("You can add up to %(most)s photos.") % {"most": MAX_PHOTOS})
    for photo in photos:
        check_upload(photo)

    def check(lines: QuerySet[OrderLine]) -> tuple[OrderLine, ReturnReason]:
        own = lines.filter(order__customer=customer).first()
        if own is None:
            raise NotFound()
        if after is not None and own.return_requests.count() != after:
            raise ReturnRefused(gettext("You've just requested this. See your requests below."), "asked_already")
        chosen = _require_open(own, reason, quantity)
        if pickup and pickup not in pickup_slots(own.order):
            _refuse("pickup", gettext("Please choose another time for the pickup."))
        if chosen.needs_photo and not photos:
            _refuse("photos", gettext("Please add a photo showing the problem."))
        return own, chosen

    lines = OrderLine.objects.select_related("order", "variant").filter(pk=line.pk)
    check(lines)  # all else first: to decode photos is dear
    consume("return", str(customer.pk), limit=TRIES_A_CUSTOMER, period=timedelta(hours=1))
    files = [read_photo(photo) for photo in photos]
    contents = [{"file": file} for file in files]
    with rows_with_files(ReturnPhoto, contents) as rows:
        order = Order.objects.select_for_update().filter(pk=line.order_id, customer=customer).first()
        if order is None:
            raise NotFound()
        own, chosen = check(lines)
        request = ReturnRequest.objects.create(
            line=own, kind=Kind(kind), reason=chosen, quantity=quantity, note=note.strip()[:500],
            pickup=pickup if chosen.is_sent_back else "",
        )  # fmt: skip
        for row in rows:
            row.request = request
            row.save(force_insert=True)
        _notify(
            order,
            customer_actor(order.customer_id),
            REQUESTED[Kind(request.kind)] % {"units": quantity, "name": own.product_name},
        )
        notify_staff_of_return(request)
    return request


def _require_open(line: OrderLine, slug: str, quantity: int) -> ReturnReason:
    choices = choices_of(line)
    if not choices:
        raise ReturnRefused(gettext("This item can no longer be returned."), "return_closed")
    choice = next((choice for choice in choices if choice.reason.slug == slug), None)
    if choice is None:
        _refuse("reason", gettext("It's too late to return this for that reason. Please choose another one."))
    if not 1 <= quantity <= choice.units:
        words = ngettext("Only %(units)s unit can be returned.", "Up to %(units)s units can be returned.", choice.units)
        _refuse("quantity", words % {"units": choice.units})
    return choice.reason


def _refuse(field: str, words: str) -> NoReturn:
    raise ReturnRefused(words, fields={field: [words]})


# --- What the desk does -------------------------------------------------------------------------


@transaction.atomic
def approve(request: ReturnRequest, *, actor: str, decision: str = "") -> ReturnRequest:
    """Agree. What is sent back will be picked up; what is not (missing units) is taken as received."""
    order, locked = _lock(request, Stage.REQUESTED)
    locked.status, locked.decided_at, locked.decision = Stage.APPROVED, timezone.now(), decision.strip()[:300]
    locked.save(update_fields=["status", "decided_at", "decision"])
    _notify(order, actor, _note(RETURN_APPROVED, locked, locked.decision))
    queue_return_decision(locked)
    if not locked.reason.is_sent_back:
        _receive(order, locked, actor=actor, is_restocked=False)
    return locked


@transaction.atomic
def reject(request: ReturnRequest, *, actor: str, decision: str) -> ReturnRequest:
    """Refuse, with words for the customer; its units are free to be asked for again."""
    if not decision.strip():
        raise Invalid(gettext("Enter a reason. The customer sees it."))
    order, locked = _lock(request, Stage.REQUESTED, Stage.APPROVED)
    now = timezone.now()
    locked.status, locked.decided_at, locked.closed_at = Stage.REJECTED, now, now
    locked.decision = decision.strip()[:300]
    locked.save(update_fields=["status", "decided_at", "closed_at", "decision"])
    _notify(order, actor, _note(RETURN_REJECTED, locked))
    queue_return_decision(locked)
    _settle_order(order, actor)
    return locked


@transaction.atomic
def grant_refund(
    line: OrderLine, *, reason: str, quantity: int, actor: str, after: int, decision: str = ""
) -> ReturnRequest:
    """Money back for delivered units by the desk's own decision, whatever the windows say.

    It is an approved return like any other, so that what is owed, points and credit note follow from it; what
    need not be sent back is owed at once. `reason` is the slug of an active ReturnReason or BY_THE_SHOP, `after`
    the number of the order's requests that the desk saw. Raises Invalid, WrongState for a form sent twice.
    """
    order = Order.objects.select_for_update().get(pk=line.order_id)
    own = OrderLine.objects.select_related("order").get(pk=line.pk)
    if ReturnRequest.objects.filter(line__order=order).count() != after:
        raise WrongState(gettext("The returns or refunds on this order have just changed. Please check again."))
    chosen = reason_named(reason)
    if chosen is None:
        _refuse("reason", gettext("Choose a reason."))
    free = refundable_units(own)
    if not 1 <= quantity <= free:
        most = gettext("At most {units} can be refunded: delivered, with no return requested yet.")
        _refuse("quantity", most.format(units=free))
    request = ReturnRequest.objects.create(line=own, kind=Kind.REFUND, reason=chosen, quantity=quantity)
    _notify(order, actor, REFUND_GRANTED % {"units": quantity, "name": own.product_name, "reason": chosen.name})
    return approve(request, actor=actor, decision=decision)


def reason_named(slug: str) -> ReturnReason | None:
    """The reason with this slug; that of the shop's own decision is made with its first use."""
    if slug != BY_THE_SHOP:
        return ReturnReason.objects.filter(slug=slug).first()
    words = {
        "name": gettext_noop("Decided by the shop"),
        "days": 0,
        "is_our_fault": False,
        "is_sent_back": False,
        "is_active": False,
    }
    return ReturnReason.objects.get_or_create(slug=BY_THE_SHOP, defaults=words)[0]


@transaction.atomic
def receive(
    request: ReturnRequest, *, actor: str, is_restocked: bool, note: str = "", batch: str = ""
) -> ReturnRequest:
    """The units are back: on the shelf, or written off. Money is owed from then on, or a replacement. `batch` is the
    number on the pack, which is needed where units of several batches were sent: raises Invalid without it."""
    order, locked = _lock(request, Stage.APPROVED)
    _receive(order, locked, actor=actor, is_restocked=is_restocked, note=note)
    is_refused = locked.reason.slug == REFUSED_ON_DELIVERY
    take_in_return(locked, is_restocked=is_restocked, is_refused_parcel=is_refused, actor=actor, number=batch)
    return locked


@transaction.atomic
def refund_instead(request: ReturnRequest, *, actor: str, note: str = "") -> ReturnRequest:
    """Money back in place of a replacement that cannot be sent."""
    order, locked = _lock(request, Stage.REQUESTED, Stage.APPROVED, Stage.RECEIVED)
    if locked.kind != Kind.REPLACEMENT:
        raise WrongState(gettext("This is already a refund request."))
    locked.kind = Kind.REFUND
    locked.save(update_fields=["kind"])
    _notify(order, actor, _note(REFUND_INSTEAD, locked, note))
    if locked.status == Stage.RECEIVED:
        _set_refund(order, locked, actor)
    return locked


@transaction.atomic
def send_replacement(
    request: ReturnRequest, *, actor: str, courier: Courier | None = None, tracking_number: str = ""
) -> Shipment:
    """Send the same units again in a parcel of their own. Raises OutOfStock where there are none, Invalid for a
    number that the carrier does not give out."""
    order, locked = _lock(request, Stage.RECEIVED)
    if locked.kind != Kind.REPLACEMENT:
        raise WrongState(gettext("A refund was requested, not a replacement."))
    units = {locked.line.variant_id: locked.quantity}
    stock.hold(units, reference=order.number)
    stock.sell(units, reference=order.number)
    parcel = Shipment.objects.create(
        order=order,
        courier=courier,
        tracking_number=clean_number(courier, tracking_number)[:60],
        is_replacement=True,
        return_request=locked,
    )
    row = ShipmentLine.objects.create(shipment=parcel, order_line=locked.line, quantity=locked.quantity)
    pack_batches(parcel, [row], actor=actor)
    locked.status, locked.closed_at = Stage.REPLACED, timezone.now()
    locked.save(update_fields=["status", "closed_at"])
    _notify(order, actor, _note(REPLACEMENT_SENT, locked))
    queue_replacement_notification(locked, parcel)
    _settle_order(order, actor)
    return parcel


def due_on(request: ReturnRequest) -> date | None:
    """The day by which refund or replacement is promised; None while nothing is owed."""
    if request.status != Stage.RECEIVED or request.received_at is None or request.reason.slug == CANCELLED_UNITS:
        return None
    return in_zone_of(request.line.order, request.received_at + DUE_AFTER).date()


def to_settle(requests: QuerySet[ReturnRequest]) -> QuerySet[ReturnRequest]:
    """Those that were received and owe a refund or a replacement; what was cancelled before packing never came back,
    and settles itself."""
    return requests.filter(status=Stage.RECEIVED).exclude(reason__slug=CANCELLED_UNITS)


def overdue_since(now: datetime) -> datetime:
    """What was received before this moment and is still open is overdue."""
    return now - DUE_AFTER


def _lock(request: ReturnRequest, *stages: str) -> tuple[Order, ReturnRequest]:
    order, locked = lock_order_of(request)
    if locked.status not in stages:
        words = gettext("This request is already {state}.")
        raise WrongState(words.format(state=locked.get_status_display().lower()))
    return order, locked


def _receive(order: Order, request: ReturnRequest, *, actor: str, is_restocked: bool, note: str = "") -> None:
    request.status, request.received_at, request.is_restocked = Stage.RECEIVED, timezone.now(), is_restocked
    request.save(update_fields=["status", "received_at", "is_restocked"])
    _notify(order, actor, _note(RETURN_RECEIVED, request, note))
    if request.kind == Kind.REFUND:
        _set_refund(order, request, actor)  # may lock the customer, so before any variant
    if is_restocked:
        stock.take_back({request.line.variant_id: request.quantity}, reference=order.number)


def _set_refund(order: Order, request: ReturnRequest, actor: str) -> None:
    """Fix what is owed: the units' share of what their line cost, and the shipping where it is due."""
    request.refund_inr, request.with_shipping = refund_for(order, request.line, request.quantity, request.reason)
    request.save(update_fields=["with_shipping", "refund_inr"])
    if not request.refund_inr:
        close_refunded(request, actor=actor)


def refund_for(order: Order, line: OrderLine, quantity: int, reason: ReturnReason) -> tuple[Decimal, bool]:
    """What is owed for so many units of a line that come back now, and whether shipping is in it."""
    shipping = refundable(order)[SHIPPING]
    with_shipping = bool(shipping) and _refunds_shipping(order, quantity, reason)
    return _goods_for(order, line, quantity) + (shipping if with_shipping else 0), with_shipping


def refused_on_their_way(order: Order) -> dict[str, Decimal]:
    """INR by order line id (as text) of units that were refused at the door and are not back yet. Where an order is
    paid there, nobody paid for them."""
    requests = ReturnRequest.objects.filter(
        line__order=order, reason__slug=REFUSED_ON_DELIVERY, status=Stage.APPROVED
    ).select_related("line")
    return {str(one.line_id): _goods_for(order, one.line, one.quantity) for one in requests}


def _goods_for(order: Order, line: OrderLine, quantity: int) -> Decimal:
    """INR of so many units of a line that come back next, as far as they are left."""
    first = sum(_refunds_of(order).filter(line=line).values_list("quantity", flat=True))
    goods = share_of_units(line.line_inr - line.reduction_inr, line.quantity, first=first, count=quantity)
    return min(goods, refundable(order)[str(line.pk)])


def lock_order_of(request: ReturnRequest) -> tuple[Order, ReturnRequest]:
    """The order, locked, and its request as it is now. To be called in a transaction."""
    order = Order.objects.select_for_update().get(lines__return_requests=request.pk)
    return order, ReturnRequest.objects.select_related("line__order", "reason").get(pk=request.pk)


def _refunds_of(order: Order) -> QuerySet[ReturnRequest]:
    """The requests of an order whose refund is owed or given."""
    return ReturnRequest.objects.filter(line__order=order, kind=Kind.REFUND, refund_inr__isnull=False)


def _refunds_shipping(order: Order, quantity: int, reason: ReturnReason) -> bool:
    """When the fault is ours, or with the last of all its units."""
    back = sum(_refunds_of(order).values_list("quantity", flat=True)) + quantity
    return reason.is_our_fault or back == _units_of(order)


def _units_of(order: Order) -> int:
    return sum(order.lines.values_list("quantity", flat=True))


@transaction.atomic
def close_refunded(request: ReturnRequest, *, actor: str = SHOP) -> None:
    """The money is on its way back: points follow it, and the order, when nothing of it is open."""
    order, locked = _lock(request, Stage.RECEIVED)
    locked.status, locked.closed_at = Stage.REFUNDED, timezone.now()
    locked.save(update_fields=["status", "closed_at"])
    _move_points(order, locked)
    _settle_order(order, actor)


def _move_points(order: Order, request: ReturnRequest) -> None:
    """What the goods had earned is taken back, what was redeemed for them is given back. Cancelled units never
    earned any, and gave theirs back at once."""
    if request.reason.slug == CANCELLED_UNITS:
        return
    line, occasion = request.line, f"return:{request.pk}"
    closed = without_points(order).exclude(pk=request.pk)
    kept = goods_kept(order, closed)
    lost = points.points_for(kept) - points.points_for(kept - goods_of(request, order))
    points.take_back(order.customer, lost, reference=order.number, occasion=occasion)
    first = sum(closed.filter(line=line).values_list("quantity", flat=True))
    used = share_of_units(
        Decimal(line.points_used), line.quantity, first=first, count=request.quantity, unit=Decimal(1)
    )
    points.restore_points(order.customer, int(used), reference=order.number, occasion=occasion)


def without_points(order: Order) -> QuerySet[ReturnRequest]:
    """The requests of an order whose units have no points any more: the others lose theirs when they are closed."""
    is_gone = Q(status=Stage.REFUNDED) | Q(reason__slug=CANCELLED_UNITS)
    return ReturnRequest.objects.filter(is_gone, line__order=order)


def _settle_order(order: Order, actor: str) -> None:
    """When no request is open any more: all came back → returned; all that did not was replaced → replaced."""
    requests = ReturnRequest.objects.filter(line__order=order)
    if order.status != Status.DELIVERED or requests.filter(status__in=OPEN_RETURNS).exists():
        return
    kept = _units_of(order) - sum(requests.filter(status=Stage.REFUNDED).values_list("quantity", flat=True))
    if not kept:
        move_order(order, Status.RETURNED, actor=actor, note=gettext_noop("Everything was returned."))
    elif kept == sum(requests.filter(status=Stage.REPLACED).values_list("quantity", flat=True)):
        move_order(order, Status.REPLACED, actor=actor)


def _note(template: str, request: ReturnRequest, more: str = "") -> str:
    return f"{template % {'units': request.quantity, 'name': request.line.product_name}} {more}"


def _notify(order: Order, actor: str, note: str) -> None:
    OrderEvent.objects.create(order=order, actor=actor, note=note.strip()[:300])
