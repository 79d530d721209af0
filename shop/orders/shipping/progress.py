"""Where an order is: the four steps Placed, Processing, Shipped, Delivered, its parcels, its events in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from shop.backoffice.actors import CUSTOMER, role_of

from ..models import Order, OrderEvent, Shipment
from ..queries import LAPSED_NOTES
from ..states import Status
from .carriers.registry import carrier_of
from .event_notes import names_in, translated_note

STEPS = (Status.PLACED, Status.PROCESSING, Status.SHIPPED, Status.DELIVERED)
WITHOUT_TRACKER = (Status.PENDING, Status.CANCELLED)
WORDS = {
    Status.PENDING: gettext_noop("Checked out, waiting for payment"),
    Status.PLACED: gettext_noop("Order placed"),
    Status.PROCESSING: gettext_noop("We're packing it"),
    Status.SHIPPED: gettext_noop("On its way"),
    Status.DELIVERED: gettext_noop("Delivered"),
    Status.COMPLETED: gettext_noop("Completed: the time for returns has ended"),
    Status.CANCELLED: gettext_noop("Cancelled"),
    Status.REPLACED: gettext_noop("Replaced"),
    Status.RETURNED: gettext_noop("Returned"),
}
PUBLIC_NOTES = (*LAPSED_NOTES, gettext_noop("Refused at the door."))


@dataclass(frozen=True, slots=True)
class Step:
    label: str
    at: datetime | None
    is_done: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class Parcel:
    """A parcel as a customer sees it."""

    courier: str
    number: str
    link: str
    shipped_at: datetime
    delivered_at: datetime | None
    refused_at: datetime | None
    items: list[tuple[int, str]]  # (quantity, name)
    batches: list[tuple[str, str]]  # (name, its batches) of lines that are tracked by batch

    @property
    def words(self) -> str:
        if self.refused_at:
            return gettext("Refused on delivery")
        return gettext("Delivered") if self.delivered_at else gettext("On its way")

    @property
    def tone(self) -> str:
        if self.refused_at:
            return "bad"
        return "good" if self.delivered_at else "other"


@dataclass(frozen=True, slots=True)
class TrackingEvent:
    at: datetime
    words: str


def tracker_of(order: Order) -> list[Step]:
    """The steps an order has reached, with their times; none for a pending or cancelled one.

    What was returned or replaced keeps the steps it had. Reads `order.events`.
    """
    if order.status in WITHOUT_TRACKER:
        return []
    reached = {event.status_to: event.at for event in order.events.all()}
    done = [step for step in STEPS if step in reached]
    return [
        Step(
            label=str(step.label),
            at=reached.get(step),
            is_done=step in reached,
            is_current=bool(done) and step == done[-1] and order.status == step,
        )
        for step in STEPS
    ]


def tracking_link(shipment: Shipment) -> str:
    """The carrier's page of this parcel; empty where there is none."""
    return carrier_of(shipment.courier).tracking_link(shipment.tracking_number)


def parcel_of(shipment: Shipment) -> Parcel:
    return Parcel(
        courier=shipment.courier.name if shipment.courier else "",
        number=shipment.tracking_number,
        link=tracking_link(shipment),
        shipped_at=shipment.shipped_at,
        delivered_at=shipment.delivered_at,
        refused_at=shipment.refused_at,
        items=[(line.quantity, line.order_line.translated.product_name) for line in shipment.lines.all()],
        batches=[
            (line.order_line.translated.product_name, words)
            for line in shipment.lines.all()
            if (words := line.batch_words)
        ],
    )


def parcels_of(order: Order) -> list[Parcel]:
    """Reads `order.shipments` with courier and lines (`with_parcels`)."""
    return [parcel_of(shipment) for shipment in order.shipments.all()]


def rest_follows(order: Order) -> bool:
    """Whether some of a shipped order is in no parcel yet."""
    sent = sum(quantity for parcel in parcels_of(order) for quantity, _ in parcel.items)
    return order.status == Status.SHIPPED and sent < order.unit_count


def tracking_events_of(order: Order) -> list[TrackingEvent]:
    """What happened to an order, oldest first; who of the staff did it is nobody else's business."""
    names = names_in(order)
    return [TrackingEvent(event.at, words) for event in order.events.all() if (words := _words_of(event, names))]


def _words_of(event: OrderEvent, names: Mapping[str, str]) -> str:
    if not event.status_to:
        return translated_note(event.note, names)
    if event.note in LAPSED_NOTES:
        return _without_end(gettext(event.note))
    words = gettext(WORDS[Status(event.status_to)])
    if event.status_to == Status.CANCELLED and role_of(event.actor) == CUSTOMER and event.note not in PUBLIC_NOTES:
        return gettext("Cancelled by you")
    return f"{words}. {_without_end(gettext(event.note))}" if event.note in PUBLIC_NOTES else words


def _without_end(words: str) -> str:
    return words.rstrip(".।")
