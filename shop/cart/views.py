from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from shop.catalog.models import Variant
from shop.errors import ShopError, TooMany
from shop.markets.geography.detection import client_address
from shop.markets.geography.remembered_pin import remembered_pin
from shop.markets.requests import MarketRequest

from . import services
from .holder import current_cart, fill_cart
from .models import Cart
from .present import present_cart
from .totals import CartView, price_cart

MAX_ID = 2**63 - 1
MAX_CODE_LENGTH = 60


@dataclass(frozen=True)
class Removed:
    """A line that was just taken out."""

    variant: Variant
    quantity: int
    was_saved: bool


def _priced(request: MarketRequest) -> CartView:
    return price_cart(current_cart(request), request.market, pincode=remembered_pin(request))


@require_safe
def cart(request: MarketRequest) -> HttpResponse:
    return _cart_page(request, _priced(request))


@require_safe
def cart_preview(request: MarketRequest) -> HttpResponse:
    """What the drawer of the header shows; with `?added=` of a variant the line that was just added."""
    view = _priced(request)
    variant_id = _number(request.GET.get("added", ""))
    added = next((line for line in view.lines if line.variant.pk == variant_id), None)
    template = "cart/added.html" if added else "cart/preview.html"
    return render(request, template, {"cart_view": view, "added": added})


def _cart_page(request: MarketRequest, view: CartView, refusal: ShopError | None = None) -> HttpResponse:
    context = {
        "cart_view": view,
        "cart_props": {"cart": present_cart(view)},
        "removed": _removed(request, view),
        "coupon_error": refusal.message if refusal else "",
        "coupon_typed": request.POST.get("coupon_code", "")[:MAX_CODE_LENGTH],
    }
    response = render(request, "cart/cart.html", context, status=refusal.status if refusal else 200)
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.retry_after)
    return response


def _removed(request: MarketRequest, view: CartView) -> Removed | None:
    """What the last action took out, as its address says, while it is out."""
    variant_id = _number(request.GET.get("removed", ""))
    if not variant_id or variant_id in {line.variant.pk for line in [*view.lines, *view.saved]}:
        return None
    variant = Variant.objects.select_related("product").filter(pk=variant_id, product__is_published=True).first()
    quantity = _number(request.GET.get("quantity", "")) or 1
    return Removed(variant, quantity, "saved" in request.GET) if variant else None


@require_POST
def cart_add(request: MarketRequest) -> HttpResponse:
    """Add from a card or the product page; answers with the cart, or a refusal said there."""
    return _add(request)


@require_POST
def cart_restore(request: MarketRequest) -> HttpResponse:
    """Undo a removal: the line comes back with its quantity, and to where it was."""
    return _add(request, is_saved=bool(request.POST.get("saved")))


def _add(request: MarketRequest, *, is_saved: bool = False) -> HttpResponse:
    response = redirect("cart")
    variant_id = _whole(request, "variant")
    try:
        own = fill_cart(
            request,
            response,
            variant_id=variant_id,
            quantity=_whole(request, "quantity", 1),
            market=request.market,
        )
        if is_saved:
            services.save_for_later(own, variant_id=variant_id)
        messages.success(request, gettext("Product added to cart successfully!"))
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
            own,
            variant_id=_whole(request, "variant"),
            quantity=_whole(request, "quantity"),
            market=request.market,
        ),
        gettext("Quantity updated successfully"),
    )


@require_POST
def cart_remove(request: MarketRequest) -> HttpResponse:
    """The page that follows offers to undo it."""
    variant_id = _whole(request, "variant")
    own = current_cart(request)
    line = own.lines.filter(variant_id=variant_id).first() if own else None
    if own is None or line is None:
        return redirect("cart")
    services.remove_from_cart(own, variant_ids=[variant_id])
    messages.success(request, gettext("Product Delete Success"))
    what = {"removed": variant_id, "quantity": line.quantity} | ({"saved": 1} if line.is_saved else {})
    return HttpResponseRedirect(f"{reverse('cart')}?{urlencode(what)}")


@require_POST
def cart_save(request: MarketRequest) -> HttpResponse:
    return _change(
        request,
        lambda own: services.save_for_later(own, variant_id=_whole(request, "variant")),
        gettext("Saved for later"),
    )


@require_POST
def cart_move(request: MarketRequest) -> HttpResponse:
    return _change(
        request,
        lambda own: services.move_to_cart(own, variant_id=_whole(request, "variant"), market=request.market),
        gettext("Product added to cart successfully!"),
    )


@require_POST
def cart_coupon(request: MarketRequest) -> HttpResponse:
    """Apply a coupon; a refusal is said at its field."""
    own = current_cart(request)
    try:
        services.use_coupon(
            own,
            code=request.POST.get("coupon_code", "")[:MAX_CODE_LENGTH],
            market=request.market,
            client_address=client_address(request),
        )
    except ShopError as refusal:
        return _cart_page(request, price_cart(own, request.market, pincode=remembered_pin(request)), refusal)
    messages.success(request, gettext("Coupon applied"))
    return redirect("cart")


@require_POST
def cart_coupon_remove(request: MarketRequest) -> HttpResponse:
    return _change(request, services.remove_coupon, gettext("Coupon removed"))


@require_POST
def cart_points(request: MarketRequest) -> HttpResponse:
    use = bool(request.POST.get("use_points"))
    return _change(request, lambda own: services.use_points(own, use=use), gettext("Points updated"))


def _change(request: MarketRequest, change: Callable[[Cart], None], done: str) -> HttpResponse:
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
    return _number(text) if text else default


def _number(text: str) -> int:
    return min(int(text), MAX_ID) if text.isascii() and text.isdigit() and len(text) < 20 else 0
