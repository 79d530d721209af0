"""What an order keeps of the cart and the address it was made from. Later edits change neither."""

import secrets
import string
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from shop.accounts.addresses.fields import FIELD_NAMES
from shop.accounts.models import Address
from shop.cart.totals import CartView, PricedLine
from shop.catalog.products.return_windows import return_days_of
from shop.markets.geography.local_time import delivery_starts
from shop.markets.market import Market
from shop.money import PAISA, quantum, spread

from ..models import Order, OrderLine
from ..tax.gst import percents_on

NUMBER_ALPHABET = string.ascii_uppercase + string.digits


def new_order_number() -> str:
    """ORD- and nine random upper-case letters or digits."""
    return "ORD-" + "".join(secrets.choice(NUMBER_ALPHABET) for _ in range(9))


def copy_address(address: Address) -> dict[str, Any]:
    return address.as_fields() | {"country": address.country.name, "country_code": address.country.code}


def address_of(order: Order) -> Address:
    """An order's copy as an address, to be shown in a form; never saved."""
    fields = {name: order.address.get(name, "") for name in FIELD_NAMES}
    return Address(customer_id=order.customer_id, country=order.location, **fields)


def copy_lines(view: CartView) -> list[OrderLine]:
    """Unsaved order lines of a priced cart, with INR of each line = shown amount x rate, and each with
    its share of what coupon and points take off."""
    gst = percents_on(timezone.localdate(), (line.product.hsn_id for line in view.lines))
    lines = [_copy_line(line, view.market, gst) for line in view.lines]
    off, off_inr = view.coupon_amt + view.points_amt, sum(reductions_inr(view), Decimal(0))
    shares = spread(off, [line.line_amount for line in lines], quantum(view.currency))
    shares_inr = spread(off_inr, [line.line_inr for line in lines], PAISA)
    points = spread(Decimal(view.points_used), [line.line_inr for line in lines], Decimal(1))
    for line, share, share_inr, used in zip(lines, shares, shares_inr, points, strict=True):
        line.reduction_amt, line.reduction_inr, line.points_used = share, share_inr, int(used)
    return lines


def reductions_inr(view: CartView) -> tuple[Decimal, Decimal]:
    """(coupon, points) in INR: shown amount x rate.

    Where nothing is left to pay of the goods, they take off what the lines cost in INR: roundings
    by line must not leave some paise to be charged.
    """
    coupon, points = view.market.to_inr(view.coupon_amt), view.market.to_inr(view.points_amt)
    goods = sum((view.market.to_inr(line.line_total) for line in view.lines if not line.problem), Decimal(0))
    is_free = view.coupon_amt + view.points_amt >= view.sub_total
    coupon = goods - points if is_free else min(coupon, goods - points)
    return coupon, points


def _copy_line(line: PricedLine, market: Market, gst: dict[str, Decimal]) -> OrderLine:
    variant, product = line.variant, line.product
    fixed = next(iter(getattr(variant, "market_prices", ())), None)
    return OrderLine(
        variant=variant,
        product_name=product.name,
        product_slug=product.slug,
        brand_name=product.brand.name,
        brand_slug=product.brand.slug,
        sku=variant.sku,
        attributes=line.attributes,
        picture=line.picture,
        quantity=line.quantity,
        unit_amount=line.price.selling,
        unit_actual_amount=line.price.actual,
        line_amount=line.line_total,
        line_inr=market.to_inr(line.line_total),
        list_price_inr=variant.selling_price,
        fixed_price=fixed.selling_price if fixed else None,
        home_rate=market.home_rate,
        is_returnable=product.is_returnable,
        return_days=return_days_of(product.category),
        hsn=product.hsn_id or "",
        gst_percent=gst.get(product.hsn_id or ""),
    )


def expected_delivery(view: CartView, extra_days: int = 0) -> date:
    """The day the slowest line arrives: dispatch, the larger of buffer and transit days, and what the
    address takes longer."""
    days = max(
        line.product.dispatch_max_day + max(line.product.buffer_delivery_day, view.market.transit_days)
        for line in view.lines
    )
    return delivery_starts(view.market) + timedelta(days=days + extra_days)


def charged_inr(view: CartView) -> Decimal:
    """What will be charged: INR of each line, of shipping and of each reduction; a total is never converted."""
    parts = [line.line_total for line in view.lines if not line.problem] + [view.shipping]
    return sum((view.market.to_inr(part) for part in parts), -sum(reductions_inr(view), Decimal(0)))
