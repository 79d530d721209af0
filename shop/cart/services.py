"""Changes to carts. Each owns its transaction; twice is safe."""

import secrets
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.catalog.composition.prescriptions import prescription_refusal
from shop.catalog.models import Product, Variant, VariantPrice
from shop.catalog.pricing import price_of
from shop.catalog.queries import fixed_prices_in
from shop.errors import Invalid, NotFound, OutOfStock, ShopError
from shop.limits.services import client_of, consume
from shop.markets.market import Market
from shop.prepared import PreparedQuery

from .coupons import CouponRefused, find_coupon
from .models import Cart, CartLine
from .signals import OwnHold, own_hold
from .totals import price_cart

# So that codes cannot be guessed; many customers of one carrier share an address.
TRIES_A_CART = 20
TRIES_A_CLIENT = 60
MAX_LINES = 100  # as many as one checkout takes


class AlreadyInCart(ShopError):
    code = "already_in_cart"

    def __init__(self, quantity: int) -> None:
        super().__init__(gettext("Already added to cart"), extra={"quantity": quantity})
        self.quantity = quantity


def hash_secret(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def cart_of(*, customer: Customer | None = None, secret: str | None = None) -> Cart | None:
    """The open cart of a customer, or of the guest who holds `secret`; None when there is none yet."""
    if customer is not None:
        own = Cart.objects.filter(customer=customer).first()
        if own:
            own.customer = customer  # known, and asked for by whatever prices it
        return own
    if secret:
        return Cart.objects.filter(secret_hash=hash_secret(secret)).first()
    return None


def quantities_in(cart: Cart | None) -> dict[int, int]:
    """Pieces to be bought by variant id; what is saved for later does not count."""
    return dict(cart.lines.filter(is_saved=False).values_list("variant_id", "quantity")) if cart else {}


def open_cart(customer: Customer) -> Cart:
    return Cart.objects.get_or_create(customer=customer)[0]


def open_guest_cart() -> tuple[Cart, str]:
    """A new guest cart and the secret (256 bits) that alone opens it."""
    secret = secrets.token_urlsafe(32)
    return Cart.objects.create(secret_hash=hash_secret(secret)), secret


@transaction.atomic
def add_to_cart(cart: Cart, *, variant_id: int, quantity: int, market: Market) -> CartLine:
    """Put a new line into the cart; one that was saved for later comes back with this quantity.

    Raises NotFound for an unknown variant, ShopError `not_sellable` where it may not be sold,
    OutOfStock, Invalid for a quantity over what one cart may hold, AlreadyInCart for a second time,
    ShopError `cart_full`.
    """
    variant = _sellable(variant_id, market)
    _require_quantity(variant, quantity, cart)
    _lock(cart)
    lines = {line.variant_id: line for line in cart.lines.order_by()}
    line = lines.get(variant_id)
    if line and not line.is_saved:
        raise AlreadyInCart(line.quantity)
    if line is None and len(lines) >= MAX_LINES:
        words = gettext("Your cart can hold up to %(most)s different items. Please remove one first.")
        raise ShopError(words % {"most": MAX_LINES}, "cart_full")
    line = line or CartLine(cart=cart, variant_id=variant_id)
    line.quantity, line.is_saved, line.added_at = quantity, False, timezone.now()
    line.seen_price, line.seen_market = price_of(variant, market).selling, market.key
    _save_line(line)
    return line


@dataclass(frozen=True, slots=True)
class Added:
    """How many units of what was wanted went into a cart, and why not all of them."""

    wanted: int
    units: int
    reason: str = ""
    in_cart: int = 0  # units that were there before

    @property
    def is_there(self) -> bool:
        """Whether the cart has as many units as were wanted."""
        return self.units + self.in_cart >= self.wanted

    def words(self, name: str) -> str:
        """What could not be added, in one sentence; empty where nothing is to be said."""
        if not self.reason:
            return ""
        words = (
            gettext("%(name)s: %(added)s of %(quantity)s added. %(reason)s")
            if self.units
            else gettext("%(name)s: not added. %(reason)s")
        )
        return words % {"name": name, "added": self.units, "quantity": self.wanted, "reason": self.reason}


def add_available(cart: Cart, *, variant: Variant, quantity: int, market: Market) -> Added:
    """Add so many units, failing that as many as there are; a second time adds nothing."""
    reason = ""
    for units in _quantities(variant, quantity):
        try:
            add_to_cart(cart, variant_id=variant.pk, quantity=units, market=market)
            return Added(quantity, units, reason)
        except AlreadyInCart as refusal:
            words = gettext("It's already in your cart (%(quantity)s).") % {"quantity": refusal.quantity}
            return Added(quantity, 0, words, refusal.quantity)
        except (OutOfStock, Invalid) as refusal:
            reason = reason or refusal.message
        except ShopError as refusal:
            return Added(quantity, 0, refusal.message)
    return Added(quantity, 0, reason)


def _quantities(variant: Variant, wanted: int) -> Iterable[int]:
    """As many as are wanted; failing that, as many as one cart may hold and the shelf has."""
    yield wanted
    variant.refresh_from_db(fields=["on_hand", "max_purchase_qty"])
    fewer = min(wanted, variant.max_purchase_qty, variant.on_hand)
    if 0 < fewer < wanted:
        yield fewer


@transaction.atomic
def change_quantity(cart: Cart, *, variant_id: int, quantity: int, market: Market) -> None:
    """Set a line's quantity; raises NotFound for a line that is not in this cart."""
    line = _lines(cart, market).filter(variant_id=variant_id, is_saved=False).first()
    if line is None:
        raise NotFound(gettext("This product is not in your cart."))
    _require_quantity(line.variant, quantity, cart)
    _lock(cart)
    seen = price_of(line.variant, market).selling
    CartLine.objects.filter(pk=line.pk).update(quantity=quantity, seen_price=seen, seen_market=market.key)


@transaction.atomic
def remove_from_cart(cart: Cart, *, variant_ids: list[int]) -> None:
    """Take lines out, saved ones too; ids that are not in this cart change nothing."""
    _lock(cart)
    cart.lines.filter(variant_id__in=variant_ids).delete()


@transaction.atomic
def save_for_later(cart: Cart, *, variant_id: int) -> None:
    """Set a line aside; raises NotFound for a line that is not in this cart."""
    _lock(cart)
    if not cart.lines.filter(variant_id=variant_id).update(is_saved=True):
        raise NotFound(gettext("This product is not in your cart."))


@transaction.atomic
def move_to_cart(cart: Cart, *, variant_id: int, market: Market) -> None:
    """Bring a saved line back, with as many of its units as there are; one that is there already stays.

    Raises NotFound for a line that was not saved, and what add_to_cart raises.
    """
    line = _lines(cart, market).filter(variant_id=variant_id).first()
    if line is None:
        raise NotFound(gettext("This product isn't saved for later."))
    if line.is_saved:
        allowed = min(line.variant.max_purchase_qty, _available(line.variant, own_hold(cart)))
        add_to_cart(cart, variant_id=variant_id, quantity=max(1, min(line.quantity, allowed)), market=market)


def use_coupon(cart: Cart | None, *, code: str, market: Market, client_address: str) -> None:
    """Put a coupon into the cart, in place of another one.

    Raises TooMany, Invalid for a code that does not exist, CouponRefused with the reason where it
    does not apply, ShopError `cart_empty`; then the cart stays as it was.
    """
    if cart is None:
        raise ShopError(gettext("Cart is Empty"), "cart_empty")
    consume("coupon_client", client_of(client_address), limit=TRIES_A_CLIENT, period=timedelta(minutes=1))
    consume("coupon_cart", str(cart.public_id), limit=TRIES_A_CART, period=timedelta(minutes=1))
    put_coupon(cart, code=code, market=market)


def put_coupon(cart: Cart, *, code: str, market: Market) -> None:
    """The same for staff, whom nothing keeps from guessing: they see all coupons."""
    wanted = copy(cart)  # the caller's stays as it was where the coupon is refused
    wanted.coupon = coupon = find_coupon(code)
    view = price_cart(wanted, market)
    if not view.lines:
        raise ShopError(gettext("Cart is Empty"), "cart_empty")
    if reason := view.coupon_problem:
        raise CouponRefused(reason, fields={"coupon_code": [reason]})
    Cart.objects.filter(pk=cart.pk).update(coupon=coupon, changed_at=timezone.now())


def remove_coupon(cart: Cart) -> None:
    Cart.objects.filter(pk=cart.pk).update(coupon=None, changed_at=timezone.now())


def use_points(cart: Cart, *, use: bool) -> None:
    """Whether the customer's points make this cart cheaper, as far as they may."""
    Cart.objects.filter(pk=cart.pk, secret_hash=None).update(use_points=use, changed_at=timezone.now())


@transaction.atomic
def merge_guest_cart(customer: Customer, *, secret: str) -> None:
    """Bring a guest's lines into the customer's cart, exactly once: the guest cart is gone afterwards.

    Quantities are added up to what one cart may hold. What one of the two saved for later and the
    other wants now is wanted now. The guest's coupon comes along where the customer had none. Articles
    over what one cart holds stay out.
    """
    guest = Cart.objects.select_for_update().filter(secret_hash=hash_secret(secret)).first()
    if guest is None:
        return
    cart = open_cart(customer)
    cart = Cart.objects.select_for_update().get(pk=cart.pk)
    kept = {line.variant_id: line for line in cart.lines.all()}
    cart.customer = customer
    hold = own_hold(cart)
    for line in guest.lines.select_related("variant"):
        maximum = max(1, min(line.variant.max_purchase_qty, _available(line.variant, hold)))
        if own := kept.get(line.variant_id):
            _merge_line(own, line, maximum)
        elif len(kept) < MAX_LINES:
            line.pk, line.cart, line.quantity = None, cart, min(line.quantity, maximum)
            line.save(force_insert=True)
            kept[line.variant_id] = line
    if guest.coupon_id and not cart.coupon_id:
        Cart.objects.filter(pk=cart.pk).update(coupon=guest.coupon_id)
    guest.delete()


def _merge_line(own: CartLine, other: CartLine, maximum: int) -> None:
    if own.is_saved == other.is_saved:
        own.quantity = min(own.quantity + other.quantity, maximum)
    elif own.is_saved:
        own.quantity, own.is_saved = min(other.quantity, maximum), False
        own.seen_price, own.seen_market = other.seen_price, other.seen_market
    _save_line(own)


def _save_line(line: CartLine) -> None:
    fields = ["quantity", "is_saved", "added_at", "seen_price", "seen_market"]
    line.save(update_fields=None if line._state.adding else fields)


def _lock(cart: Cart) -> None:
    """The cart's row is locked from here on: nobody else changes its lines in between."""
    if not Cart.objects.filter(pk=cart.pk).update(changed_at=timezone.now()):
        raise NotFound(gettext("This cart no longer exists."))


def _lines(cart: Cart, market: Market) -> QuerySet[CartLine]:
    return cart.lines.select_related("variant").prefetch_related(fixed_prices_in(market, "variant__fixed_prices"))


@PreparedQuery
def _variants_to_add(variant_id: int, location_id: int) -> QuerySet[Variant]:
    """A variant with what decides, there, whether it may be added and at which price."""
    here = {"location_id": location_id}
    barred = Product.barred_locations.through.objects.filter(product_id=OuterRef("product_id"), **here)
    fixed = VariantPrice.objects.filter(variant_id=OuterRef("pk"), **here)
    of_product = {name: F(f"product__{name}") for name in ("is_published", "is_prescription", "schedule")}
    variants = Variant.objects.only("is_active", "on_hand", "max_purchase_qty", "selling_price", "actual_price")
    found: QuerySet[Variant] = variants.annotate(**of_product, is_barred=Exists(barred), has_fixed=Exists(fixed))
    return found.filter(pk=variant_id)


def _sellable(variant_id: int, market: Market) -> Any:
    variant: Any = next(iter(_variants_to_add(variant_id, market.location_id)), None)
    if not (variant and variant.is_published and variant.is_active):
        raise NotFound(gettext("We don't sell this product."))
    if variant.is_prescription and (refusal := prescription_refusal(variant, market)):
        raise ShopError(refusal, "not_sellable")
    if variant.is_barred:
        words = gettext("We can't deliver this product to %(country)s.")
        raise ShopError(words % {"country": market.country}, "not_sellable")
    if not variant.has_fixed:
        variant.market_prices = []  # spares price_of the question
    return variant


def _available(variant: Variant, hold: OwnHold) -> int:
    return variant.on_hand + hold.units.get(variant.pk, 0)


def _require_quantity(variant: Variant, quantity: int, cart: Cart) -> None:
    """What the cart's own unpaid order holds is asked for where the stock alone does not do."""
    is_there = 1 <= quantity <= variant.on_hand
    available = variant.on_hand if is_there else _available(variant, own_hold(cart))
    if available < 1:
        raise OutOfStock(gettext("This product is out of stock."))
    if not 1 <= quantity <= variant.max_purchase_qty:
        raise Invalid(
            gettext("Choose a quantity from 1 to %(most)s.") % {"most": variant.max_purchase_qty},
            fields={"quantity": [gettext("Out of range.")]},
        )
    if quantity > available:
        raise OutOfStock(
            gettext("Only %(count)s left in stock.") % {"count": available}, extra={"available": available}
        )
