"""Rows of orders as the calls show them. No queries here: callers prefetch (`with_lines`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext

from shop.accounts.addresses.fields import ORDER_FIELDS
from shop.catalog.present import image_address
from shop.money import INR, display

from .models import Order, OrderLine
from .placing.reorder import Reordered
from .returns.refundable import refundable
from .signals import asking_before_packing, asking_refunds


@dataclass(frozen=True, slots=True)
class ShownRefund:
    """Money that goes back, as the customer reads it; `of_total`: it was paid for the order, and is not a payment
    too many; `was_paid`: False where nobody paid it at the door."""

    amount_inr: Decimal
    at: datetime
    label: str
    tone: str
    words: str
    reason: str
    of_total: bool
    was_paid: bool = True


@dataclass(frozen=True, slots=True)
class Refunds:
    """All that goes back of an order, and what is left of its INR total; `refused_inr` are units that were refused at
    the door, `collected_inr` what was paid there instead of the total (None: the total, or nothing yet)."""

    shown: list[ShownRefund]
    refunded_inr: Decimal
    left_inr: Decimal
    refused_inr: Decimal
    collected_inr: Decimal | None


def refunds_of(order: Order) -> Refunds:
    answers: list[Any] = [answer for _, answer in asking_refunds.send(Order, order=order)]
    shown = [refund for answer in answers for refund in answer]
    refunded = _sum(refund for refund in shown if refund.of_total and refund.was_paid)
    unpaid = _sum(refund for refund in shown if refund.of_total and not refund.was_paid)
    return Refunds(
        shown,
        refunded_inr=refunded,
        left_inr=order.total_inr - unpaid - refunded,
        refused_inr=max(unpaid - order.cancelled_inr, Decimal(0)),
        collected_inr=order.total_inr - unpaid if unpaid else None,
    )


def _sum(refunds: Iterable[ShownRefund]) -> Decimal:
    return sum((refund.amount_inr for refund in refunds), Decimal(0))


def before_packing(order: Order) -> list[str]:
    """What happens before a placed order is packed, in words."""
    answers: list[Any] = asking_before_packing.send(Order, order=order)
    return [words for _, words in answers if words]


def payment_words(order: Order) -> str:
    if not order.total_inr and not order.method.is_collected_on_delivery:
        return gettext("Nothing to pay")
    return order.method.words(is_paid=order.is_paid)


def money_words_of(order: Order) -> str:
    """What happens to the money of an order that is (or would be) cancelled."""
    if not order.is_paid:
        return gettext("You haven't paid for it. If you were charged, we'll refund you in full.")
    if order.method.is_collected_on_delivery or not order.total_inr:
        return gettext("Nothing was charged.")
    left = sum(refundable(order).values(), Decimal(0))
    if not left:
        return gettext("Everything you paid has already been refunded.")
    words = (
        gettext("We'll refund the %(amount)s you paid to the card or account it came from.")
        if left == order.total_inr
        else gettext("We'll refund the remaining %(amount)s to the card or account it came from.")
    )
    how_long = gettext("Banks take up to seven working days.")
    return f"{words % {'amount': display(left, INR)}} {how_long}"


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
        "product_name": line.translated.product_name,
        "product_slug": line.product_slug,
        "quantity": line.quantity,
        "added": again.added,
        "reason": again.reason,
    }


def _present_line(line: OrderLine) -> dict[str, Any]:
    brand = line.variant.product.brand
    return {
        "id": line.pk,
        "product_name": line.translated.product_name,
        "product_slug": line.product_slug,
        "brand": {
            "name": line.translated.brand_name,
            "slug": line.brand_slug,
            "img_banner": image_address(brand.img_banner),
            "img_banner_m": image_address(brand.img_banner_m),
        },
        "product_images": [{"name": image_address(line.picture)}] if line.picture else [],
        "quantity": line.quantity,
        "cancelled": line.cancelled,
        "currency_amount": line.unit_amount,
        "batches": [copy for shipped in line.shipped.all() for copy in shipped.batches if copy["number"]],
    }
