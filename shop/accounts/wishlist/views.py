"""The wishlist's page, the heart's form, the shared page."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from shop.catalog.composition.prescriptions import is_sold_in
from shop.catalog.models import Product
from shop.errors import NotFound, ShopError
from shop.markets.requests import MarketRequest

from ..models import Wishlist, WishlistItem
from ..pages import signed_in_from
from ..requests import CustomerRequest
from . import services
from .holder import add_to_current_wishlist, current_wishlist

MAX_ID = 2**63 - 1


@require_safe
def wishlist(request: MarketRequest) -> HttpResponse:
    return _page(request)


def _page(request: MarketRequest, status: int = 200) -> HttpResponse:
    own = current_wishlist(request)
    items = list(own.items.select_related("product__first_variant")) if own else []
    shown = set(_shown([item.product_id for item in items], request))
    context = {
        "here": "wishlist",
        "wishlist": own,
        "items": items,
        "shown": shown,
        "products": [item.product_id for item in items if item.product_id in shown],
        "with_notices": {item.product_id for item in items if _has_notices(item, request)},
        "share_url": request.build_absolute_uri(reverse("shared_wishlist", args=[own.share_key]))
        if own and own.share_key
        else "",
    }
    return render(request, "accounts/wishlist/wishlist.html", context, status=status)


def _shown(product_ids: list[int], request: MarketRequest) -> list[int]:
    """Those that have a page in this market."""
    return list(Product.objects.visible_in(request.market).filter(pk__in=product_ids).values_list("pk", flat=True))


def _has_notices(item: WishlistItem, request: MarketRequest) -> bool:
    """Whether its form is shown: for what is sold here, and for what was asked for elsewhere."""
    return item.wants_price or item.wants_stock or is_sold_in(item.product, request.market)


@require_POST
def change(request: MarketRequest) -> HttpResponse:
    """What a heart's form sends without scripts, which ask api.py: `product`, and `wanted` 1 or 0. Leads to the
    wishlist."""
    product_id, is_wanted = _number(request.POST.get("product", "")), request.POST.get("wanted", "1") != "0"
    response = redirect("wishlist")
    try:
        if is_wanted:
            add_to_current_wishlist(request, response, product_id=product_id, market=request.market)
            messages.success(request, gettext("Saved to your wishlist."))
        elif own := current_wishlist(request):
            services.remove_from_wishlist(own, product_id=product_id)
            messages.success(request, gettext("Removed from your wishlist."))
    except ShopError as refusal:
        messages.error(request, refusal.message)
        return _page(request, status=refusal.status)
    return response


def _number(typed: str) -> int:
    """0 for what is no id."""
    is_id = typed.isascii() and typed.isdecimal() and len(typed) < 20 and int(typed) <= MAX_ID
    return int(typed) if is_id else 0


@require_POST
@signed_in_from("wishlist")
def notices(request: CustomerRequest, pk: int) -> HttpResponse:
    """What the customer wants to be told about one product: `price`, `stock`."""
    own = current_wishlist(request)
    price, stock = "price" in request.POST, "stock" in request.POST
    try:
        if own is None:
            raise NotFound()
        services.ask_for_notices(own, product_id=pk, price=price, stock=stock, market=request.market)
    except NotFound as refusal:
        raise Http404 from refusal
    except ShopError as refusal:
        messages.error(request, refusal.message)
        return _page(request, status=refusal.status)
    words = gettext("We'll email you once, when it happens.") if price or stock else gettext("We won't email you.")
    messages.success(request, words)
    return redirect("wishlist")


@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """Make the address that others can open, or end it (`stop`)."""
    if own := current_wishlist(request):
        if "stop" in request.POST:
            services.stop_sharing(own)
            messages.success(request, gettext("The link no longer works."))
        else:
            services.share(own)
    return redirect("wishlist")


@require_safe
def shared(request: MarketRequest, key: str) -> HttpResponse:
    """What is on a wishlist, for whoever has its address; nothing of the person."""
    own = get_object_or_404(Wishlist, share_key=key)
    wished = services.wished_products(own)
    shown = set(_shown(wished, request))
    context: dict[str, Any] = {"products": [pk for pk in wished if pk in shown]}
    response = render(request, "accounts/wishlist/shared.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response
