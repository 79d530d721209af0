from typing import Any

from ninja import Router

from shop.accounts.addresses.fields import ADDRESS_FIELDS
from shop.accounts.models import Customer
from shop.accounts.requests import CustomerRequest
from shop.backoffice.actors import customer_actor
from shop.cart.holder import require_own
from shop.cart.present import present_cart
from shop.cart.services import open_cart
from shop.cart.totals import price_cart
from shop.errors import NotFound
from shop.http.api import ERRORS, signed_in
from shop.markets.services import market_named

from .models import Order
from .placing.address_change import change_address
from .placing.reorder import reorder
from .present import present_order, present_reordered
from .returns.cancellation import cancel_units
from .schemas import CancelItems, ChangeAddress, OrderOut, Reorder, ReorderOut, UserOrders

router = Router(tags=["orders"])
PAGE_SIZE = 50


@router.post("/user-orders/", response={200: list[OrderOut], **ERRORS}, auth=signed_in, operation_id="user_orders")
def user_orders(request: CustomerRequest, body: UserOrders) -> list[dict[str, Any]]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    return orders_of(request.user, page=body.page)


@router.post("/reorder/", response={200: ReorderOut, **ERRORS}, auth=signed_in, operation_id="reorder")
def order_again(request: CustomerRequest, body: Reorder) -> dict[str, Any]:
    """The lines of an earlier order go into the cart at today's prices; the answer says of each what could not."""
    order = _own_order(request, body.order)
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    cart = open_cart(request.user)
    lines = reorder(order, cart, market)
    return present_cart(price_cart(cart, market)) | {"lines": [present_reordered(line) for line in lines]}


@router.post(
    "/cancel-order-items/", response={200: OrderOut, **ERRORS}, auth=signed_in, operation_id="cancel_order_items"
)
def cancel_order_items(request: CustomerRequest, body: CancelItems) -> dict[str, Any]:
    """Cancel units of single items until the order is packed; with the last of all the whole order is cancelled."""
    order = _own_order(request, body.order)
    totals = {item.id: item.cancelled for item in body.items}
    cancel_units(order, totals, actor=customer_actor(request.user.pk))
    return _answer(request, order)


@router.post(
    "/update-order-address/", response={200: OrderOut, **ERRORS}, auth=signed_in, operation_id="update_order_address"
)
def update_order_address(request: CustomerRequest, body: ChangeAddress) -> dict[str, Any]:
    """Another address in the same country, or another phone, until the order is packed. What was paid stays."""
    order = _own_order(request, body.order)
    sent = {field.name: getattr(body, field.api_name) for field in ADDRESS_FIELDS}
    fields = {name: value for name, value in sent.items() if value is not None}
    change_address(order, fields, actor=customer_actor(request.user.pk))
    return _answer(request, order)


def _own_order(request: CustomerRequest, number: str) -> Order:
    order: Order | None = request.user.orders.filter(number=number).first()
    if order is None:
        raise NotFound()
    return order


def _answer(request: CustomerRequest, order: Order) -> dict[str, Any]:
    return present_order(request.user.orders.for_api().get(pk=order.pk))


def orders_of(customer: Customer, *, page: int = 1) -> list[dict[str, Any]]:
    """One page of the customer's orders, newest first."""
    start = (page - 1) * PAGE_SIZE
    return [present_order(order) for order in customer.orders.for_api()[start : start + PAGE_SIZE]]
