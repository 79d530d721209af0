from typing import Any

from ninja import Router

from shop.accounts.models import Customer
from shop.accounts.requests import CustomerRequest
from shop.calls import ERRORS, signed_in
from shop.cart.holder import require_own

from .present import present_order
from .schemas import OrderOut, UserOrders

router = Router(tags=["orders"])
PAGE_SIZE = 50


@router.post("/user-orders/", response={200: list[OrderOut], **ERRORS}, auth=signed_in, operation_id="user_orders")
def user_orders(request: CustomerRequest, body: UserOrders) -> list[dict[str, Any]]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    return orders_of(request.user, page=body.page)


def orders_of(customer: Customer, *, page: int = 1) -> list[dict[str, Any]]:
    """One page of the customer's orders, newest first."""
    start = (page - 1) * PAGE_SIZE
    return [present_order(order) for order in customer.orders.for_calls()[start : start + PAGE_SIZE]]
