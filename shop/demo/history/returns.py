"""What came back: money for some units, others sent again, and a few requests that wait for the staff."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from shop.backoffice.actors import customer_actor
from shop.catalog.models import ReturnReason
from shop.money import share_of_units
from shop.orders.models import Courier, ReturnRequest, Shipment, ShipmentLine

from .orders import Sale

Kind = ReturnRequest.Kind
Stage = ReturnRequest.Status
WORDS = {
    "damaged": "The seal was broken when the parcel came.",
    "missing": "One was missing from the parcel.",
    "wrong-item": "I ordered a different size.",
}
TAKES = timedelta(days=7)  # from the delivery to the money


def draft_returns(random: Random, sales: list[Sale], now: datetime) -> None:
    """Of orders that were delivered; the newest ones still wait. Before the orders are saved."""
    reasons = {reason.slug: reason for reason in ReturnReason.objects.filter(is_active=True)}
    waiting = _stages_of_waiting()
    for sale in reversed(sales):
        delivered, line = sale.story.steps.get("delivered"), sale.lines[0]
        if not delivered or not line.is_returnable or line.return_days == 0:
            continue
        if now - delivered < timedelta(days=2):
            stage, kind = next(waiting, ("", Kind.REFUND))
        else:
            is_old = now - delivered > TAKES and sale.story.back
            kind = Kind(sale.story.back) if is_old else Kind.REFUND
            stage = (Stage.REFUNDED if kind == Kind.REFUND else Stage.REPLACED) if is_old else ""
        if stage:
            slug = random.choice(list(WORDS)) if stage in (Stage.REFUNDED, Stage.REQUESTED) else "damaged"
            pause = timedelta(days=1) if now - delivered > TAKES else (now - delivered) / 4
            sale.request = _request(sale, kind, Stage(stage), reasons[slug], pause)


def _stages_of_waiting() -> Iterator[tuple[str, Kind]]:
    yield from [(Stage.REQUESTED, Kind.REFUND), (Stage.REQUESTED, Kind.REPLACEMENT), (Stage.REQUESTED, Kind.REFUND)]
    yield from [(Stage.APPROVED, Kind.REFUND), (Stage.APPROVED, Kind.REPLACEMENT)]
    yield (Stage.RECEIVED, Kind.REPLACEMENT)


def _request(sale: Sale, kind: Kind, stage: Stage, reason: ReturnReason, pause: timedelta) -> ReturnRequest:
    """Asked for, decided and received with a pause before each."""
    line, order = sale.lines[0], sale.order
    at = sale.story.steps["delivered"] + pause
    request = ReturnRequest(
        line=line, kind=kind, reason=reason, quantity=line.quantity, note=WORDS[reason.slug], status=stage,
        created_at=at,
    )  # fmt: skip
    units = f"{line.quantity} × {line.product_name}"
    sale.note(at, f"{request.get_kind_display()} requested: {units}.", customer_actor(order.customer_id))
    if stage != Stage.REQUESTED:
        request.decided_at = at + pause
        sale.note(request.decided_at, f"Return approved: {units}.")
    if stage in (Stage.RECEIVED, Stage.REFUNDED, Stage.REPLACED):
        request.received_at = at = at + 2 * pause
        sale.note(request.received_at, f"Return received: {units}.")
    if stage == Stage.REFUNDED:
        _refund(sale, request, at)
    if stage == Stage.REPLACED:
        request.closed_at = at = at + timedelta(minutes=5)
        sale.note(at, f"Replacement sent: {units}.")
        if len(sale.lines) == 1:
            _end(sale, "replaced", at)
    return request


def _refund(sale: Sale, request: ReturnRequest, at: datetime) -> None:
    line = request.line
    goods = share_of_units(line.line_inr - line.reduction_inr, line.quantity, first=0, count=request.quantity)
    request.with_shipping = bool(sale.order.shipping_inr)
    request.refund_inr = goods + sale.order.shipping_inr
    request.is_restocked = request.reason.slug == "wrong-item"
    request.closed_at = at
    if len(sale.lines) == 1:
        _end(sale, "returned", at)


def _end(sale: Sale, status: str, at: datetime) -> None:
    sale.story.steps.pop("completed", None)
    sale.story.steps[status] = at


def add_returns(sales: list[Sale], courier: Courier) -> None:
    requests = [sale.request for sale in sales if sale.request]
    ReturnRequest.objects.bulk_create(requests)
    replaced = [(request, at) for request in requests if request.status == Stage.REPLACED and (at := request.closed_at)]
    parcels = Shipment.objects.bulk_create(
        Shipment(
            order=request.line.order, courier=courier, tracking_number=f"AU{request.pk:09}RE", is_replacement=True,
            return_request=request, shipped_at=at, delivered_at=at + timedelta(days=3),
        )
        for request, at in replaced
    )  # fmt: skip
    ShipmentLine.objects.bulk_create(
        ShipmentLine(shipment=parcel, order_line=request.line, quantity=request.quantity)
        for (request, _), parcel in zip(replaced, parcels, strict=True)
    )
