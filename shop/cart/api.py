from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext
from ninja import Router

from shop.accounts.wishlist.holder import current_wishlist
from shop.accounts.wishlist.services import wished_products
from shop.errors import NotFound
from shop.http.api import ERRORS, signed_in
from shop.markets.geography.detection import client_address, locate
from shop.markets.geography.remembered_pin import remembered_pin
from shop.markets.market import Market
from shop.markets.middleware import LANGUAGE_COOKIE
from shop.markets.queries import market_registry
from shop.markets.requests import MarketRequest
from shop.markets.schemas import MarketBody
from shop.markets.services import market_named

from . import services
from .holder import current_cart, fill_cart, require_own
from .models import Cart
from .present import present_cart
from .schemas import (
    AddToCart,
    ApplyCoupon,
    CartOut,
    ChangeQuantity,
    DeleteFromCart,
    MeOut,
    OfLine,
    UsePoints,
    WhoseCart,
)
from .totals import price_cart

router = Router(tags=["cart"])
TOAST_KINDS = {"warning": "warn"}


def _market(request: MarketRequest, body: MarketBody) -> Market:
    return market_named(body.deliver_to, body.currency, fallback=request.market)


def _cart_with_lines(request: MarketRequest) -> Cart:
    cart = current_cart(request)
    if cart is None:
        raise NotFound(gettext("This product is not in your cart."))
    return cart


def _answer(request: MarketRequest, body: MarketBody, cart: Cart | None = None) -> dict[str, Any]:
    own, market = cart or current_cart(request), _market(request, body)
    return present_cart(price_cart(own, market, pincode=remembered_pin(request)))


@router.post("/add-to-cart/", response={200: CartOut, **ERRORS}, operation_id="add_to_cart")
def add_to_cart(request: MarketRequest, response: HttpResponse, body: AddToCart) -> dict[str, Any]:
    require_own(request, user_id=body.user)
    market = _market(request, body)
    try:
        cart = fill_cart(request, response, variant_id=body.product, quantity=body.quantity, market=market)
    except services.AlreadyInCart as refusal:
        refusal.extra |= _answer(request, body)
        raise
    return _answer(request, body, cart)


@router.post("/get-cart/", response={200: CartOut, **ERRORS}, operation_id="get_cart")
def get_cart(request: MarketRequest, body: WhoseCart) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    return _answer(request, body)


@router.post("/update-cart-product-quantity/", response={200: CartOut, **ERRORS}, operation_id="change_quantity")
def change_quantity(request: MarketRequest, body: ChangeQuantity) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    cart = _cart_with_lines(request)
    market = _market(request, body)
    services.change_quantity(cart, variant_id=body.product_id, quantity=body.quantity, market=market)
    return _answer(request, body, cart)


@router.post("/delete-from-cart/", response={200: CartOut, **ERRORS}, operation_id="remove_from_cart")
def remove_from_cart(request: MarketRequest, body: DeleteFromCart) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    if cart := current_cart(request):
        services.remove_from_cart(cart, variant_ids=body.product_ids)
    return _answer(request, body)


@router.post("/save-for-later/", response={200: CartOut, **ERRORS}, operation_id="save_for_later")
def save_for_later(request: MarketRequest, body: OfLine) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    cart = _cart_with_lines(request)
    services.save_for_later(cart, variant_id=body.product_id)
    return _answer(request, body, cart)


@router.post("/move-to-cart/", response={200: CartOut, **ERRORS}, operation_id="move_to_cart")
def move_to_cart(request: MarketRequest, body: OfLine) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    cart = _cart_with_lines(request)
    services.move_to_cart(cart, variant_id=body.product_id, market=_market(request, body))
    return _answer(request, body, cart)


@router.post("/apply-coupon/", response={200: CartOut, **ERRORS}, operation_id="apply_coupon")
def apply_coupon(request: MarketRequest, body: ApplyCoupon) -> dict[str, Any]:
    """Refused with the reason: 422 for a code that does not exist, 409 where it does not apply."""
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    services.use_coupon(
        current_cart(request),
        code=body.coupon_code,
        market=_market(request, body),
        client_address=client_address(request),
    )
    return _answer(request, body)


@router.post("/remove-coupon/", response={200: CartOut, **ERRORS}, operation_id="remove_coupon")
def remove_coupon(request: MarketRequest, body: WhoseCart) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    if cart := current_cart(request):
        services.remove_coupon(cart)
    return _answer(request, body)


@router.post("/use-points/", response={200: CartOut, **ERRORS}, auth=signed_in, operation_id="use_points")
def use_points(request: MarketRequest, body: UsePoints) -> dict[str, Any]:
    require_own(request, user_id=body.user_id, cart_id=body.cart_id)
    if cart := current_cart(request):
        services.use_points(cart, use=body.use_points)
    return _answer(request, body)


@router.get("/api/me/", response=MeOut, operation_id="me")
def me(request: MarketRequest) -> dict[str, Any]:
    """The personal parts of a public page, asked for after it has loaded."""
    quantities = services.quantities_in(current_cart(request))
    user = request.user
    return {
        "signed_in": user.is_authenticated,
        "id": user.pk,
        "name": str(user).upper() if user.is_authenticated else "",
        "country": _own_country(request),
        "language": request.COOKIES.get(LANGUAGE_COOKIE, ""),
        "cart_count": sum(quantities.values()),
        "cart_lines": quantities,
        "wished": wished_products(current_wishlist(request)),
        "toasts": [
            {"kind": TOAST_KINDS.get(message.level_tag, message.level_tag), "message": message.message}
            for message in messages.get_messages(request)
        ],
    }


def _own_country(request: MarketRequest) -> dict[str, Any] | None:
    """Where the shopper is by cookie or detection, so that a page for elsewhere can offer the change."""
    location, source = locate(request, market_registry())
    return {"code": location.code, "name": location.local_name} if source != "default" else None
