"""What the shop tells a customer (and its own desk) about an order. Called inside the transaction of what it tells.

Each message has a key of its own, so that it is written once, whatever arrives how often.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.conf import settings

from shop.messaging.services import queue_mail, queue_sms
from shop.money import INR, display

from .models import Order, ReturnRequest, Shipment, ShipmentLine
from .present import money_words_of, payment_words
from .returns.windows import windows_of_order
from .shipping.progress import parcel_of


def owe_confirmation(order: Order) -> None:
    """One message for each placed order."""
    _owe(order, "order_placed", "Order {} placed", groups=windows_of_order(order))


def owe_confirmation_again(order: Order, *, key: str) -> None:
    """What the desk sends a second time, when it asks for it; `key` names the occasion."""
    context = _receipt(order) | {"groups": windows_of_order(order)}
    subject = f"Order {order.number} placed"
    notify_customer(
        order, kind="order_placed_again", template="order_placed", subject=subject, context=context, key=key
    )


def owe_payment_failed(order: Order) -> None:
    """A payment failed while the order waits for it; said once, however many tries fail."""
    _owe(order, "payment_failed", "Payment for order {} failed", held_until=order.hold_expires_at)


def owe_shipping(shipment: Shipment) -> None:
    """One message for each parcel."""
    order = shipment.order
    units = sum(line.quantity for line in order.lines.all())
    is_part = sum(line.quantity for line in shipment.lines.all()) < units
    sent = ShipmentLine.objects.filter(shipment__order=order, shipment__is_replacement=False)
    rest_follows = sum(sent.values_list("quantity", flat=True)) < units
    subject = "A parcel from order {} is on its way" if is_part else "Order {} is on its way"
    _owe(
        order,
        "order_shipped",
        subject,
        shipment.pk,
        parcel=parcel_of(shipment),
        is_part=is_part,
        rest_follows=rest_follows,
    )


def owe_tracking(shipment: Shipment, occasion: int) -> None:
    """Carrier or number of a parcel that is on its way are others now."""
    subject = "Tracking number for order {}"
    _owe(shipment.order, "order_tracking", subject, occasion, parcel=parcel_of(shipment))


def owe_address_change(order: Order, occasion: int, *, by_shop: bool) -> None:
    """Where the order goes now; said at each change, since not everybody who changes it must be its customer."""
    _owe(order, "order_address", "Delivery address changed for order {}", occasion, by_shop=by_shop)


def owe_delivery(order: Order) -> None:
    _owe(order, "order_delivered", "Order {} has been delivered", groups=windows_of_order(order))


def owe_cancellation(order: Order, reason: str = "") -> None:
    """With what happens to the money, and why where the shop cancelled it. Late money can bring an order back, and
    it may be cancelled again."""
    times = order.events.filter(status_to=Order.Status.CANCELLED).count()
    words = {"money_words": money_words_of(order), "reason": reason}
    _owe(order, "order_cancelled", "Order {} has been cancelled", times, **words)


def _owe(order: Order, kind: str, subject: str, occasion: int | None = None, **more: Any) -> None:
    """One message of a kind about the whole order, or one for each occasion."""
    key = f"{kind}:{order.number}" if occasion is None else f"{kind}:{order.number}:{occasion}"
    notify_customer(order, kind=kind, subject=subject.format(order.number), context=_receipt(order) | more, key=key)


def notify_staff(order: Order) -> None:
    """Notify the order desk of a placed order."""
    queue_mail(
        kind="desk_order",
        to=settings.ORDER_DESK_EMAIL,
        subject=f"New order {order.number}: {display(order.total_inr, INR)}, {order.address['country']}",
        template="desk_order",
        context=_receipt(order) | {"pk": order.pk},
        key=f"desk_order:{order.number}",
    )


def owe_decision(request: ReturnRequest) -> None:
    """Whether a return was approved, and how it is picked up; or why it was rejected."""
    order = request.line.order
    is_approved = request.status == ReturnRequest.Status.APPROVED
    notify_customer(
        order,
        kind="return_decided",
        subject=f"Your return for order {order.number} was {'approved' if is_approved else 'rejected'}",
        context=_return_words(request) | {"is_approved": is_approved},
        key=f"return_decided:{request.pk}:{request.status}",
    )


def owe_replacement(request: ReturnRequest, parcel: Shipment) -> None:
    order = request.line.order
    context = {"courier": parcel.courier.name if parcel.courier else "", "tracking": parcel.tracking_number}
    notify_customer(
        order,
        kind="return_replaced",
        subject=f"Your replacement for order {order.number} is on its way",
        context=_return_words(request) | context,
        key=f"return_replaced:{request.pk}:{parcel.pk}",
    )


def notify_staff_of_return(request: ReturnRequest) -> None:
    """Notify the order desk of a return request."""
    order = request.line.order
    queue_mail(
        kind="desk_return",
        to=settings.ORDER_DESK_EMAIL,
        subject=f"Return requested: {order.number}",
        template="desk_return",
        context=_return_words(request) | {"pk": request.pk, "photos": request.photos.count()},
        key=f"desk_return:{request.pk}",
    )


def notify_staff_of_failed_refund(order: Order, *, pk: int, amount: Decimal, reason: str) -> None:
    """Notify the order desk of money that the provider would not refund; `pk` is the refund's."""
    queue_mail(
        kind="desk_refund",
        to=settings.ORDER_DESK_EMAIL,
        subject=f"Refund failed: {order.number}, {display(amount, INR)}",
        template="desk_refund",
        context={"number": order.number, "amount": display(amount, INR), "reason": reason, "pk": pk},
        key=f"desk_refund:{pk}",
    )


