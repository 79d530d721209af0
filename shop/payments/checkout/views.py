"""The checkout: where to, how it is paid, and PAY. Without scripts it is one form; with them, choosing an
address refreshes the summary alone."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from shop.accounts.auth.forms import AddressForm, explain, new_address_form, typed_address
from shop.accounts.auth.services import MAX_ADDRESSES, add_address, choose_address
from shop.accounts.models import Address
from shop.accounts.requests import CustomerRequest
from shop.accounts.sessions.session import address_draft, forget_address_draft, keep_address_draft
from shop.cart.holder import current_cart
from shop.cart.totals import price_cart
from shop.errors import Changed, OutOfStock, ProviderDown, ShopError
from shop.markets.canonical import bare_path
from shop.markets.middleware import remember_market
from shop.markets.queries import market_registry
from shop.orders.placing.values import EXTRAS, PlaceOrder

from ..services import check_out
from .forms import CheckoutForm
from .page import changes, checkout_page

# Refusals of which the changes themselves, with old and new figures, say more.
SHOWN_BY_CHANGES = (Changed.code, OutOfStock.code)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def checkout(request: CustomerRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    form = CheckoutForm(request.POST)
    if not form.is_valid():
        if form.errors.keys() - EXTRAS.keys():
            messages.warning(request, "Add Address Details")
        return _page(request, typed=typed_address(request.POST), status=422)
    own = request.user.addresses.select_related("country")
    requested = form.place_order(
        customer=request.user,
        address=get_object_or_404(own, pk=form.cleaned_data["address_id"]),
        cart=current_cart(request),
        market=request.market,
        lines=request.POST.getlist("line"),
    )
    try:
        order, _ = check_out(requested)
    except ProviderDown as refusal:
        messages.error(request, refusal.message)
        return redirect("pay", request.user.orders.latest("id").number)
    except ShopError as refusal:
        return _refused(request, requested, refusal)
    return redirect("pay", order.number)


def _refused(request: CustomerRequest, requested: PlaceOrder, refusal: ShopError) -> HttpResponse:
    """The page again with the new figures in words; the chosen address and what was typed stay."""
    words = changes(requested.submitted, price_cart(current_cart(request), request.market))
    if not words or refusal.code not in SHOWN_BY_CHANGES:
        words.insert(0, refusal.message)
    return _page(
        request,
        requested_id=requested.address.pk,
        typed=typed_address(request.POST),
        problems=words,
        status=refusal.status,
    )


@require_POST
@login_required
def checkout_choose(request: CustomerRequest) -> HttpResponse:
    """The radio of an address makes it the default; answers the summary for it."""
    chosen = _choose(request)
    if not request.htmx:
        return redirect("checkout")
    checkout = checkout_page(request.user, price_cart(current_cart(request), request.market), requested_id=chosen)
    return render(request, "payments/checkout/_summary.html", {"checkout": checkout, "cart_view": checkout.view})


@require_POST
@login_required
def checkout_address(request: CustomerRequest) -> HttpResponse:
    """Add an address without leaving the checkout; it becomes the chosen one. With nothing typed, Enter
    was pressed on the list: the chosen address of that is meant."""
    if not typed_address(request.POST) and request.POST.get("address_id"):
        _choose(request)
        return redirect("checkout")
    form = AddressForm(request.POST, country_code=request.market.country_code)
    if not form.is_valid():
        return _page(request, form=form)
    try:
        add_address(request.user, request.market, form.address_fields(), is_default=True)
    except ShopError as refusal:
        explain(form, refusal)
        return _page(request, form=form)
    forget_address_draft(request)
    messages.success(request, "Address Added Successfully")
    return redirect("checkout")


@require_POST
@login_required
def checkout_deliver(request: CustomerRequest) -> HttpResponse:
    """Deliver to the country of an own address: it is chosen, and everything priced anew for it."""
    address = _own_address(request, request.POST.get("deliver_to", ""))
    location = market_registry().locations.get(address.country_id)
    if location is None:
        messages.error(request, f"We do not deliver to {address.country.name} at the moment.")
        return redirect("checkout")
    choose_address(request.user, address.pk)
    keep_address_draft(request, typed_address(request.POST))
    response = HttpResponseRedirect(f"/en-{location.code.lower()}{bare_path(reverse('checkout'))}")
    remember_market(response, country=location.code, currency=None)
    return response


def _choose(request: CustomerRequest) -> int:
    address = _own_address(request, request.POST.get("address_id", ""))
    choose_address(request.user, address.pk)
    return address.pk


def _own_address(request: CustomerRequest, named: str) -> Address:
    """The customer's own; anything else, nonsense included, is not found."""
    pk = int(named) if named.isascii() and named.isdigit() and len(named) < 19 else 0
    return get_object_or_404(request.user.addresses.select_related("country"), pk=pk)


def _page(
    request: CustomerRequest,
    *,
    form: AddressForm | None = None,
    typed: dict[str, str] | None = None,
    requested_id: int | None = None,
    problems: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    view = price_cart(current_cart(request), request.market)
    if not view.lines:
        messages.warning(request, "Cart is Empty")
        return redirect("cart")
    checkout = checkout_page(request.user, view, requested_id=requested_id)
    draft = typed or address_draft(request)
    extras = CheckoutForm(request.POST if request.method == "POST" else None).extras()
    context = {
        "checkout": checkout,
        "extras": extras,
        "cart_view": view,
        "problems": problems,
        "form": form or new_address_form(request.user, country_code=request.market.country_code, draft=draft),
        "can_add": len(checkout.choices) < MAX_ADDRESSES,
        "is_open": bool(form or draft or not checkout.choices),
    }
    return render(request, "payments/checkout/checkout.html", context, status=422 if form else status)
