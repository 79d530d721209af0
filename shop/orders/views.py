"""The customer's own orders: the list, one order, and how a checkout ended; and tracking for visitors.
Always private, never cached."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from shop.accounts.pages import form_page, signed_in_from
from shop.accounts.requests import CustomerRequest
from shop.backoffice.actors import customer_actor
from shop.cart.services import open_cart
from shop.errors import NotFound, ShopError, TooMany
from shop.limits.services import client_of
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from .models import Order
from .placing.address_change import TOO_LATE, change_address
from .placing.forms import OrderAddressForm, TrackForm
from .placing.reorder import refusals_of, reorder
from .present import before_packing, money_words_of, payment_words, refunds_of
from .returns.cancellation import may_cancel_units
from .returns.present import returns_of
from .shipping.line_progress import line_progress_of
from .shipping.progress import parcels_of, rest_follows, tracker_of, tracking_events_of
from .shipping.tracking import NUMBER, track_order
from .shipping.tracking_links import tracked_order

PAGE_SIZE = 12
MAX_SEARCH_LENGTH = 100
TABS = {"all": gettext_noop("All Orders"), "ended": gettext_noop("Cancelled / Replaced")}
MAX_POLL = 12  # times that the waiting page looks again by itself, every five seconds


@require_safe
@login_required
def orders(request: CustomerRequest) -> HttpResponse:
    tab = "ended" if request.GET.get("tab") == "ended" else "all"
    words = request.GET.get("q", "").replace("\x00", "").strip()[:MAX_SEARCH_LENGTH]
    own = request.user.orders.with_lines().prefetch_related("events")
    found = own.ended_otherwise() if tab == "ended" else own
    page = Paginator(found.matching(words), PAGE_SIZE).get_page(request.GET.get("page"))
    tabs = [(key, gettext(label), key == tab) for key, label in TABS.items()]
    part = "#found" if request.htmx else ""
    return render(request, f"orders/orders.html{part}", {"page": page, "tabs": tabs, "tab": tab, "words": words})


@require_safe
@login_required
def latest_order(request: CustomerRequest) -> HttpResponse:
    """/order-detail/ without a number: the latest order, or the empty list."""
    latest = request.user.orders.first()
    return redirect("order_detail", latest.number) if latest else redirect("orders")


@require_safe
@login_required
def order_detail(request: CustomerRequest, number: str) -> HttpResponse:
    order = get_object_or_404(request.user.orders.with_lines().with_parcels().with_returns(), number=number)
    context = {
        "order": order,
        "lines": line_progress_of(order),
        "refunds": refunds_of(order),
        "steps": tracker_of(order),
        "parcels": parcels_of(order),
        "rest_follows": rest_follows(order),
        "happenings": tracking_events_of(order),
        "payment": payment_words(order),
        "money_words": money_words_of(order),
        "returns": returns_of(order),
        "may_cancel_units": may_cancel_units(order),
    }
    return render(request, "orders/order_detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def order_address(request: CustomerRequest, number: str) -> HttpResponse:
    """Another address or phone for an own order, until it is packed."""
    order = get_object_or_404(request.user.orders.select_related("location"), number=number)
    form = OrderAddressForm(request.POST or None, order=order)
    error = None
    if not order.is_address_open:
        messages.warning(request, gettext(TOO_LATE))
        return redirect("order_detail", number)
    if request.method == "POST" and form.is_valid():
        try:
            by, seen = customer_actor(request.user.pk), form.cleaned_data["seen"] or None
            change_address(order, form.address_fields(), actor=by, seen=seen)
        except ShopError as refusal:
            error = refusal
        else:
            messages.success(request, gettext("Address Updated Successfully"))
            return redirect("order_detail", number)
    return form_page(request, "orders/placing/order_address.html", form, error, order=order)


@require_POST
@signed_in_from("order_detail")
def order_again(request: CustomerRequest, number: str) -> HttpResponse:
    """Reorder: what can be had goes into the cart; the cart says what could not."""
    order = get_object_or_404(request.user.orders, number=number)
    lines = reorder(order, open_cart(request.user), request.market)
    if any(line.added for line in lines):
        messages.success(request, gettext("Product added to cart successfully!"))
    for words in refusals_of(lines):
        messages.warning(request, words)
    return redirect("cart")


@require_POST
@signed_in_from("order_detail")
def restore_order(request: CustomerRequest, number: str) -> HttpResponse:
    """What was not paid goes back into the cart, and on to the checkout; to the cart where some of it is not to be
    had any more. An order that still waits for its payment is paid as it is."""
    order = get_object_or_404(request.user.orders, number=number)
    if order.status == Order.Status.PENDING and order.is_held():
        return redirect("pay", number)
    missing = [line for line in reorder(order, open_cart(request.user), request.market) if not line.is_there]
    for words in refusals_of(missing):
        messages.warning(request, words)
    return redirect("cart" if missing else "checkout")


# --- How a checkout ended: of ?order=, or of the caller's latest order -------------------------


def outcome_page(view: Callable[[CustomerRequest, Order], HttpResponse]) -> Callable[[CustomerRequest], HttpResponse]:
    """A page about one order of the caller: that of ?order= (404 for somebody else's), or the latest. Who has
    none sees the list."""

    @require_safe
    @login_required
    @wraps(view)
    def find_order(request: CustomerRequest) -> HttpResponse:
        order = _requested_order(request)
        return view(request, order) if order else redirect("orders")

    return find_order


@outcome_page
def place_order(request: CustomerRequest, order: Order) -> HttpResponse:
    """The placed order; while it is unpaid, the page looks again by itself."""
    if _is_placed(order):
        return HttpResponseClientRedirect(request.get_full_path()) if request.htmx else _receipt(request, order)
    part = "#waiting" if request.htmx else ""
    return render(request, f"orders/placing/unpaid.html{part}", _waiting(request, order))


@outcome_page
def order_success(request: CustomerRequest, order: Order) -> HttpResponse:
    return _receipt(request, order) if _is_placed(order) else _to_outcome("place_order", order)


@outcome_page
def order_summary(request: CustomerRequest, order: Order) -> HttpResponse:
    """/ordersummery/: what was ordered, titled "Orders Summary", in whatever state it is."""
    return render(request, "orders/placing/order_summary.html", _costs(order))


@outcome_page
def order_cancel(request: CustomerRequest, order: Order) -> HttpResponse:
    """The page of an order that was not paid, or was cancelled; a placed one is shown as such."""
    if _is_placed(order):
        return _to_outcome("order_success", order)
    return render(request, "orders/placing/unpaid.html", _waiting(request, order))


@outcome_page
def order_con(request: CustomerRequest, order: Order) -> HttpResponse:
    """'Thank You!' with order id, date and price, or that the payment is not complete."""
    context = {"order": order, "is_placed": _is_placed(order), "before_packing": before_packing(order)}
    return render(request, "orders/placing/order_con.html", context)


def _receipt(request: CustomerRequest, order: Order) -> HttpResponse:
    return render(request, "orders/placing/place_order.html", _costs(order))


def _costs(order: Order) -> dict[str, Any]:
    return {"order": order, "payment": payment_words(order), "refunds": refunds_of(order)}


def _is_placed(order: Order) -> bool:
    return order.is_paid and order.status != Order.Status.CANCELLED


def _to_outcome(name: str, order: Order) -> HttpResponse:
    response = redirect(name)
    response["Location"] += f"?order={order.number}"
    return response


def _waiting(request: CustomerRequest, order: Order) -> dict[str, Any]:
    """How often the page has looked for the payment already, and whether it looks again by itself."""
    looked = request.GET.get("looked", "")
    times = int(looked) + 1 if looked.isascii() and looked.isdigit() and len(looked) < 3 else 1
    return {
        "order": order,
        "times": times,
        "looks_again": times <= MAX_POLL and order.is_held(),
        "money_words": money_words_of(order),
    }


def _requested_order(request: CustomerRequest) -> Order | None:
    own = request.user.orders.with_lines()
    if "order" not in request.GET:
        return own.first()
    number = request.GET["order"]
    if not NUMBER.fullmatch(number):
        raise Http404
    order: Order = get_object_or_404(own, number=number)
    return order


# --- For visitors -----------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def track_orders(request: MarketRequest) -> HttpResponse:
    """Where an order is, by its number and phone: status, steps and parcels, nothing of the person."""
    form = TrackForm(request.POST or None, initial={"number": request.GET.get("order", "")[:40]})
    if request.method != "POST" or not form.is_valid():
        return render(request, "orders/shipping/track_orders.html", {"form": form}, status=422 if form.errors else 200)
    try:
        order = track_order(**form.cleaned_data, client=client_of(client_address(request)))
    except NotFound as refusal:
        form.add_error(None, refusal.message)
        return render(request, "orders/shipping/track_orders.html", {"form": form}, status=404)
    except TooMany as refusal:
        form.add_error(None, refusal.message)
        response = render(request, "orders/shipping/track_orders.html", {"form": form}, status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response
    context = {"form": TrackForm(), "order": order, "steps": tracker_of(order), "parcels": parcels_of(order)}
    return render(request, "orders/shipping/track_orders.html", context)


@require_safe
def tracked(request: MarketRequest, token: str) -> HttpResponse:
    """What the link in a mail or SMS opens: where the order and each of its lines is, nothing of the person."""
    try:
        order = tracked_order(token)
    except NotFound:
        return render(request, "orders/shipping/track_orders.html", {"form": TrackForm(), "is_old": True}, status=404)
    context = {
        "order": order,
        "lines": line_progress_of(order),
        "steps": tracker_of(order),
        "parcels": parcels_of(order),
        "returns": [row for row in returns_of(order) if row.choices],
    }
    return render(request, "orders/shipping/tracked.html", context)
