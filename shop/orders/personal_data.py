"""A customer who takes the own data along. Who leaves leaves the orders: the law wants them kept."""

from typing import Any

from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import collecting_data

from .models import Order
from .present import present_order


@receiver(collecting_data)
def disclose_orders(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    return {"orders": [_present(order) for order in customer.orders.for_api().prefetch_related("invoices")]}


def _present(order: Order) -> dict[str, Any]:
    return {
        **present_order(order),
        "email": order.email,
        "address": order.address,
        "invoices": [invoice.number for invoice in order.invoices.all()],
    }
