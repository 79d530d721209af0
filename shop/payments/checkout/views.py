"""The checkout: where to, how it is paid, and PAY. Without scripts it is one form; with them, choosing an
address refreshes the summary alone."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from shop.accounts.auth.forms import AddressForm, explain, new_address_form, typed_address
from shop.accounts.auth.services import MAX_ADDRESSES, add_address, choose_address
from shop.accounts.models import Address
from shop.accounts.pages import signed_in_from
from shop.accounts.requests import CustomerRequest
from shop.accounts.sessions.session import address_draft, forget_address_draft, keep_address_draft
from shop.cart.holder import current_cart
from shop.cart.services import remove_coupon, use_coupon, use_points
from shop.cart.totals import CartView, price_cart
from shop.cart.views import MAX_CODE_LENGTH
from shop.errors import Changed, OutOfStock, ProviderDown, ShopError, TooMany
from shop.markets.canonical import bare_path
from shop.markets.geography.detection import client_address
from shop.markets.geography.remembered_pin import remembered_pin
from shop.markets.middleware import remember_market
from shop.markets.queries import market_registry
from shop.orders.placing.values import EXTRAS, PlaceOrder

from ..services import check_out
from ..signals import checkout_submitted, showing_checkout
from .forms import CheckoutForm
from .page import CheckoutPage, changes, checkout_page

# Refusals of which the changes themselves, with old and new figures, say more.
SHOWN_BY_CHANGES = (Changed.code, OutOfStock.code)
MAX_PINCODE_LENGTH = 12


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def checkout(request: CustomerRequest) -> HttpResponse:
    """The page; PAY sends it, with the first address as it was typed where there is none to choose."""
    if request.method != "POST":
        return _page(request)
    try:
        is_done = "has_parts" in request.POST and _keep_parts(request)
    except ShopError as refusal:
        return _page_as_typed(request, problems=[refusal.message], status=refusal.status)
    if is_done:
        return _page_as_typed(request)
    posted = request.POST.copy()
    if not posted.get("address_id") and typed_address(posted):
        address, address_form = _add_typed(request)
        if address is None:
            messages.warning(request, gettext("Add Address Details"))
            return _page(request, form=address_form)
        posted["address_id"] = str(address.pk)
    form = CheckoutForm(posted)
    if not form.is_valid():
        if form.errors.keys() - EXTRAS.keys():
            messages.warning(request, gettext("Add Address Details"))
        return _page(request, typed=_still_typed(request, posted), status=422)
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
        return _refused(request, requested, refusal, _still_typed(request, posted))
    return redirect("pay", order.number)


def _keep_parts(request: CustomerRequest) -> bool:
    """Let later apps keep what their parts of the form brought; whether one of their own buttons was pressed."""
    return any(
        answer
        for _, answer in checkout_submitted.send(CheckoutForm, request=request, customer=request.user, draft=None)
    )


def _page_as_typed(request: CustomerRequest, *, problems: Sequence[str] = (), status: int = 200) -> HttpResponse:
    """The page again with what was chosen and typed."""
    chosen = _number(request.POST.get("address_id", ""))
    return _page(request, requested_id=chosen, typed=typed_address(request.POST), problems=problems, status=status)


def _still_typed(request: CustomerRequest, posted: QueryDict) -> dict[str, str]:
    """What stands in the address form, unless it has just been kept."""
    is_kept = posted.get("address_id") != request.POST.get("address_id")
    return {} if is_kept else typed_address(request.POST)


def _add_typed(request: CustomerRequest) -> tuple[Address | None, AddressForm]:
    """Keep the address as it was typed and make it the default; None where its form says what is wrong."""
    form = AddressForm(request.POST, country_code=request.market.country_code)
    if not form.is_valid():
        return None, form
    try:
        address = add_address(request.user, request.market, form.address_fields(), is_default=True)
    except ShopError as refusal:
        explain(form, refusal)
        return None, form
    forget_address_draft(request)
    return address, form


def _refused(
    request: CustomerRequest, requested: PlaceOrder, refusal: ShopError, typed: dict[str, str]
) -> HttpResponse:
    """The page again with the new figures in words; the chosen address and what was typed stay."""
    words = changes(requested.submitted, price_cart(current_cart(request), request.market))
    if not words or refusal.code not in SHOWN_BY_CHANGES:
        words.insert(0, refusal.message)
    return _page(
        request,
        requested_id=requested.address.pk,
        typed=typed,
        problems=words,
        status=refusal.status,
    )


@require_POST
@signed_in_from("checkout")
def checkout_choose(request: CustomerRequest) -> HttpResponse:
    """The radio of an address makes it the default; answers the summary for it, or for the PIN code of the first
    address that is being typed."""
    is_typing = request.htmx and not request.POST.get("address_id") and "pincode" in request.POST
    chosen = None if is_typing else _choose(request)
    if not request.htmx:
        return redirect("checkout")
    return _changed_parts(request, requested_id=chosen)


@require_POST
@signed_in_from("checkout")
def checkout_reductions(request: CustomerRequest) -> HttpResponse:
    """Apply or remove a coupon, use points or not, without leaving the checkout; a refusal is said at the field."""
    own, change = current_cart(request), request.POST.get("change", "apply")
    refusal: ShopError | None = None
    try:
        if change == "apply":
            typed = request.POST.get("coupon_code", "")[:MAX_CODE_LENGTH]
            use_coupon(own, code=typed, market=request.market, client_address=client_address(request))
        elif own and change == "remove":
            remove_coupon(own)
        elif own and change == "points":
            use_points(own, use=bool(request.POST.get("use_points")))
    except ShopError as error:
        refusal = error
    if request.htmx:
        response = _changed_parts(request, requested_id=_number(request.POST.get("address_id", "")), refusal=refusal)
    elif refusal:
        response = _page(request, coupon_refusal=refusal, status=refusal.status)
    else:
        return redirect("checkout")
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.retry_after)
    return response


def _changed_parts(
    request: CustomerRequest, *, requested_id: int | None, refusal: ShopError | None = None
) -> HttpResponse:
    view = price_cart(current_cart(request), request.market)
    if not view.lines:
        return HttpResponseClientRedirect(reverse("cart"))
    checkout = _checkout_page(request, view, requested_id, request.POST.get("pincode", ""))
    context = {"checkout": checkout} | _reductions(request, view, refusal)
    status = refusal.status if refusal else 200
    return render(request, "payments/checkout/_changed.html", context, status=status)


def _reductions(request: CustomerRequest, view: CartView, refusal: ShopError | None) -> dict[str, Any]:
    return {
        "cart_view": view,
        "coupon_error": refusal.message if refusal else "",
        "coupon_typed": request.POST.get("coupon_code", "")[:MAX_CODE_LENGTH] if refusal else "",
    }


@require_POST
@signed_in_from("checkout")
def checkout_address(request: CustomerRequest) -> HttpResponse:
    """Add an address without leaving the checkout; it becomes the chosen one, and what else was filled in stays:
    sent again, as by a reload, the address is there once. With nothing typed, Enter was pressed on the list: the
    chosen address of that is meant."""
    if not typed_address(request.POST) and request.POST.get("address_id"):
        _choose(request)
        return redirect("checkout")
    problems: list[str] = []
    try:
        if "has_parts" in request.POST:
            _keep_parts(request)
    except ShopError as refusal:
        problems.append(refusal.message)
    address, form = _add_typed(request)
    if address is None:
        return _page(request, form=form, problems=problems)
    messages.success(request, gettext("Address Added Successfully"))
    return _page(request, requested_id=address.pk, problems=problems)


@require_POST
@signed_in_from("checkout")
def checkout_deliver(request: CustomerRequest) -> HttpResponse:
    """Deliver to the country of an own address: it is chosen, and everything priced anew for it."""
    address = _own_address(request, request.POST.get("deliver_to", ""))
    location = market_registry().locations.get(address.country_id)
    if location is None:
        words = gettext("We don't deliver to %(country)s at the moment.")
        messages.error(request, words % {"country": address.country.local_name})
        return redirect("checkout")
    choose_address(request.user, address.pk)
    keep_address_draft(request, typed_address(request.POST))
    market = market_registry().market(location, language=request.market.language)
    response = HttpResponseRedirect(f"{market.prefix}{bare_path(reverse('checkout')).lstrip('/')}")
    remember_market(response, country=location.code, currency=None)
    return response


def _number(named: str) -> int:
    return int(named) if named.isascii() and named.isdigit() and len(named) < 19 else 0


def _choose(request: CustomerRequest) -> int:
    address = _own_address(request, request.POST.get("address_id", ""))
    choose_address(request.user, address.pk)
    return address.pk


def _own_address(request: CustomerRequest, named: str) -> Address:
    """The customer's own; anything else, nonsense included, is not found."""
    return get_object_or_404(request.user.addresses.select_related("country"), pk=_number(named))


