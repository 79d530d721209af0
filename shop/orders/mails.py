"""What the shop tells a customer about an order. Called inside the transaction of what it tells."""

from collections.abc import Mapping
from typing import Any

from shop.messaging.services import queue_mail, queue_sms
from shop.money import INR, display

from .models import Order


def owe_confirmation(order: Order) -> None:
    """One message for each placed order."""
    tell_customer(
        order,
        kind="order_placed",
        subject=f"Order {order.number} placed",
        context=_receipt(order),
        key=f"order_placed:{order.number}",
    )


def tell_customer(order: Order, *, kind: str, subject: str, context: Mapping[str, Any], key: str) -> None:
    """Owe the customer one message by mail or, without an address, by SMS; its template is `kind`."""
    if order.email:
        queue_mail(kind=kind, to=order.email, subject=subject, template=kind, context=context, key=key)
    elif order.customer.phone:
        queue_sms(kind=kind, to=order.customer.phone, template=kind, context=context, key=key)


def _receipt(order: Order) -> dict[str, Any]:
    """The order in words: amounts as they are shown, no figures to compute with."""

    def show(amount):
        return display(amount, order.currency)

    return {
        "number": order.number,
        "name": order.address["full_name"],
        "lines": [
            {"name": line.product_name, "quantity": line.quantity, "amount": show(line.line_amount)}
            for line in order.lines.all()
        ],
        "sub_total": show(order.sub_total_amt),
        "shipping": show(order.shipping_amt),
        "total": show(order.total_amount),
        "charged": display(order.total_inr, INR) if order.charged_in_other_currency else "",
        "address": order.address,
        "expected_delivery": order.expected_delivery,
    }