def owe_refund(order: Order, *, amount: Decimal, key: str, where: str) -> None:
    """Money of an order goes back: how much, where to, and how long banks take."""
    notify_customer(
        order,
        kind="refunded",
        subject=f"Refund of {display(amount, INR)} for order {order.number}",
        context={
            "name": order.address["full_name"],
            "number": order.number,
            "amount": display(amount, INR),
            "where": where,
        },
        key=key,
    )


def _return_words(request: ReturnRequest) -> dict[str, Any]:
    line = request.line
    return {
        "name": line.order.address["full_name"],
        "number": line.order.number,
        "article": line.product_name,
        "quantity": request.quantity,
        "kind": request.kind,
        "reason": request.reason.name,
        "note": request.note,
        "decision": request.decision,
        "is_sent_back": request.reason.is_sent_back,
    }


def owe_message(order: Order, *, text: str, key: str) -> None:
    """What the desk writes to the customer in its own words."""
    context = {"name": order.address["full_name"], "number": order.number, "text": text}
    notify_customer(order, kind="order_letter", subject=f"About your order {order.number}", context=context, key=key)


def owe_invoice(order: Order, *, key: str) -> None:
    """Where the invoice and the credit notes of an order are."""
    papers = [
        {"number": paper.number, "kind": paper.get_kind_display(), "pk": paper.pk} for paper in order.invoices.all()
    ]
    context = {"name": order.address["full_name"], "number": order.number, "papers": papers}
    notify_customer(order, kind="order_invoice", subject=f"Invoice for order {order.number}", context=context, key=key)


def notify_customer(
    order: Order, *, kind: str, subject: str, context: Mapping[str, Any], key: str, template: str = ""
) -> None:
    """Owe the customer one message by mail or, without an address, by SMS; its template is `kind` unless named."""
    template = template or kind
    if order.email:
        queue_mail(kind=kind, to=order.email, subject=subject, template=template, context=context, key=key)
    elif order.customer.phone:
        queue_sms(kind=kind, to=order.customer.phone, template=template, context=context, key=key)


def _receipt(order: Order) -> dict[str, Any]:
    """The order in words: amounts as they are shown, no figures to compute with."""

    def show(amount: Decimal) -> str:
        return display(amount, order.currency)

    return {
        "number": order.number,
        "location_id": order.location_id,
        "name": order.address["full_name"],
        "lines": [
            {
                "name": line.product_name,
                "facts": ", ".join(line.attributes.values()),
                "sku": line.sku,
                "quantity": line.quantity,
                "amount": show(line.line_amount),
            }
            for line in order.lines.all()
        ],
        "sub_total": show(order.sub_total_amt),
        "shipping": show(order.shipping_amt) if order.shipping_amt else "Free",
        "coupon": show(order.coupon_amt) if order.coupon_amt else "",
        "coupon_code": order.coupon_code,
        "points": show(order.points_amt) if order.points_used else "",
        "points_used": order.points_used,
        "total": show(order.total_amount),
        "charged": display(order.total_inr, INR) if order.charged_in_other_currency else "",
        "payment": payment_words(order),
        "extras": order.extras,
        "address": order.address,
        "expected_delivery": order.expected_delivery,
    }
