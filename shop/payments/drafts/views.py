"""The payer's pages behind a draft's link: nobody signs in, the link is the key (orders/drafts/links.py).

Whoever has it sees what is ordered, where it goes and what it costs, and pays; nothing else of the customer.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from shop.errors import Changed, OutOfStock, ProviderDown, ShopError, TooMany
from shop.http.middleware import accepts_foreign_posts
from shop.limits.services import client_of, consume
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest
from shop.orders.drafts.links import draft_of
from shop.orders.drafts.queries import priced, submitted_of
from shop.orders.models import Order, OrderDraft
from shop.orders.placing.services import DraftClosed
from shop.orders.placing.values import EXTRAS
from shop.orders.shipping.tracking_links import tracking_url

from ..checkout.page import changes, draft_page
from ..checkout.pay_step import (
    UNVERIFIED,
    HttpResponseSeeOther,
    PayStep,
    check_step,
    failed_query,
    payment_of_callback,
    show_step,
    simulate,
    take_result,
    without_keys,
)
from ..signals import checkout_submitted, showing_checkout
from .forms import DraftPayForm
from .services import order_draft

WRONG_LINKS = 60  # an hour, of one client; carriers share addresses among many
SHOWN_BY_CHANGES = (Changed.code, OutOfStock.code)  # refusals of which the changes, with old and new figures, say more
DraftView = Callable[[MarketRequest, OrderDraft, str], HttpResponse]


def behind_link(view: DraftView) -> Callable[[MarketRequest, str], HttpResponse]:
    """A page of the draft that a link opens; one page for every link that opens none."""

    @wraps(view)
    def open_link(request: MarketRequest, token: str) -> HttpResponse:
        try:
            return view(request, draft_of(token), token)
        except DraftClosed:
            return _closed(request)

    return open_link


def _closed(request: MarketRequest) -> HttpResponse:
    try:
        consume("draft_link_wrong", client_of(client_address(request)), limit=WRONG_LINKS, period=timedelta(hours=1))
    except TooMany as refusal:
        response = render(request, "payments/drafts/closed.html", {"refusal": refusal.message}, status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response
    return render(request, "payments/drafts/closed.html", status=404)


@require_http_methods(["GET", "HEAD", "POST"])
@behind_link
def draft_link(request: MarketRequest, draft: OrderDraft, token: str) -> HttpResponse:
    """What was prepared, and PAY; once it is ordered, what came of it."""
    if ordered := draft.order:
        return _ordered(request, draft, ordered)
    if request.method != "POST":
        return _page(request, draft, token, problems=_changed_since_sent(draft))
    try:
        if "has_parts" in request.POST and _keep_parts(request, draft):
            return _page(request, draft, token)
    except ShopError as refusal:
        return _page(request, draft, token, problems=[refusal.message], status=refusal.status)
    form = DraftPayForm(request.POST)
    if not form.is_valid():
        return _page(request, draft, token, status=422)
    submitted = form.submitted_totals(request.POST.getlist("line"))
    way = {"payment_method": form.cleaned_data["payment_method"], "payment_option": form.payment_option}
    try:
        order, _ = order_draft(draft, submitted, **way, **{name: form.cleaned_data[name] for name in EXTRAS})
    except ProviderDown as refusal:
        messages.error(request, refusal.message)
        return redirect("draft_pay", token)
    except DraftClosed:
        raise
    except ShopError as refusal:
        words = _refused(draft, submitted, refusal)
        return _page(request, draft_of(token), token, problems=words, status=refusal.status)
    return redirect("draft_link" if order.is_paid else "draft_pay", token)


def _keep_parts(request: MarketRequest, draft: OrderDraft) -> bool:
    """As the checkout does: whether a later app's own button was pressed."""
    answers = checkout_submitted.send(DraftPayForm, request=request, customer=draft.customer, draft=draft)
    return any(answer for _, answer in answers)


def _refused(draft: OrderDraft, submitted: Any, refusal: ShopError) -> list[str]:
    words = changes(submitted, priced(draft))
    return words if words and refusal.code in SHOWN_BY_CHANGES else [refusal.message, *words]


def _changed_since_sent(draft: OrderDraft) -> list[str]:
    """What is not as the message said, with the old and the new figures."""
    return changes(submitted_of(draft.seen), priced(draft)) if draft.seen else []


def _page(
    request: MarketRequest, draft: OrderDraft, token: str, *, problems: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    checkout = draft_page(draft, requested_way=request.POST.get("payment_method", ""))
    form = DraftPayForm(request.POST if request.method == "POST" else None)
    answers = showing_checkout.send(
        DraftPayForm, request=request, customer=draft.customer, view=checkout.view, draft=draft
    )
    context = {
        "draft": draft,
        "token": token,
        "checkout": checkout,
        "parts": [part for _, part in answers if part],
        "cart_view": checkout.view,
        "extras": form.extras(draft.location.code),
        "problems": problems,
        "is_refused": bool(problems) and request.method == "POST",
    }
    return render(request, "payments/drafts/link.html", context, status=status)


def _ordered(request: MarketRequest, draft: OrderDraft, order: Order) -> HttpResponse:
    context = {"draft": draft, "order": order, "track_url": tracking_url(order)}
    return render(request, "payments/drafts/ordered.html", context)


# --- The payment ----------------------------------------------------------------------------------


def of_step(view: Callable[[HttpRequest, PayStep], HttpResponse]) -> Callable[[MarketRequest, str], HttpResponse]:
    """The pay step of the draft's order; where none waits for its payment, the page that says what came of it."""

    @behind_link
    @wraps(view)
    def find_step(request: MarketRequest, draft: OrderDraft, token: str) -> HttpResponse:
        order = draft.live_order
        return view(request, _step(order, token)) if order else redirect("draft_link", token)

    return find_step


def _step(order: Order, token: str) -> PayStep:
    link = reverse("draft_link", args=[token])
    return PayStep(
        order,
        page=reverse("draft_pay", args=[token]),
        result=reverse("draft_result", args=[token]),
        check=reverse("draft_check", args=[token]),
        window=reverse("draft_simulated", args=[token]),
        callback=f"{settings.SHOP_URL}{reverse('draft_callback', args=[token])}",
        outcome=link,
        later=link,
    )


draft_pay = require_http_methods(["GET", "HEAD", "POST"])(of_step(show_step))
draft_result = require_POST(of_step(take_result))
draft_check = require_POST(of_step(check_step))
draft_simulated = without_keys(require_http_methods(["GET", "HEAD", "POST"])(of_step(simulate)))


@accepts_foreign_posts
@require_POST
def draft_callback(request: HttpRequest, token: str) -> HttpResponse:
    """The provider's own form, posted from its site where a window cannot open; see payment_callback."""
    if not request.POST.get("razorpay_payment_id"):
        return HttpResponseSeeOther(f"{reverse('draft_pay', args=[token])}?{failed_query(request)}")
    is_settled = payment_of_callback(request) is not None
    return (
        HttpResponseSeeOther(reverse("draft_link", args=[token])) if is_settled else HttpResponseBadRequest(UNVERIFIED)
    )
