"""The customer's own orders: the list, one order, and how a checkout ended. Always private."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from shop.accounts.requests import CustomerRequest

from .models import Order
from .tracker import tracker_of

PAGE_SIZE = 12
TABS = {"all": "All Orders", "ended": "Cancelled / Replaced"}
LONGEST_POLL = 12  # times that the waiting page looks again by itself, every five seconds


@require_safe
@login_required
def orders(request: CustomerRequest) -> HttpResponse:
    tab = request.GET.get("tab", "all")
    own = request.user.orders.with_lines()
    found = own.ended_otherwise() if tab == "ended" else own
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    tabs = [(key, label, key == tab) for key, label in TABS.items()]
    return render(request, "orders/orders.html", {"page": page, "tabs": tabs, "tab": tab})


@require_safe
@login_required
def order_detail(request: CustomerRequest, number: str) -> HttpResponse:
    order = get_object_or_404(request.user.orders.with_lines().prefetch_related("events"), number=number)
    return render(request, "orders/order_detail.html", {"order": order, "steps": tracker_of(order)})


@require_safe
@login_required
def place_order(request: CustomerRequest) -> HttpResponse:
    """How a checkout ended: of ?order=, or the caller's latest. While unpaid it looks again by itself."""
    order = _wanted_order(request)
    if order.is_paid and order.status != Order.Status.CANCELLED:
        return render(request, "orders/place_order.html", {"order": order})
    looked = request.GET.get("looked", "")
    times = int(looked) + 1 if looked.isascii() and looked.isdigit() and len(looked) < 3 else 1
    context = {"order": order, "times": times, "looks_again": times <= LONGEST_POLL and order.is_held()}
    return render(request, "orders/unpaid.html", context)


def _wanted_order(request: CustomerRequest) -> Order:
    own = request.user.orders.with_lines()
    if "order" in request.GET:
        return get_object_or_404(own, number=request.GET["order"])
    latest = own.first()
    if latest is None:
        raise Http404
    return latest
