"""The checkout calls, with the field names of the specification."""

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

from ninja import Schema
from pydantic import Field, create_model

from shop.cart.schemas import Quantity
from shop.http.api import Amount, Body, Id, text
from shop.markets.schemas import MarketBody
from shop.orders.payment_methods import ONLINE, payment_methods
from shop.orders.placing.values import EXTRAS
from shop.orders.schemas import OrderOut

if TYPE_CHECKING:
    PaymentMethodName = str
else:
    PaymentMethodName = Literal[tuple(method.payment_method for method in payment_methods())]
Unit = Annotated[str, text(10)]
Label = Annotated[str, text(120)]
Code = Annotated[str, text(40)]
ProviderId = Annotated[str, text(40, min_length=1)]
Signature = Annotated[str, text(128, min_length=1)]
IdempotencyKey = Annotated[str, text(80, min_length=1)]


class CartItemBody(Body):
    """`currency_amount` is compared; the weights and `inr_amount` are accepted and ignored."""

    product_variant_id: Id
    quantity: Quantity
    currency_amount: Amount | None = None
    selected_attributes: Annotated[dict[Label, Label | None], Field(max_length=20)] | None = None
    inr_amount: Amount | None = None
    weight_actual: Amount | None = None
    weight_unit: Unit | None = None
    weight_percent_inc: Amount | None = None
    weight_shipping: Amount | None = None


if TYPE_CHECKING:
    ExtrasBody = Body
else:
    _TEXTS = {name: (Annotated[str, text(extra.max_length)], "") for name, extra in EXTRAS.items()}
    ExtrasBody = create_model("ExtrasBody", __base__=Body, **_TEXTS)


class SaveOrders(MarketBody, ExtrasBody):
    """`user_id` is the id of one of the caller's own addresses. The amounts are compared."""

    user_id: Id
    sub_total_amt: Amount
    shipping_amt: Amount
    coupon_amt: Amount = Decimal(0)
    total_amount: Amount
    cart_items: Annotated[list[CartItemBody], Field(min_length=1, max_length=100)]
    coupon_code: Code | None = None
    payment_method: PaymentMethodName = ONLINE
    payment_currency: Literal["INR"] | None = None
    awb_number: Code | None = None
    final_package_weight: Amount | None = None


class CheckoutData(Schema):
    """What the provider's window needs; `amount` is whole paise, and null ids mean nothing to pay."""

    razorpay_order_id: str | None
    order_number: str
    amount: int
    currency: str
    key: str


class SaveOrdersOut(Schema):
    data: CheckoutData


class VerifyPayment(Body):
    razorpay_payment_id: ProviderId
    razorpay_order_id: ProviderId
    razorpay_signature: Signature


class VerifyPaymentOut(Schema):
    msg: str
    orders: list[OrderOut]
