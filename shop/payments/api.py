from typing import Annotated, Any

from ninja import Header, Router

from shop.accounts.models import Address
from shop.accounts.requests import CustomerRequest
from shop.cart.coupons import canonical_code
from shop.cart.holder import current_cart
from shop.cart.present import present_cart
from shop.errors import NotFound
from shop.http.api import ERRORS, repeat_message, signed_in
from shop.markets.services import market_named
from shop.money import INR, to_paise
from shop.orders.api import orders_of
from shop.orders.placing.services import CheckoutChanged
from shop.orders.placing.values import EXTRAS, PlaceOrder, SubmittedTotals

from .providers.registry import online_provider
from .schemas import CartItemBody, IdempotencyKey, SaveOrders, SaveOrdersOut, VerifyPayment, VerifyPaymentOut
from .services import check_out, verify_payment

router = Router(tags=["payments"])
repeat_message("/verify-razorpay-payment/", "msg")


@router.post("/save-orders/", response={200: SaveOrdersOut, **ERRORS}, auth=signed_in, operation_id="save_orders")
def save_orders(
    request: CustomerRequest,
    body: SaveOrders,
    idempotency_key: Annotated[IdempotencyKey | None, Header(alias="Idempotency-Key")] = None,
) -> dict[str, Any]:
    """Place the order of the cart and make its payment ready. A refusal for a change carries the
    cart at today's prices, shaped like get-cart."""
    try:
        order, payment = check_out(_place_order(request, body, idempotency_key))
    except CheckoutChanged as refusal:
        refusal.extra |= present_cart(refusal.view)
        raise
    return {
        "data": {
            "razorpay_order_id": payment.razorpay_order_id if payment else None,
            "order_number": order.number,
            "amount": payment.amount_paise if payment else to_paise(order.total_inr),
            "currency": payment.currency if payment else INR,
            "key": online_provider().public_key,
        }
    }


def _place_order(request: CustomerRequest, body: SaveOrders, idempotency_key: str | None) -> PlaceOrder:
    return PlaceOrder(
        customer=request.user,
        address=_own_address(request, body.user_id),
        cart=current_cart(request),
        market=market_named(body.deliver_to, body.currency, fallback=request.market),
        submitted=_submitted_totals(body),
        payment_method=body.payment_method,
        idempotency_key=idempotency_key,
        **{name: getattr(body, name) for name in EXTRAS},
    )


def _own_address(request: CustomerRequest, address_id: int) -> Address:
    address = request.user.addresses.select_related("country").filter(pk=address_id).first()
    if address is None:
        raise NotFound()
    return address


def _submitted_totals(body: SaveOrders) -> SubmittedTotals:
    names = ("sub_total_amt", "shipping_amt", "coupon_amt", "total_amount")
    return SubmittedTotals(
        amounts={name: getattr(body, name) for name in names},
        quantities=_summed(body.cart_items),
        unit_amounts={
            item.product_variant_id: item.currency_amount
            for item in body.cart_items
            if item.currency_amount is not None
        },
        coupon_code=None if body.coupon_code is None else canonical_code(body.coupon_code),
    )


def _summed(items: list[CartItemBody]) -> dict[int, int]:
    """Lines that name one variant twice draw on the same stock."""
    quantities: dict[int, int] = {}
    for item in items:
        quantities[item.product_variant_id] = quantities.get(item.product_variant_id, 0) + item.quantity
    return quantities


@router.post(
    "/verify-razorpay-payment/",
    response={200: VerifyPaymentOut, **ERRORS},
    auth=signed_in,
    operation_id="verify_razorpay_payment",
)
def verify_razorpay_payment(request: CustomerRequest, body: VerifyPayment) -> dict[str, Any]:
    verify_payment(
        razorpay_order_id=body.razorpay_order_id,
        razorpay_payment_id=body.razorpay_payment_id,
        signature=body.razorpay_signature,
        customer=request.user,
    )
    return {"msg": "Order Placed Successfully", "orders": orders_of(request.user)}
