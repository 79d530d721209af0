"""The cart calls, with the field names of the specification."""

import uuid
from typing import Annotated

from ninja import Schema
from pydantic import Field

from shop.catalog.schemas import VariantOut
from shop.http.api import Id, Money, text
from shop.markets.schemas import MarketBody

CartId = Annotated[str, text(40)]
CouponCode = Annotated[str, text(60)]
Quantity = Annotated[int, Field(ge=1, le=100)]


class AddToCart(MarketBody):
    product: Id
    quantity: Quantity = 1
    user: Id | None = None


class WhoseCart(MarketBody):
    user_id: Id | None = None
    cart_id: CartId | None = None


class ChangeQuantity(WhoseCart):
    product_id: Id
    quantity: Quantity


class DeleteFromCart(WhoseCart):
    product_ids: Annotated[list[Id], Field(min_length=1, max_length=100)]


class OfLine(WhoseCart):
    product_id: Id


class ApplyCoupon(WhoseCart):
    coupon_code: CouponCode


class UsePoints(WhoseCart):
    use_points: bool


class CartKey(Schema):
    id: uuid.UUID | None


class SlabOut(Schema):
    converted_tieramt: Money
    converted_tiershipcost: Money


class CartItemOut(Schema):
    id: int
    product: int
    product_slug: str
    product_name: str
    product_title: str
    product_brand: str
    product_brand_slug: str
    product_category: str
    product_varients: list[VariantOut]
    quantity: int
    choices: list[int]
    line_total: Money
    problem: str
    note: str


class CartDisplay(Schema):
    """The amounts as people read them; `lines` and `arrivals` by variant id. `next_tier`, `points_offer`,
    `shipping_note`, `offer` and `arrival` are blank when nothing is to be said; `arrivals` are empty where all lines
    arrive together."""

    sub_total: str
    shipping: str
    coupon: str
    discount_label: str
    shipping_note: str
    offer: str
    points: str
    points_offer: str
    total: str
    lines: dict[str, str]
    next_tier: str
    arrival: str
    arrivals: dict[str, str]


class CartOut(Schema):
    """`coupon_text` describes the coupon of the cart, `coupon_problem` says why it takes nothing off.
    `points_allowed` are those of the balance that this cart may use."""

    cart: CartKey
    cart_items: list[CartItemOut]
    saved_items: list[CartItemOut]
    slabs: list[SlabOut]
    cart_count: int
    currency: str
    symbol: str
    sub_total_amt: Money
    shipping_amt: Money
    coupon_code: str
    coupon_amt: Money
    coupon_text: str
    coupon_problem: str
    points_balance: int
    points_allowed: int
    points_used: int
    points_amt: Money
    total_amount: Money
    display: CartDisplay


class ToastOut(Schema):
    kind: str
    message: str


class OwnCountry(Schema):
    code: str
    name: str


class MeOut(Schema):
    """`cart_lines` are pieces by variant id, so that cards which are the same for everyone know the cart;
    `wished` are the products of the wishlist; `language` is the one that was picked, or empty."""

    signed_in: bool
    id: int | None
    name: str
    country: OwnCountry | None
    language: str
    cart_count: int
    cart_lines: dict[int, int]
    wished: list[int]
    toasts: list[ToastOut]
