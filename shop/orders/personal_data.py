"""A customer who takes the own data along. Who leaves leaves the orders: the law wants them kept. What was only
drafted goes; a draft whose order waits for its payment loses what it knows of the person."""

from typing import Any

from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data
from shop.cart.models import Cart

from .models import Order, OrderDraft
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


@receiver(collecting_data)
def disclose_drafts(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    drafts = customer.order_drafts.with_state().prefetch_related("cart__lines__variant__product")
    return {"orders_drafted_by_phone": [_present_draft(draft) for draft in drafts]}


def _present_draft(draft: OrderDraft) -> dict[str, Any]:
    return {
        "name": str(draft),
        "state": draft.state,
        "created_at": draft.created_at,
        "link_sent_at": draft.sent_at,
        "email": draft.email,
        "address": draft.address,
        "items": [
            {"product": line.variant.product.name, "sku": line.variant.sku, "quantity": line.quantity}
            for line in draft.cart.lines.all()
        ],
    }


@receiver(account_deleted)
def delete_drafts(sender: type, customer: Customer, **kwargs: Any) -> None:
    """Locked after the customer, who is locked already."""
    drafts = list(customer.order_drafts.select_for_update().order_by("pk"))
    waiting = {draft.pk for draft in drafts if draft.live_order}
    gone = {"address": {}, "address_id_then": 0, "email": "", "token_hash": None, "link_seed": "", "seen": {}}
    customer.order_drafts.filter(pk__in=waiting).update(**gone)
    customer.order_drafts.exclude(pk__in=waiting).delete()
    Cart.objects.filter(on_behalf_of=customer, order_draft=None).delete()
