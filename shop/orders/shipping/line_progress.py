"""Where the units of each line of an order are: a parcel, the customer's door, on their way back."""

from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from ..models import Order, OrderLine, ReturnRequest
from ..states import Status
from .progress import WITHOUT_TRACKER
from .services import CANCELLED_UNITS

Stage = ReturnRequest.Status
# By the stage of a request, in the order of their weight: label and tone.
OF_REQUESTS: dict[str, tuple[str, str]] = {
    Stage.REQUESTED: (gettext_noop("Return requested"), "warn"),
    Stage.APPROVED: (gettext_noop("Return approved"), "warn"),
    Stage.RECEIVED: (gettext_noop("Return received"), "warn"),
    Stage.REFUNDED: (gettext_noop("Refunded"), "good"),
    Stage.REPLACED: (gettext_noop("Replaced"), "good"),
}


@dataclass(frozen=True, slots=True)
class LineState:
    """So many units of a line share one state; `units` is None where it is all of them."""

    units: int | None
    label: str
    tone: str


@dataclass(frozen=True, slots=True)
class LineProgress:
    line: OrderLine
    states: list[LineState]


def line_progress_of(order: Order) -> list[LineProgress]:
    """Every line with the states of its units; without any for an order that is unpaid or was cancelled.

    Reads `order.shipments` with their lines and the lines' `return_requests` (`with_parcels`, `with_returns`).
    """
    return [LineProgress(line, _states_of(order, line)) for line in order.lines.all()]


def _states_of(order: Order, line: OrderLine) -> list[LineState]:
    if order.status in WITHOUT_TRACKER:
        return []
    found = {(gettext_noop("Cancelled"), "bad"): line.cancelled} if line.cancelled else {}
    requests = [request for request in line.return_requests.all() if request.reason.slug != CANCELLED_UNITS]
    asked_back = 0
    for stage, shown in OF_REQUESTS.items():
        units = sum(request.quantity for request in requests if request.status == stage)
        if units:
            found[shown] = units
            asked_back += units
    for shown, units in _units_at_their_place(order, line).items():
        kept = max(0, units - asked_back)  # what is asked back arrived, or was refused, before
        asked_back -= units - kept
        if kept:
            found[shown] = found.get(shown, 0) + kept
    if len(found) == 1:
        return [LineState(None, gettext(label), tone) for label, tone in found]
    return [LineState(units, gettext(label), tone) for (label, tone), units in found.items()]


def _units_at_their_place(order: Order, line: OrderLine) -> dict[tuple[str, str], int]:
    """Units by where they went at first; those that can be asked back come first."""
    parcels = [parcel for parcel in order.shipments.all() if not parcel.is_replacement]
    rows = [(parcel, row.quantity) for parcel in parcels for row in parcel.lines.all() if row.order_line_id == line.pk]
    refused = sum(units for parcel, units in rows if parcel.refused_at)
    delivered = sum(units for parcel, units in rows if parcel.delivered_at)
    moving = sum(units for _, units in rows) - refused - delivered
    unsent = line.kept - refused - delivered - moving
    if not parcels and order.delivered_at:  # from before parcels were kept
        delivered, unsent = unsent, 0
    waiting = Status.PLACED if order.status == Status.PLACED else Status.PROCESSING
    return {
        (gettext_noop("Refused on delivery"), "bad"): refused,
        (gettext_noop("Delivered"), "good"): delivered,
        (gettext_noop("On its way"), "other"): moving,
        (str(waiting.label), "other"): unsent,
    }
