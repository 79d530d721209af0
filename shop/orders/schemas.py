"""The order calls, with the field names of the specification."""

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from shop.accounts.addresses.fields import ORDER_FIELDS
from shop.accounts.addresses.schemas import with_shown_address
from shop.cart.schemas import CartOut, WhoseCart
from shop.http.api import Money, text
from shop.markets.schemas import MarketBody


class UserOrders(WhoseCart):
    """Whose orders: `user_id` and `cart_id` are compared with the caller's own. 50 orders a page."""

    page: Annotated[int, Field(ge=1, le=10_000)] = 1


class Reorder(MarketBody):
    order: Annotated[str, text(20, min_length=1)]


class OrderedBrandOut(Schema):
    name: str
    slug: str
    img_banner: str
    img_banner_m: str


class ImageOut(Schema):
    name: str


class OrderItemOut(Schema):
    product_name: str
    product_slug: str
    brand: OrderedBrandOut
    product_images: list[ImageOut]
    quantity: int
    currency_amount: Money


@with_shown_address(ORDER_FIELDS)
class ProfileOut(Schema):
    pass


class OrderOut(Schema):
    id: str
    status: str
    latest_status: str
    placed_at: datetime
    payment_currency: str
    sub_total_amt: Money
    shipping_amt: Money
    coupon_amt: Money
    total_amount: Money
    order_items: list[OrderItemOut]
    customer_profile: ProfileOut


class ReorderedOut(Schema):
    """A line of the earlier order: `added` of its `quantity` went into the cart; `reason` says why not all."""

    product: int
    product_name: str
    product_slug: str
    quantity: int
    added: int
    reason: str


class ReorderOut(CartOut):
    lines: list[ReorderedOut]
