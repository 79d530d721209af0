"""Discounts, by a code or automatic: what they take off a cart, why they may not, and the counting of their uses.

One applies to a cart, the one that saves the most. Amounts are in the market's currency.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Case, F, Model, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.models import Customer
from shop.catalog.categories.tree import category_tree
from shop.errors import Invalid, ShopError
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.invalidation.subscriptions import remembered
from shop.markets.geography.local_time import in_zone_of
from shop.markets.market import Market
from shop.money import round_money

from .models import Cart, Coupon, CouponUse
from .signals import has_ordered

logger = logging.getLogger(__name__)
Kind = Coupon.Kind
MAX_OFFERS = 3
MAX_CANDIDATES = 10  # each is asked about by itself
NONE = Decimal(0)


class CouponRefused(ShopError):
    """The coupon exists and does not apply; the message says why."""

    code = "coupon_refused"


@dataclass(frozen=True, slots=True)
class Goods:
    """So many units of a variant at one price, as a discount looks at them."""

    variant_id: int
    product_id: int
    brand_id: int
    category_id: int
    unit: Decimal
    quantity: int

    @property
    def amount(self) -> Decimal:
        return self.unit * self.quantity


@dataclass(frozen=True)
class Basket:
    """What a cart would cost without any discount, and whose it is."""

    market: Market
    goods: tuple[Goods, ...]
    shipping: Decimal = NONE
    customer: Customer | None = None


@dataclass(frozen=True)
class Scope:
    """What a discount is for; where nothing is named, everything of that kind."""

    locations: frozenset[int] = frozenset()
    products: frozenset[int] = frozenset()
    categories: frozenset[int] = frozenset()
    brands: frozenset[int] = frozenset()

    @property
    def is_limited(self) -> bool:
        return bool(self.products or self.categories or self.brands)

    def includes(self, product_id: int, brand_id: int, category_id: int) -> bool:
        if not self.is_limited or product_id in self.products or brand_id in self.brands:
            return True
        return bool(self.categories) and not self.categories.isdisjoint(_with_parents(category_id))


def _with_parents(category_id: int | None) -> Iterable[int]:
    tree = category_tree()
    while category_id in tree:
        yield category_id
        category_id = tree[category_id].parent_id


@dataclass(frozen=True)
class Saving:
    """What a discount takes off the goods, and how much of each line (by variant) it is taken from: the amount is
    shared out in that proportion, and is never more."""

    amount: Decimal = NONE
    of_lines: Mapping[int, Decimal] = field(default_factory=dict)
    shipping: Decimal = NONE

    @property
    def total(self) -> Decimal:
        return self.amount + self.shipping


@dataclass(frozen=True)
class AppliedCoupon:
    """A discount and its saving, or the reason in words why it takes nothing off."""

    coupon: Coupon
    saving: Saving = Saving()
    refusal: str = ""

    @property
    def amount(self) -> Decimal:
        return self.saving.amount


@dataclass(frozen=True)
class CouponOffer:
    """A code that a cart qualifies for, and what it would save in the market's currency."""

    coupon: Coupon
    amount: Decimal


