"""The order calls, with the field names of the specification."""

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from shop.accounts.addresses.fields import ORDER_FIELDS
from shop.accounts.addresses.schemas import with_shown_address, with_typed_address
from shop.cart.schemas import CartOut, WhoseCart
from shop.http.api import Body, Money, text
from shop.markets.schemas import MarketBody


class UserOrders(WhoseCart):
    """Whose orders: `user_id` and `cart_id` are compared with the caller's own. 50 orders a page."""

    page: Annotated[int, Field(ge=1, le=10_000)] = 1


class Reorder(MarketBody):
    order: Annotated[str, text(20, min_length=1)]


class CancelledItem(Body):
    """`cancelled`: how many units of the item are to be cancelled in all; sent twice it cancels once."""

    id: Annotated[int, Field(ge=1, le=2**62)]
    cancelled: Annotated[int, Field(ge=0, le=10_000)]


class CancelItems(Body):
    order: Annotated[str, text(20, min_length=1)]
    items: Annotated[list[CancelledItem], Field(min_length=1, max_length=100)]


@with_typed_address
class ChangeAddress(Body):
    """What is left out stays as it is; the country cannot change."""

    order: Annotated[str, text(20, min_length=1)]


class OrderedBrandOut(Schema):
    name: str
    slug: str
    img_banner: str
    img_banner_m: str


class ImageOut(Schema):
    name: str


class BatchOut(Schema):
    """Units of a batch that parcels took to the customer, replacements among them; `expires` is ISO 8601."""

    number: str
    expires: str
    units: int


class OrderItemOut(Schema):
    """`cancelled` units are among the quantity; `batches` are of what is tracked by batch, once it is sent."""

    id: int
    product_name: str
    product_slug: str
    brand: OrderedBrandOut
    product_images: list[ImageOut]
    quantity: int
    cancelled: int
    currency_amount: Money
    batches: list[BatchOut]


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
