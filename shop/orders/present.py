"""Rows of orders as the calls show them. No queries here: callers prefetch (`with_lines`)."""

from typing import Any

from shop.accounts.addresses.fields import ORDER_FIELDS
from shop.catalog.present import image_address
from shop.money import INR, display

from .models import Order, OrderLine
from .placing.reorder import Reordered


def payment_words(order: Order) -> str:
    if not order.total_inr and not order.method.is_collected_on_delivery:
        return "Nothing to pay"
    return order.method.words(is_paid=order.is_paid)


def money_words_of(order: Order) -> str:
    """What happens to the money of an order that is (or would be) cancelled."""
    if not order.is_paid:
        return "You haven't paid for it. If you were charged, we'll refund you in full."
    if order.method.is_collected_on_delivery or not order.total_inr:
        return "Nothing was charged."
    paid = display(order.total_inr, INR)
    return f"We'll refund the {paid} you paid to the card or account it came from. Banks take up to seven working days."


def present_order(order: Order) -> dict[str, Any]:
    return {
        "id": order.number,
        "status": order.get_status_display(),
        "latest_status": order.status,
        "placed_at": order.placed_at or order.created_at,
        "payment_currency": order.currency,
        "sub_total_amt": order.sub_total_amt,
        "shipping_amt": order.shipping_amt,
        "coupon_amt": order.coupon_amt,
        "total_amount": order.total_amount,
        "order_items": [_present_line(line) for line in order.lines.all()],
        "customer_profile": {field.api_name: order.address.get(field.name, "") for field in ORDER_FIELDS},
    }


def present_reordered(again: Reordered) -> dict[str, Any]:
    line = again.line
    return {
        "product": line.variant_id,
        "product_name": line.product_name,
        "product_slug": line.product_slug,
        "quantity": line.quantity,
        "added": again.added,
        "reason": again.reason,
    }


def _present_line(line: OrderLine) -> dict[str, Any]:
    brand = line.variant.product.brand
    return {
        "product_name": line.product_name,
        "product_slug": line.product_slug,
        "brand": {
            "name": line.brand_name,
            "slug": line.brand_slug,
            "img_banner": image_address(brand.img_banner),
            "img_banner_m": image_address(brand.img_banner_m),
        },
        "product_images": [{"name": image_address(line.picture)}] if line.picture else [],
        "quantity": line.quantity,
        "currency_amount": line.unit_amount,
    }
