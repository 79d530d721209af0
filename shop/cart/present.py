"""A priced cart as the calls show it."""

from typing import Any

from django.utils.translation import gettext

from shop.catalog.categories.tree import UNCATEGORIZED
from shop.catalog.present import present_variant

from .totals import CartView, PricedLine


def present_cart(view: CartView) -> dict[str, Any]:
    return {
        "cart": {"id": view.cart.public_id if view.cart else None},
        "cart_items": [_present_line(line, view) for line in view.lines],
        "saved_items": [_present_line(line, view) for line in view.saved],
        "slabs": [{"converted_tieramt": tier, "converted_tiershipcost": cost} for tier, cost in view.slabs],
        "cart_count": view.count,
        "currency": view.currency,
        "symbol": view.market.symbol,
        "sub_total_amt": view.sub_total,
        "shipping_amt": view.shipping,
        "coupon_code": view.coupon_code,
        "coupon_amt": view.coupon_amt,
        "coupon_text": view.coupon.coupon.translated.description if view.coupon else "",
        "coupon_problem": view.coupon_problem,
        "points_balance": view.points_balance,
        "points_allowed": view.points_allowed,
        "points_used": view.points_used,
        "points_amt": view.points_amt,
        "total_amount": view.total,
        "display": _display(view),
    }


def _present_line(line: PricedLine, view: CartView) -> dict[str, Any]:
    product = line.product
    return {
        "id": line.line.pk,
        "product": line.variant.pk,
        "product_slug": product.slug,
        "product_name": product.translated.name,
        "product_title": product.shown_title,
        "product_brand": product.brand.translated.name,
        "product_brand_slug": product.brand.slug,
        "product_category": line.categories[-1].translated.name if line.categories else gettext(UNCATEGORIZED),
        "product_varients": [present_variant(line.variant, view.market)],
        "quantity": line.quantity,
        "choices": list(line.choices),
        "line_total": line.line_total,
        "problem": line.problem,
        "note": line.note,
    }


def _display(view: CartView) -> dict[str, Any]:
    """The same amounts as people read them, so that no client formats money."""
    show = view.market.display
    return {
        "sub_total": show(view.sub_total),
        "shipping": view.shipping_text,
        "coupon": view.coupon_text,
        "discount_label": view.discount_label,
        "shipping_note": view.shipping_note,
        "offer": view.offer_text,
        "points": view.points_text,
        "points_offer": view.points_offer,
        "total": show(view.total),
        "lines": {str(line.variant.pk): line.amount_text for line in [*view.lines, *view.saved]},
        "next_tier": view.next_tier_text,
        "arrival": view.arrival_text,
        "arrivals": view.arrival_texts,
    }
