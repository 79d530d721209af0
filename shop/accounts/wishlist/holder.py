"""Whose wishlist a request means: the customer's own, or the one its cookie opens."""

from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from shop.markets.market import Market

from ..models import Customer, Wishlist
from .services import (
    VISITOR_KEEPS,
    add_to_wishlist,
    merge_visitor_wishlist,
    open_visitor_wishlist,
    open_wishlist,
    wishlist_of,
)

COOKIE = f"{settings.COOKIE_PREFIX}wishlist"


def current_wishlist(request: HttpRequest) -> Wishlist | None:
    """None where there is none yet. Never creates one and never writes."""
    if request.user.is_authenticated:
        return wishlist_of(customer=request.user)
    return wishlist_of(secret=request.COOKIES.get(COOKIE))


def add_to_current_wishlist(
    request: HttpRequest, response: HttpResponse, *, product_id: int, market: Market
) -> tuple[bool, Wishlist]:
    """Put a product on the caller's wishlist, made if needed; a new visitor's secret goes into the response's cookie.

    Returns whether it was not on it, and the wishlist. Raises as services.add_to_wishlist; then none is left behind.
    """
    secret = None
    with transaction.atomic():
        wishlist = current_wishlist(request)
        if wishlist is None and request.user.is_authenticated:
            wishlist = open_wishlist(request.user)
        elif wishlist is None:
            wishlist, secret = open_visitor_wishlist()
        added = add_to_wishlist(wishlist, product_id=product_id, market=market)
    if secret:
        response.set_cookie(
            COOKIE, secret, max_age=int(VISITOR_KEEPS.total_seconds()), httponly=True, samesite="Lax",
            secure=settings.HTTPS,
        )  # fmt: skip
    return added, wishlist


@receiver(user_logged_in)
def absorb_visitor_wishlist(sender: type, request: HttpRequest, user: Customer, **kwargs: Any) -> None:
    if request is not None and (secret := request.COOKIES.get(COOKIE)):
        merge_visitor_wishlist(user, secret=secret)
