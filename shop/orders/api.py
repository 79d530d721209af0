from typing import Any

from ninja import Router

from shop.accounts.models import Customer
from shop.accounts.requests import CustomerRequest
from shop.cart.holder import require_own
from shop.cart.present import present_cart
from shop.cart.services import open_cart
from shop.cart.totals import price_cart
from shop.errors import NotFound
from shop.http.api import ERRORS, signed_in
from shop.markets.services import market_named

from .placing.reorder import reorder
from .present import present_order, present_reordered
from .schemas import OrderOut, Reorder, ReorderOut, UserOrders

router = Router(tags=["orders"])
PAGE_SIZE = 50


@router.post("/user-orders/", response={200: list[OrderOut], **ERRORS}, auth=signed_in, operation_id="user_orders")
def user_orders(request: CustomerRequest, body: UserOrders) -> list[dict[str, Any]]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    return orders_of(request.user, page=body.page)


@router.post("/reorder/", response={200: ReorderOut, **ERRORS}, auth=signed_in, operation_id="reorder")
def order_again(request: CustomerRequest, body: Reorder) -> dict[str, Any]:
    """The lines of an earlier order go into the cart at today's prices; the answer says of each what could not."""
    order = request.user.orders.filter(number=body.order).first()
    if order is None:
        raise NotFound()
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    cart = open_cart(request.user)
    lines = reorder(order, cart, market)
    return present_cart(price_cart(cart, market)) | {"lines": [present_reordered(line) for line in lines]}


def orders_of(customer: Customer, *, page: int = 1) -> list[dict[str, Any]]:
    """One page of the customer's orders, newest first."""
    start = (page - 1) * PAGE_SIZE
    return [present_order(order) for order in customer.orders.for_api()[start : start + PAGE_SIZE]]
