"""What the shop tells a customer (and its own desk) about an order. Called inside the transaction of what it tells.

Each message has a key of its own, so that it is written once, whatever arrives how often. Texts are lazy: they come
in the language that the order was placed in, whoever acts.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from shop.markets.market import local_country_name
from shop.messaging.languages import ENGLISH, LazyText, spoken
from shop.messaging.services import queue_mail, queue_sms
from shop.money import INR, display

from .models import Invoice, Order, ReturnRequest, Shipment, ShipmentLine
from .present import before_packing, money_words_of, payment_words
from .returns.windows import windows_of_order
from .shipping.progress import parcel_of
from .shipping.tracking_links import site_of, tracking_url

PAPERS = {Invoice.Kind.INVOICE: _("invoice"), Invoice.Kind.CREDIT: _("credit note")}

# Texts of pages, in the language of the message instead of the page that sends it.
_of_money, _of_payment = lazy(money_words_of, str), lazy(payment_words, str)
_of_country = lazy(local_country_name, str)


def queue_confirmation(order: Order) -> None:
    """One message for each placed order."""
    with in_language_of(order):
        groups, steps = windows_of_order(order), before_packing(order)
    _queue(order, "order_placed", _("Order {number} placed"), groups=groups, before_packing=steps)


def queue_confirmation_again(order: Order, *, key: str) -> None:
    """What the desk sends a second time, when it asks for it; `key` names the occasion."""
    with in_language_of(order):
        context = _receipt(order) | {"groups": windows_of_order(order), "before_packing": before_packing(order)}
    subject = format_lazy(_("Order {number} placed"), number=order.number)
    notify_customer(
        order, kind="order_placed_again", template="order_placed", subject=subject, context=context, key=key
    )


def queue_payment_failed(order: Order) -> None:
    """A payment failed while the order waits for it; said once, however many tries fail. (Whoever pays a draft of the
    desk has its link, and reads there what became of a try: this message and the next two would lead elsewhere.)"""
    if order.draft_id is not None:
        return
    _queue(order, "payment_failed", _("Payment for order {number} failed"), held_until=order.hold_expires_at)


def queue_payment_reminder(order: Order) -> None:
    """The reservation of an unpaid order ends soon."""
    if order.draft_id is not None:
        return
    _queue(order, "payment_reminder", _("Order {number} is waiting for payment"), held_until=order.hold_expires_at)


def queue_payment_lapsed(order: Order) -> None:
    """The time to pay is over; the items can be ordered again in one tap."""
    if order.draft_id is not None:
        return
    _queue(order, "payment_lapsed", _("We didn't receive payment for order {number}"))


def queue_shipping_notification(shipment: Shipment) -> None:
    """One message for each parcel."""
    order = shipment.order
    units = order.unit_count
    is_part = sum(line.quantity for line in shipment.lines.all()) < units
    sent = ShipmentLine.objects.filter(shipment__order=order, shipment__is_replacement=False)
    rest_follows = sum(sent.values_list("quantity", flat=True)) < units
    subject = _("A parcel from order {number} is on its way") if is_part else _("Order {number} is on its way")
    with in_language_of(order):
        parcel = parcel_of(shipment)
    _queue(
        order,
        "order_shipped",
        subject,
        shipment.pk,
        parcel=parcel,
        is_part=is_part,
        rest_follows=rest_follows,
    )


def queue_tracking_notification(shipment: Shipment, occasion: int) -> None:
    """Carrier or number of a parcel that is on its way are others now."""
    subject = _("Tracking number for order {number}")
    with in_language_of(shipment.order):
        parcel = parcel_of(shipment)
    _queue(shipment.order, "order_tracking", subject, occasion, parcel=parcel)


def queue_address_change_notification(order: Order, occasion: int, *, by_shop: bool) -> None:
    """Where the order goes now; said at each change, since not everybody who changes it must be its customer."""
    _queue(order, "order_address", _("Delivery address changed for order {number}"), occasion, by_shop=by_shop)


def queue_cancelled_units_notification(
    order: Order, cancelled: Sequence[Any], occasion: int, *, by_shop: bool, is_short: bool = False,
    is_missing: bool = False, more_to_come: bool = True,
) -> None:  # fmt: skip
    """Units of single lines were cancelled; what happens to their money. The shop cannot send them where `is_short` (a
    batch ends too soon) or `is_missing`; `more_to_come`: others of the order are still to be sent."""
    amount = sum((one.inr for one in cancelled), Decimal(0))
    with in_language_of(order):
        items = [(one.units, one.line.translated.product_name) for one in cancelled]
    money_words: str | LazyText = _("Nothing was charged for them.")
    if amount and order.method.is_collected_on_delivery:
        money_words = format_lazy(_("You pay {amount} on delivery."), amount=display(order.due_inr, INR))
    elif not amount and order.is_paid and any(one.line.line_inr > one.line.reduction_inr for one in cancelled):
        money_words = _("We've already refunded them.")
    elif amount:
        money_words = format_lazy(
            _("We'll refund {amount} to the card or account you paid with. Banks take up to seven working days."),
            amount=display(amount, INR),
        )
    words = {"items": items, "money_words": money_words, "by_shop": by_shop, "is_short": is_short}
    words |= {"is_missing": is_missing, "more_to_come": more_to_come}
    _queue(order, "order_items_cancelled", _("Items cancelled in order {number}"), occasion, **words)


def queue_delivery_notification(order: Order) -> None:
    with in_language_of(order):
        groups = windows_of_order(order)
    _queue(order, "order_delivered", _("Order {number} has been delivered"), groups=groups)


def queue_cancellation_notification(order: Order, reason: str = "") -> None:
    """With what happens to the money, and why where the shop cancelled it. Late money can bring an order back, and
    it may be cancelled again. (A try to pay a draft is no order to its customer yet.)"""
    if order.draft_id is not None and not order.is_paid:
        return
    times = order.events.filter(status_to=Order.Status.CANCELLED).count()
    words = {"money_words": _of_money(order), "reason": reason}
    _queue(order, "order_cancelled", _("Order {number} has been cancelled"), times, **words)


def _queue(order: Order, kind: str, subject: LazyText, occasion: int | None = None, **more: Any) -> None:
    """One message of a kind about the whole order, or one for each occasion."""
    key = f"{kind}:{order.number}" if occasion is None else f"{kind}:{order.number}:{occasion}"
    title = format_lazy(subject, number=order.number)
    with in_language_of(order):
        context = _receipt(order) | more
    notify_customer(order, kind=kind, subject=title, context=context, key=key)


def in_language_of(order: Order) -> translation.override:
    """For the names of products in what its customer is told, whoever acts and whatever page they read."""
    return translation.override(spoken(order.language))


def notify_staff(order: Order) -> None:
    """Notify the order desk of a placed order."""
    with translation.override(ENGLISH):
        context = _receipt(order) | {"pk": order.pk}
    queue_mail(
        kind="desk_order",
        to=settings.ORDER_DESK_EMAIL,
        subject=f"New order {order.number}: {display(order.total_inr, INR)}, {order.address['country']}",
        template="desk_order",
        context=context,
        key=f"desk_order:{order.number}",
    )


def queue_return_decision(request: ReturnRequest) -> None:
    """Whether a return was approved, and how it is picked up; or why it was rejected."""
    order = request.line.order
    is_approved = request.status == ReturnRequest.Status.APPROVED
    approved, rejected = (
        _("Your return for order {number} was approved"),
        _("Your return for order {number} was rejected"),
    )
    notify_customer(
        order,
        kind="return_decided",
        subject=format_lazy(approved if is_approved else rejected, number=order.number),
        context=_return_words(request, order.language) | {"is_approved": is_approved},
        key=f"return_decided:{request.pk}:{request.status}",
    )


def queue_recall(
    order: Order, *, key: str, items: Sequence[tuple[int, str]], number: str, reason: str, advice: str
) -> None:
    """A batch of which the customer got units must not be used any more, and why."""
    context = {
        "name": order.address["full_name"],
        "number": order.number,
        "batch": number,
        "items": list(items),
        "reason": reason,
        "advice": advice,
    }
    subject = format_lazy(_("Recall: please stop using batch {batch}"), batch=number)
    notify_customer(order, kind="recall", subject=subject, context=context, key=key)


def queue_replacement_notification(request: ReturnRequest, parcel: Shipment) -> None:
    order = request.line.order
    context = {"courier": parcel.courier.name if parcel.courier else "", "tracking": parcel.tracking_number}
    notify_customer(
        order,
        kind="return_replaced",
        subject=format_lazy(_("Your replacement for order {number} is on its way"), number=order.number),
        context=_return_words(request, order.language) | context,
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
        context=_return_words(request, ENGLISH) | {"pk": request.pk, "photos": request.photos.count()},
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


def queue_refund_notification(
    order: Order, *, amount: Decimal, key: str, where: str | LazyText, reason: str = ""
) -> None:
    """Money of an order goes back: how much, where to, how long banks take, and why where the shop decided it."""
    notify_customer(
        order,
        kind="refunded",
        subject=format_lazy(
            _("Refund of {amount} for order {number}"), amount=display(amount, INR), number=order.number
        ),
        context={
            "name": order.address["full_name"],
            "number": order.number,
            "amount": display(amount, INR),
            "where": where,
            "reason": reason,
        },
        key=key,
    )


def _return_words(request: ReturnRequest, language: str) -> dict[str, Any]:
    line = request.line
    with translation.override(spoken(language)):
        article, reason = line.translated.product_name, request.reason.translated.name
    return {
        "name": line.order.address["full_name"],
        "number": line.order.number,
        "article": article,
        "quantity": request.quantity,
        "kind": request.kind,
        "reason": reason,
        "note": request.note,
        "decision": request.decision,
        "is_sent_back": request.reason.is_sent_back,
    }


def queue_message(order: Order, *, text: str, key: str) -> None:
    """What the desk writes to the customer in its own words."""
    context = {"name": order.address["full_name"], "number": order.number, "text": text}
    subject = format_lazy(_("About your order {number}"), number=order.number)
    notify_customer(order, kind="order_letter", subject=subject, context=context, key=key)


def queue_invoice_notification(order: Order, *, key: str) -> None:
    """Where the invoice and the credit notes of an order are."""
    papers = [
        {"number": paper.number, "kind": PAPERS[Invoice.Kind(paper.kind)], "pk": paper.pk}
        for paper in order.invoices.all()
    ]
    context = {"name": order.address["full_name"], "number": order.number, "papers": papers}
    subject = format_lazy(_("Invoice for order {number}"), number=order.number)
    notify_customer(order, kind="order_invoice", subject=subject, context=context, key=key)


def notify_customer(
    order: Order, *, kind: str, subject: str | LazyText, context: Mapping[str, Any], key: str, template: str = ""
) -> None:
    """Queue one message to the customer, by email or, without an address, by SMS; its template is `kind` unless named.

    It is in the language that the order was placed in, whoever acts, and so are the pages that it links to.
    """
    about: dict[str, Any] = {
        "kind": kind,
        "template": template or kind,
        "context": {**context, "shop_url": site_of(order), "track_url": tracking_url(order)},
        "key": key,
        "language": order.language,
    }
    if order.email:
        queue_mail(to=order.email, subject=subject, **about)
    elif order.customer.phone:
        queue_sms(to=order.customer.phone, **about)


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
                "name": line.translated.product_name,
                "facts": line.translated.options,
                "sku": line.sku,
                "quantity": line.quantity,
                "cancelled": line.cancelled,
                "kept": line.kept,
                "amount": show(line.line_amount),
                "kept_amount": show(line.unit_amount * line.kept),
            }
            for line in order.lines.all()
        ],
        "sub_total": show(order.sub_total_amt),
        "shipping": show(order.shipping_amt) if order.shipping_amt else _("Free"),
        "coupon": show(order.coupon_amt) if order.coupon_amt else "",
        "coupon_code": "" if order.discount_name else order.coupon_code,
        "discount_name": order.discount_name,
        "free_shipping": order.free_shipping is not None,
        "points": show(order.points_amt) if order.points_used else "",
        "points_used": order.points_used,
        "total": show(order.total_amount),
        "cancelled": display(order.cancelled_inr, INR) if order.cancelled_inr else "",
        "charged": display(order.total_inr, INR) if order.charged_in_other_currency else "",
        "payment": _of_payment(order),
        "extras": order.extras,
        "address": order.address
        | {"country": _of_country(order.address.get("country_code", ""), order.address["country"])},
        "expected_delivery": order.expected_delivery,
    }