STATES = {
    "active": gettext_lazy("Active"),
    "scheduled": gettext_lazy("Not started"),
    "expired": gettext_lazy("Expired"),
    "used_up": gettext_lazy("Used up"),
    "off": gettext_lazy("Switched off"),
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
    coupon = Coupon.objects.filter(code=canonical_code(typed), is_active=True, is_automatic=False).first()
    if coupon is None:
        words = gettext("This coupon is not valid.") if typed.strip() else gettext("Enter a coupon code.")
        raise Invalid(words, fields={"coupon_code": [words]})
    return coupon


# --- Which there are -------------------------------------------------------------------------------


def scopes_of(coupon_ids: Iterable[int]) -> dict[int, Scope]:
    """What coupons are for, by their ids, in one query."""
    ids = list(coupon_ids)
    parts = [
        getattr(Coupon, name).through.objects.filter(coupon_id__in=ids)
        .annotate(part=Value(name)).values_list("part", "coupon_id", column)
        for name, column in (
            ("locations", "location_id"), ("products", "product_id"), ("categories", "category_id"),
            ("brands", "brand_id"),
        )
    ]  # fmt: skip
    found: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for part, coupon_id, pk in parts[0].union(*parts[1:], all=True):
        found[coupon_id][part].add(pk)
    return {pk: Scope(**{part: frozenset(ids) for part, ids in named.items()}) for pk, named in found.items()}


@transaction.atomic
def remove_from_scopes(part: str, row: Model) -> None:
    """`row` (one of a `part`: a product, category, brand or location) is about to be deleted. Discounts go on being
    for the rest; one that would be for everything from now on is switched off. Locks the discounts; writes
    `is_active` and their scopes."""
    for coupon in Coupon.objects.select_for_update(no_key=True).filter(**{part: row}).order_by("pk"):
        getattr(coupon, part).remove(row)
        scope = scopes_of([coupon.pk]).get(coupon.pk, Scope())
        is_for_all = not scope.locations if part == "locations" else not scope.is_limited
        if coupon.is_active and is_for_all:
            logger.warning("coupon %s is switched off: all it was for was deleted", coupon.code)
            coupon.is_active = False
            coupon.save(update_fields=["is_active"])


@remembered("shop")
def standing_offers() -> tuple[tuple[Coupon, Scope], ...]:
    """Discounts that apply by themselves or are shown to everybody, ended ones left out; their times are the
    reader's to look at, and `uses` is that of the moment when they were read."""
    coupons = list(
        Coupon.objects.filter(Q(is_automatic=True) | Q(is_listed=True), is_active=True).exclude(
            ends_at__lte=timezone.now()
        )
    )
    scopes = scopes_of(coupon.pk for coupon in coupons)
    return tuple((coupon, scopes.get(coupon.pk, Scope())) for coupon in coupons)


def announce_beginnings_and_ends() -> None:
    """Pages that are kept show an offer from its first minute to its last; a scheduled job, once a minute."""
    now = timezone.now()
    lately = (now - timedelta(minutes=3), now)
    shown = Coupon.objects.filter(Q(is_automatic=True) | Q(is_listed=True), is_active=True)
    if shown.filter(Q(starts_at__range=lately) | Q(ends_at__range=lately)).exists():
        invalidate(Change.Kind.SHOP)


# --- What applies to a cart ------------------------------------------------------------------------


def apply_coupon(cart: Cart | None, basket: Basket) -> AppliedCoupon | None:
    """The cart's own coupon, with the reason when it takes nothing off."""
    if cart is None or cart.coupon is None:
        return None
    coupon = cart.coupon
    scope = scopes_of([coupon.pk]).get(coupon.pk, Scope())
    if reason := _refusal(coupon, scope, basket):
        return AppliedCoupon(coupon, refusal=reason)
    return AppliedCoupon(coupon, saving_of(coupon, scope, basket))


def best_automatic(basket: Basket, *, beyond: Decimal) -> AppliedCoupon | None:
    """The automatic discount that saves most, if it saves more than `beyond`."""
    now = timezone.now()
    found = [
        (saving_of(coupon, scope, basket), coupon, scope)
        for coupon, scope in standing_offers()
        if coupon.is_automatic and is_on(coupon, now)
    ]
    found = sorted((one for one in found if one[0].total > beyond), key=lambda one: -one[0].total)
    for saving, coupon, scope in found[:MAX_CANDIDATES]:
        if not _refusal(_counted_anew(coupon), scope, basket):
            return AppliedCoupon(coupon, saving)
    return None


def next_automatic(basket: Basket) -> str:
    """What a fuller cart would get by itself, in words; empty when nothing."""
    now = timezone.now()
    for coupon, scope in standing_offers():
        if coupon.is_automatic and is_on(coupon, now) and _is_here(scope, basket.market):
            goods = _goods_for(scope, basket)
            missing = _missing(coupon, goods, basket.market)
            if goods and missing and not _is_beyond_reach(coupon, basket):
                terms = {"missing": missing, "terms": terms_of(coupon, basket.market)}
                return gettext("Add %(missing)s more: %(terms)s.") % terms
    return ""


def _is_beyond_reach(coupon: Coupon, basket: Basket) -> bool:
    """Whether a fuller cart would not get it either."""
    if coupon.kind == Kind.FREE_SHIPPING and not basket.shipping:
        return True
    if coupon.is_first_order and has_ordered(basket.customer):
        return True
    return bool(_used_up(_counted_anew(coupon), basket.customer))


def _counted_anew(coupon: Coupon) -> Coupon:
    """With its uses of this moment, where they are limited."""
    return coupon if coupon.total_limit is None else Coupon.objects.filter(pk=coupon.pk).first() or coupon


def is_on(coupon: Coupon, now: datetime) -> bool:
    return coupon.is_active and coupon.starts_at <= now and not (coupon.ends_at and coupon.ends_at <= now)


def _refusal(coupon: Coupon, scope: Scope, basket: Basket) -> str:
    """Why a discount does not apply to a cart, in words; empty when it does.

    An unpaid order of the customer that took it already does not stand in its own way.
    """
    now, market = timezone.now(), basket.market
    if not coupon.is_active:
        return gettext("This coupon is not valid.")
    if coupon.starts_at > now:
        day = date_format(in_zone_of(market, coupon.starts_at), "j F Y")
        return gettext("This coupon is valid from %(day)s.") % {"day": day}
    if coupon.ends_at and coupon.ends_at <= now:
        day = date_format(in_zone_of(market, coupon.ends_at), "j M Y")
        return gettext("This coupon has expired. It ended on %(day)s.") % {"day": day}
    if not _is_here(scope, market):
        return gettext("This coupon is not valid for orders to %(country)s.") % {"country": market.country}
    goods = _goods_for(scope, basket)
    if scope.is_limited and not goods:
        return gettext("This coupon is for selected products, and none of them is in your cart.")
    if missing := _missing(coupon, goods, market):
        return _too_little(coupon, scope, missing, market)
    if coupon.kind == Kind.FREE_SHIPPING and goods and not basket.shipping:
        return gettext("Shipping is already free.")
    if coupon.is_first_order and has_ordered(basket.customer):
        return gettext("This coupon is only for first orders.")
    return _used_up(coupon, basket.customer)


def _is_here(scope: Scope, market: Market) -> bool:
    return not scope.locations or market.location_id in scope.locations


def _goods_for(scope: Scope, basket: Basket) -> list[Goods]:
    return [one for one in basket.goods if scope.includes(one.product_id, one.brand_id, one.category_id)]


def _missing(coupon: Coupon, goods: Iterable[Goods], market: Market) -> str:
    """What is to be added before a coupon applies: an amount, or a number of units; empty when nothing."""
    goods = list(goods)
    short = market.from_inr(coupon.minimum_inr) - sum((one.amount for one in goods), NONE)
    if short > 0:
        return market.display(short)
    if coupon.kind == Kind.BUY_GET:
        units = (coupon.buy_quantity or 0) + (coupon.get_quantity or 0) - sum(one.quantity for one in goods)
        return str(units) if units > 0 else ""
    return ""


def _too_little(coupon: Coupon, scope: Scope, missing: str, market: Market) -> str:
    if missing.isdigit():
        needed = str((coupon.buy_quantity or 0) + (coupon.get_quantity or 0))
        words = (
            gettext("This coupon is for %(needed)s items or more of these products. Add %(missing)s more to use it.")
            if scope.is_limited
            else gettext("This coupon is for %(needed)s items or more. Add %(missing)s more to use it.")
        )
    else:
        needed = market.display(market.from_inr(coupon.minimum_inr))
        words = (
            gettext(
                "This coupon is for orders of %(needed)s or more of these products. Add %(missing)s more to use it."
            )
            if scope.is_limited
            else gettext("This coupon is for orders of %(needed)s or more. Add %(missing)s more to use it.")
        )
    return words % {"needed": needed, "missing": missing}


def _used_up(coupon: Coupon, customer: Customer | None) -> str:
    if coupon.total_limit is None and coupon.customer_limit is None:
        return ""
    own = list(coupon.taken.filter(customer=customer).values_list("is_placed", flat=True)) if customer else []
    waiting = own.count(False)
    if coupon.total_limit is not None and coupon.uses - waiting >= coupon.total_limit:
        return gettext("This coupon has reached its limit.")
    if coupon.customer_limit is not None and len(own) - waiting >= coupon.customer_limit:
        return gettext("You have already used this coupon.")
    return ""


def saving_of(coupon: Coupon, scope: Scope, basket: Basket) -> Saving:
    """What a discount would save of a cart that qualifies; nothing of one that has too little for it.

    Percentages are rounded once, over all lines. Of "buy some, get some" the cheapest units are cheaper.
    """
    market = basket.market
    goods = _goods_for(scope, basket)
    if not goods or _missing(coupon, goods, market) or not _is_here(scope, market):
        return Saving()
    if coupon.kind == Kind.FREE_SHIPPING:
        return Saving(shipping=basket.shipping)
    # Shared over all of them also where the cheapest are free: else who sends back the others would keep those.
    of_lines = {one.variant_id: one.amount for one in goods}
    whole = _cost_of_cheapest(coupon, goods) if coupon.kind == Kind.BUY_GET else sum(of_lines.values(), NONE)
    if coupon.percent is None:
        return Saving(min(market.from_inr(coupon.amount_inr or NONE), whole), of_lines)
    off = round_money(whole * coupon.percent / 100, market.currency)
    return Saving(off if coupon.most_inr is None else min(off, market.from_inr(coupon.most_inr)), of_lines)


def _cost_of_cheapest(coupon: Coupon, goods: Iterable[Goods]) -> Decimal:
    """What the cheapest units cost: of each so many that are bought and got, those that are got."""
    goods, got = sorted(goods, key=lambda one: one.unit), coupon.get_quantity or 0
    left = sum(one.quantity for one in goods) // ((coupon.buy_quantity or 0) + got or 1) * got
    cost = NONE
    for one in goods:
        units = min(left, one.quantity)
        cost += one.unit * units
        left -= units
    return cost


def offered_coupons(cart: Cart, basket: Basket, *, beyond: Decimal) -> list[CouponOffer]:
    """Of the coupons that staff show at the checkout, those that would save more than `beyond`, the largest
    saving first."""
    now = timezone.now()
    found = [
        (saving_of(coupon, scope, basket).total, coupon, scope)
        for coupon, scope in standing_offers()
        if not coupon.is_automatic and is_on(coupon, now) and coupon.pk != cart.coupon_id
    ]
    found = sorted((one for one in found if one[0] > beyond), key=lambda one: -one[0])[:MAX_CANDIDATES]
    usable = (one for one in found if not _refusal(_counted_anew(one[1]), one[2], basket))
    return [CouponOffer(coupon, saved) for saved, coupon, _ in usable][:MAX_OFFERS]


# --- In words --------------------------------------------------------------------------------------


def terms_of(coupon: Coupon, market: Market) -> str:
    """Its description in the active language, a Fallback where it has none, else what it gives in that market."""
    said = coupon.translated.description
    return type(said)(said.rstrip(".।")) or given_by(coupon, lambda inr: market.display(market.from_inr(inr)))


def given_by(coupon: Coupon, show: Callable[[Decimal], str]) -> str:
    """What a discount gives: 10% off, up to ₹300; Buy 2, get 1 free. `show` writes an amount in INR."""
    if coupon.kind == Kind.FREE_SHIPPING:
        return gettext("Free shipping")
    percent = f"{coupon.percent.normalize():f}%" if coupon.percent is not None else ""
    is_capped = coupon.most_inr is not None
    if coupon.kind != Kind.BUY_GET:
        words = gettext("%(saving)s off, up to %(most)s") if is_capped else gettext("%(saving)s off")
    elif coupon.percent == 100:
        words = (
            gettext("Buy %(buy)s, get %(get)s free, up to %(most)s")
            if is_capped
            else gettext("Buy %(buy)s, get %(get)s free")
        )
    else:
        words = (
            gettext("Buy %(buy)s, get %(get)s %(saving)s off, up to %(most)s")
            if is_capped
            else gettext("Buy %(buy)s, get %(get)s %(saving)s off")
        )
    return words % {
        "buy": coupon.buy_quantity,
        "get": coupon.get_quantity,
        "saving": percent or show(coupon.amount_inr or NONE),
        "most": show(coupon.most_inr) if coupon.most_inr is not None else "",
    }


@dataclass(frozen=True)
class ProductOffer:
    """A discount as a product's page shows it; `code` is empty where it applies by itself."""

    terms: str
    code: str
    minimum: str
    ends: str
    is_first_order: bool


def offers_for(product_id: int, brand_id: int, category_id: int, market: Market) -> list[ProductOffer]:
    """The discounts for a product that everybody may know of; free shipping for all goods is said elsewhere."""
    now = timezone.now()
    shown = [
        coupon
        for coupon, scope in standing_offers()
        if is_on(coupon, now) and _is_here(scope, market) and scope.includes(product_id, brand_id, category_id)
        and not (coupon.total_limit is not None and coupon.uses >= coupon.total_limit)
    ]  # fmt: skip
    return [_product_offer(coupon, market) for coupon in shown[:MAX_OFFERS]]


def _product_offer(coupon: Coupon, market: Market) -> ProductOffer:
    return ProductOffer(
        terms_of(coupon, market),
        "" if coupon.is_automatic else coupon.code,
        market.display(market.from_inr(coupon.minimum_inr)) if coupon.minimum_inr else "",
        date_format(in_zone_of(market, coupon.ends_at), "j M") if coupon.ends_at else "",
        coupon.is_first_order,
    )


# --- The counting of uses --------------------------------------------------------------------------


def take(coupon: Coupon, customer: Customer, *, reference: str) -> None:
    """Count a use for an order, within both limits; raises CouponRefused where another was faster, or where it was
    switched off meanwhile.

    One conditional update counts all customers' uses; the caller's lock on the customer's row
    counts their own, and their first order.
    """
    if coupon.is_first_order and has_ordered(customer):
        raise CouponRefused(gettext("This coupon is only for first orders."))
    if coupon.customer_limit is not None and uses_by(customer, coupon) >= coupon.customer_limit:
        raise CouponRefused(gettext("You have already used this coupon."))
    free = Q(total_limit=None) | Q(uses__lt=F("total_limit"))
    if not Coupon.objects.filter(free, pk=coupon.pk, is_active=True).update(uses=F("uses") + 1):
        if not Coupon.objects.filter(pk=coupon.pk, is_active=True).exists():
            raise CouponRefused(gettext("This coupon is not valid."))
        raise CouponRefused(gettext("This coupon has reached its limit."))
    CouponUse.objects.create(coupon=coupon, customer=customer, reference=reference)


def uses_by(customer: Customer, coupon: Coupon) -> int:
    return CouponUse.objects.filter(coupon=coupon, customer=customer).count()


def confirm_use(*, reference: str) -> None:
    """The order that took a coupon was placed."""
    CouponUse.objects.filter(reference=reference).update(is_placed=True)


def release_use(*, reference: str) -> None:
    """The order that took a coupon was cancelled; nothing happens where none was taken."""
    for use in CouponUse.objects.filter(reference=reference):
        if CouponUse.objects.filter(pk=use.pk).delete()[0]:
            counted = Coupon.objects.filter(pk=use.coupon_id, uses__gt=0).update(uses=F("uses") - 1)
            if not counted:  # check_shop finds it; what is taken back is not held up by it
                logger.error("coupon %s counts no use although %s took one", use.coupon_id, reference)


def lock(codes: Iterable[str]) -> None:
    """Who gives one coupon back and takes another locks both first, in one order."""
    list(Coupon.objects.select_for_update(no_key=True).filter(code__in=list(codes)).order_by("pk").values("pk"))
