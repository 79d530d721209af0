"""What an order keeps of the cart and the address it was made from. Later edits change neither."""

import secrets
import string
from decimal import Decimal
from typing import Any

from django.utils import timezone, translation

from shop.accounts.addresses.fields import FIELD_NAMES
from shop.accounts.models import Address
from shop.cart.totals import CartView, PricedLine
from shop.markets.market import Market
from shop.money import PAISA, quantum, spread
from shop.translated import shop_languages

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
    taken = [view.taken_from(line) for line in view.lines]
    coupon_inr, points_inr = reductions_inr(view)
    shares = _shares(
        view.coupon_amt, taken, view.points_amt, [line.line_amount for line in lines], quantum(view.currency)
    )
    taken_inr = [view.market.to_inr(amount) for amount in taken]
    shares_inr = _shares(coupon_inr, taken_inr, points_inr, [line.line_inr for line in lines], PAISA)
    points = spread(Decimal(view.points_used), [line.line_inr for line in lines], Decimal(1))
    for line, share, share_inr, used in zip(lines, shares, shares_inr, points, strict=True):
        line.reduction_amt, line.reduction_inr, line.points_used = share, share_inr, int(used)
    return lines


def _shares(
    coupon: Decimal, taken: list[Decimal], points: Decimal, costs: list[Decimal], unit: Decimal
) -> list[Decimal]:
    """Each line's share of a discount, by what of it the discount is taken from, and of the points, by what the
    line costs then; together never more than it costs."""
    of_coupon = spread(coupon, taken, unit)
    left = [cost - share for cost, share in zip(costs, of_coupon, strict=True)]
    return [sum(both, Decimal(0)) for both in zip(of_coupon, spread(points, left, unit), strict=True)]


def reductions_inr(view: CartView) -> tuple[Decimal, Decimal]:
    """(coupon, points) in INR: shown amount x rate.

    Where nothing is left to pay of the goods, they take off what the lines cost in INR: roundings
    by line must not leave some paise to be charged.
    """
    coupon, points = view.market.to_inr(view.coupon_amt), view.market.to_inr(view.points_amt)
    orderable = [line for line in view.lines if not line.problem]
    goods = sum((view.market.to_inr(line.line_total) for line in orderable), Decimal(0))
    is_free = view.coupon_amt + view.points_amt >= view.sub_total
    if is_free:
        return goods - points, points
    taken = sum((view.market.to_inr(view.taken_from(line)) for line in orderable), Decimal(0))
    return min(coupon, taken, goods - points), points


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
        translations={language: texts for language in shop_languages() if (texts := _texts_in(language, line))},
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
        return_days=product.category.max_return_days,
        hsn=product.hsn_id or "",
        gst_percent=gst.get(product.hsn_id or ""),
    )


def _texts_in(language: str, line: PricedLine) -> dict[str, str]:
    """The texts of an order line that are not the English ones in a language."""
    english = {"product_name": line.product.name, "brand_name": line.product.brand.name, **_facts(line.attributes)}
    with translation.override(language):
        names = {"product_name": line.product.translated.name, "brand_name": line.product.brand.translated.name}
        texts = names | _facts(line.shown_attributes)
    return {name: text for name, text in texts.items() if text != english[name]}


def _facts(attributes: dict[str, str]) -> dict[str, str]:
    line = OrderLine(attributes=attributes)
    return {"facts": line.facts, "options": line.options}


def charged_inr(view: CartView) -> Decimal:
    """What will be charged: INR of each line, of shipping and of each reduction; a total is never converted."""
    parts = [line.line_total for line in view.lines if not line.problem] + [view.shipping]
    return sum((view.market.to_inr(part) for part in parts), -sum(reductions_inr(view), Decimal(0)))
