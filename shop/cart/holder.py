"""Whose cart a request means: the customer's own, or the one its cookie opens."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from shop.accounts.models import Customer
from shop.accounts.signals import describing_customer
from shop.errors import NotFound
from shop.markets.market import Market

from .models import Cart
from .services import add_to_cart, cart_of, merge_guest_cart, open_cart, open_guest_cart

COOKIE = f"{settings.COOKIE_PREFIX}cart"
COOKIE_SECONDS = 60 * 24 * 3600


def current_cart(request: HttpRequest) -> Cart | None:
    """The caller's open cart, or None. Never creates one and never writes."""
    if request.user.is_authenticated:
        return cart_of(customer=request.user)
    return cart_of(secret=request.COOKIES.get(COOKIE))


def fill_cart(request: HttpRequest, response: HttpResponse, *, variant_id: int, quantity: int, market: Market) -> Cart:
    """Add to the caller's cart; raises what services.add_to_cart raises."""
    return fill_cart_with(
        request, response, partial(add_to_cart, variant_id=variant_id, quantity=quantity, market=market)
    )


def fill_cart_with(request: HttpRequest, response: HttpResponse, fill: Callable[[Cart], object]) -> Cart:
    """Call `fill` with the caller's cart, made if needed; a new guest's secret goes into the response's cookie.

    Where `fill` raises, nothing of it is kept and no cart is left behind.
    """
    secret = None
    with transaction.atomic():
        cart = current_cart(request)
        if cart is None and request.user.is_authenticated:
            cart = open_cart(request.user)
        elif cart is None:
            cart, secret = open_guest_cart()
        fill(cart)
    if secret:
        response.set_cookie(
            COOKIE, secret, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS
        )
    return cart


def require_own(request: HttpRequest, *, user_id: int | None = None, cart_id: uuid.UUID | str | None = None) -> None:
    """Ids in a body must name the caller's own; anything else is NotFound, like a missing one."""
    if user_id is not None and (not request.user.is_authenticated or request.user.pk != user_id):
        raise NotFound()
    if cart_id not in (None, ""):
        cart = current_cart(request)
        if cart is None or str(cart.public_id) != str(cart_id):
            raise NotFound()


@receiver(user_logged_in)
def absorb_guest_cart(sender: type, request: HttpRequest, user: Customer, **kwargs: Any) -> None:
    if request is not None and (secret := request.COOKIES.get(COOKIE)):
        merge_guest_cart(user, secret=secret)


@receiver(describing_customer)
def name_cart(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    """The cart's part of the answer to a sign-in."""
    cart = cart_of(customer=customer)
    return {"cart": {"id": str(cart.public_id) if cart else None}}
