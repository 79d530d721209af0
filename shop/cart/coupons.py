"""What a coupon takes off a cart, why it may not, and the counting of its uses."""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.formats import date_format

from shop.accounts.models import Customer
from shop.errors import Invalid, ShopError
from shop.markets.geography.local_time import in_zone_of
from shop.markets.market import Market
from shop.money import round_money

from .models import Cart, Coupon, CouponUse

logger = logging.getLogger(__name__)


class CouponRefused(ShopError):
    """The coupon exists and does not apply; the message says why."""

    code = "coupon_refused"


@dataclass(frozen=True)
class AppliedCoupon:
    """A cart's coupon: what it takes off in the market's currency, or the reason in words why nothing."""

    coupon: Coupon
    amount: Decimal
    refusal: str


STATES = {
    "active": "Active",
    "scheduled": "Not started",
    "expired": "Expired",
    "used_up": "Used up",
    "off": "Switched off",
}


def with_state(coupons: QuerySet[Coupon]) -> QuerySet[Coupon]:
    """With `state`, a key of STATES: why nobody can use a coupon now, or that somebody can."""
    now = timezone.now()
    return coupons.annotate(
        state=Case(
            When(is_active=False, then=Value("off")),
            When(starts_at__gt=now, then=Value("scheduled")),
            When(ends_at__lte=now, then=Value("expired")),
            When(uses__gte=F("total_limit"), then=Value("used_up")),
            default=Value("active"),
        )
    )


def canonical_code(typed: str) -> str:
    return re.sub(r"[\s\x00]+", "", typed).upper()[:40]


def find_coupon(typed: str) -> Coupon:
    """The coupon of a code in any spelling; raises Invalid when there is none."""
    coupon = Coupon.objects.filter(code=canonical_code(typed), is_active=True).first()
    if coupon is None:
        words = "This coupon is not valid." if typed.strip() else "Enter a coupon code."
        raise Invalid(words, fields={"coupon_code": [words]})
    return coupon


def apply_coupon(cart: Cart | None, market: Market, sub_total: Decimal) -> AppliedCoupon | None:
    if cart is None or cart.coupon is None:
        return None
    refusal = refusal_of(cart.coupon, market, sub_total, cart.customer)
    return AppliedCoupon(cart.coupon, Decimal(0) if refusal else _amount(cart.coupon, market, sub_total), refusal)


def refusal_of(coupon: Coupon, market: Market, sub_total: Decimal, customer: Customer | None) -> str:
    """Why the coupon does not apply to goods of this value, in words; empty when it does.

    An unpaid order of the customer that took it already does not stand in its own way.
    """
    now = timezone.now()
    minimum = market.from_inr(coupon.minimum_inr)
    places = list(coupon.locations.values_list("pk", flat=True))
    if not coupon.is_active:
        return "This coupon is not valid."
    if coupon.starts_at > now:
        return f"This coupon is valid from {date_format(in_zone_of(market, coupon.starts_at), 'j F Y')}."
    if coupon.ends_at and coupon.ends_at <= now:
        return "This coupon has expired."
    if places and market.location_id not in places:
        return f"This coupon is not valid for orders to {market.country_name}."
    if sub_total < minimum:
        missing = market.display(minimum - sub_total)
        return f"This coupon is for orders of {market.display(minimum)} or more. Add {missing} more to use it."
    return _used_up(coupon, customer)


def _used_up(coupon: Coupon, customer: Customer | None) -> str:
    own = list(coupon.taken.filter(customer=customer).values_list("is_placed", flat=True)) if customer else []
    waiting = own.count(False)
    if coupon.total_limit is not None and coupon.uses - waiting >= coupon.total_limit:
        return "This coupon has reached its limit."
    if coupon.customer_limit is not None and len(own) - waiting >= coupon.customer_limit:
        return "You have already used this coupon."
    return ""


def _amount(coupon: Coupon, market: Market, sub_total: Decimal) -> Decimal:
    if coupon.percent is None:
        return min(market.from_inr(coupon.amount_inr or Decimal(0)), sub_total)
    off = round_money(sub_total * coupon.percent / 100, market.currency)
    return off if coupon.most_inr is None else min(off, market.from_inr(coupon.most_inr))


def take(coupon: Coupon, customer: Customer, *, reference: str) -> None:
    """Count a use for an order, within both limits; raises CouponRefused where another was faster.

    One conditional update counts all customers' uses; the caller's lock on the customer's row
    counts their own.
    """
    if coupon.customer_limit is not None and uses_by(customer, coupon) >= coupon.customer_limit:
        raise CouponRefused("You have already used this coupon.")
    free = Q(total_limit=None) | Q(uses__lt=F("total_limit"))
    if not Coupon.objects.filter(free, pk=coupon.pk).update(uses=F("uses") + 1):
        raise CouponRefused("This coupon has reached its limit.")
    CouponUse.objects.create(coupon=coupon, customer=customer, reference=reference)


def uses_by(customer: Customer, coupon: Coupon) -> int:
    return CouponUse.objects.filter(coupon=coupon, customer=customer).count()


def keep(*, reference: str) -> None:
    """The order that took a coupon was placed."""
    CouponUse.objects.filter(reference=reference).update(is_placed=True)


def give_back(*, reference: str) -> None:
    """The order that took a coupon was cancelled; nothing happens where none was taken."""
    for use in CouponUse.objects.filter(reference=reference):
        if CouponUse.objects.filter(pk=use.pk).delete()[0]:
            counted = Coupon.objects.filter(pk=use.coupon_id, uses__gt=0).update(uses=F("uses") - 1)
            if not counted:  # check_shop finds it; what is taken back is not held up by it
                logger.error("coupon %s counts no use although %s took one", use.coupon_id, reference)


def lock(codes: Iterable[str]) -> None:
    """Who gives one coupon back and takes another locks both first, in one order."""
    list(Coupon.objects.select_for_update(no_key=True).filter(code__in=list(codes)).order_by("pk").values("pk"))