def _page(
    request: CustomerRequest,
    *,
    form: AddressForm | None = None,
    typed: dict[str, str] | None = None,
    requested_id: int | None = None,
    problems: Sequence[str] = (),
    coupon_refusal: ShopError | None = None,
    status: int = 200,
) -> HttpResponse:
    view = price_cart(current_cart(request), request.market)
    if not view.lines:
        messages.warning(request, gettext("Cart is Empty"))
        return redirect("cart")
    draft = typed or address_draft(request)
    if form is None:
        form = new_address_form(
            request.user, country_code=request.market.country_code, draft=draft, pincode=remembered_pin(request)
        )
    checkout = _checkout_page(request, view, requested_id, form["pincode"].value() or "")
    extras = CheckoutForm(request.POST if request.method == "POST" else None).extras(request.market.country_code)
    answers = showing_checkout.send(CheckoutPage, request=request, customer=request.user, view=view, draft=None)
    context = {
        "checkout": checkout,
        "extras": extras,
        "parts": [part for _, part in answers if part],
        **_reductions(request, view, coupon_refusal),
        "problems": problems,
        "form": form,
        "can_add": len(checkout.choices) < MAX_ADDRESSES,
        "is_open": bool(form.is_bound or draft or not checkout.choices),
    }
    return render(request, "payments/checkout/checkout.html", context, status=422 if form.is_bound else status)


def _checkout_page(request: CustomerRequest, view: CartView, requested_id: int | None, pincode: str) -> CheckoutPage:
    way = request.POST.get("payment_method", "")
    typed = pincode.strip()[:MAX_PINCODE_LENGTH]
    return checkout_page(request.user, view, requested_id=requested_id, requested_way=way, pincode=typed)
