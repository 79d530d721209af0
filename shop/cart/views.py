from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from shop.errors import ShopError
from shop.markets.requests import MarketRequest

from . import services
from .holder import current_cart, fill_cart
from .present import present_cart
from .totals import price_cart

LARGEST_ID = 2**63 - 1


def cart(request: MarketRequest) -> HttpResponse:
    view = price_cart(current_cart(request), request.market)
    return render(request, "cart/cart.html", {"cart_view": view, "cart_props": {"cart": present_cart(view)}})


@require_POST
def cart_add(request: MarketRequest) -> HttpResponse:
    """Add from a card or the product page; answers with the cart, or a refusal said there."""
    response = redirect("cart")
    try:
        fill_cart(
            request,
            response,
            variant_id=_whole(request, "variant"),
            quantity=_whole(request, "quantity", 1),
            market=request.market,
        )
        messages.success(request, "Product added to cart successfully!")
    except services.AlreadyInCart as refusal:
        messages.warning(request, f"{refusal.message} ({refusal.quantity})")
    except ShopError as refusal:
        messages.error(request, refusal.message)
    return response


@require_POST
def cart_change(request: MarketRequest) -> HttpResponse:
    return _change(
        request,
        lambda own: services.change_quantity(
            own, variant_id=_whole(request, "variant"), quantity=_whole(request, "quantity")
        ),
        "Quantity updated successfully",
    )


@require_POST
def cart_remove(request: MarketRequest) -> HttpResponse:
    return _change(
        request,
        lambda own: services.remove_from_cart(own, variant_ids=[_whole(request, "variant")]),
        "Product Delete Success",
    )


def _change(request: MarketRequest, change, done: str) -> HttpResponse:
    own = current_cart(request)
    try:
        if own is not None:
            change(own)
            messages.success(request, done)
    except ShopError as refusal:
        messages.error(request, refusal.message)
    return HttpResponseRedirect(reverse("cart"))


def _whole(request: MarketRequest, field: str, default: int = 0) -> int:
    """A whole number from a form; nonsense counts as 0, which every service refuses in words."""
    text = request.POST.get(field, "")
    if not text:
        return default
    return min(int(text), LARGEST_ID) if text.isascii() and text.isdigit() and len(text) < 20 else 0
