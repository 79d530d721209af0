"""A customer's own refills, and what the link of a reminder opens."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from shop.accounts.pages import form_page, signed_in_from
from shop.accounts.requests import CustomerRequest
from shop.cart.holder import fill_cart_with
from shop.cart.models import Cart
from shop.cart.services import add_available
from shop.catalog.models import Variant
from shop.errors import NotFound, ShopError
from shop.http.middleware import accepts_posts_of_programs
from shop.markets.requests import MarketRequest

from ..models import Refill, RefillReminder
from . import services
from .forms import RefillForm
from .links import reminder_of
from .present import RefillOffer, offers_of, own_refills
from .queries import bought_lines

MAX_BOUGHT = 8  # products that the account's page offers to remind of
STEPS = {
    "pause": (services.pause_refill, gettext_lazy("Paused. We won't remind you until you resume.")),
    "resume": (services.resume_refill, gettext_lazy("We'll remind you again.")),
    "end": (services.end_refill, gettext_lazy("Stopped. We won't remind you about it again.")),
}
LIST, FORM, LINK, END = (f"pharmacy/refills/{name}.html" for name in ("refills", "refill", "mailed", "end"))


# --- In the account -------------------------------------------------------------------------------


@require_safe
@login_required
def refills(request: CustomerRequest) -> HttpResponse:
    own = request.user.refills.living().with_purchases().select_related("variant")
    rows = own_refills(own, request.market)
    context = {"here": "refills", "rows": rows, "bought": _bought(request, {row.refill.variant_id for row in rows})}
    return render(request, LIST, context)


def _bought(request: CustomerRequest, known: set[int]) -> list[Any]:
    """The latest lines of products that are sold here and not yet reminded of, one a pack."""
    lines = bought_lines().filter(order__customer=request.user, variant__is_active=True)
    shown = lines.filter(variant__product__is_published=True).exclude(variant__in=known)
    newest: dict[int, Any] = {}
    for line in shown.select_related("order", "picture").order_by("-order__placed_at", "pk")[: 10 * MAX_BOUGHT]:
        newest.setdefault(line.variant_id, line)
    return list(newest.values())[:MAX_BOUGHT]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ask(request: CustomerRequest, number: str, pk: int) -> HttpResponse:
    """Ask to be reminded of a line of an own order; of a pack that is reminded of, change that."""
    try:
        line = services.bought_line(pk, customer=request.user)
    except NotFound as refusal:
        raise Http404 from refusal
    if line.order.number != number:
        raise Http404
    known = request.user.refills.living().filter(variant=line.variant_id).first()
    if known:
        return redirect("refill", known.pk)
    quantity = min(line.kept, line.variant.max_purchase_qty)
    form = RefillForm(request.POST or None, variant=line.variant, quantity=quantity)
    return _save(request, form, line.variant, line.order.location_id)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def refill(request: CustomerRequest, pk: int) -> HttpResponse:
    """Change an own one."""
    own = request.user.refills.living().with_purchases().select_related("variant__product")
    known = get_object_or_404(own, pk=pk)
    form = RefillForm(request.POST or None, variant=known.variant, shown=known)
    return _save(request, form, known.variant, known.location_id, known)


def _save(
    request: CustomerRequest, form: RefillForm, variant: Variant, location_id: int, known: Any = None
) -> HttpResponse:
    error = None
    if request.method == "POST" and form.is_valid():
        try:
            saved = services.save_refill(request.user, variant, form.refill_request(), location_id=location_id)
        except ShopError as refusal:
            error = refusal
        else:
            words = gettext("Saved. We'll remind you on %(day)s.")
            messages.success(request, words % {"day": date_format(saved.next_on, "j F Y")})
            return redirect("refills")
    shown = known or Refill(variant=variant, quantity=1)
    [offer] = offers_of([shown], request.market)
    row = own_refills([known], request.market)[0] if known else None
    return form_page(request, FORM, form, error, here="refills", offer=offer, row=row)


@require_POST
@signed_in_from("refills")
def step(request: CustomerRequest, pk: int, step: str) -> HttpResponse:
    """Pause, resume or end an own one."""
    if step not in STEPS:
        raise Http404
    act, words = STEPS[step]
    try:
        act(request.user, pk)
    except NotFound as refusal:
        raise Http404 from refusal
    messages.success(request, words)
    return redirect("refills")


# --- From a message -------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def mailed_refill(request: MarketRequest, token: str) -> HttpResponse:
    """What was due, at today's prices here; its button fills the cart of whoever opened it. Opening changes nothing,
    since mail programs and scanners follow links too."""
    try:
        reminder = reminder_of(token)
    except NotFound:
        return render(request, LINK, {"is_unknown": True}, status=400)
    offers = _offers_of(reminder, request)
    return _fill(request, token, offers) if request.method == "POST" else _link_page(request, token, offers)


def _offers_of(reminder: RefillReminder, request: MarketRequest) -> list[RefillOffer]:
    return offers_of(reminder.refills.order_by("pk"), request.market)


def _link_page(request: MarketRequest, token: str, offers: list[RefillOffer], status: int = 200) -> HttpResponse:
    context = {
        "token": token,
        "offers": [offer for offer in offers if not offer.line.problem],
        "missing": [offer for offer in offers if offer.line.problem],
    }
    return render(request, LINK, context, status=status)


def _fill(request: MarketRequest, token: str, offers: list[RefillOffer]) -> HttpResponse:
    """Add what can be had; what can't is named beside the cart, or here where nothing could."""
    response = redirect("cart")
    refusals: list[str] = []

    def fill(cart: Cart) -> None:
        there = 0
        for offer in offers:
            added = add_available(
                cart, variant=offer.line.variant, quantity=offer.refill.quantity, market=request.market
            )
            there += added.units + added.in_cart
            refusals.extend(filter(None, [added.words(offer.name)]))
        if not there:
            raise NotFound(gettext("Nothing can be added at the moment."))

    try:
        fill_cart_with(request, response, fill)
    except NotFound as refusal:
        messages.error(request, refusal.message)
        return _link_page(request, token, offers, status=409)
    if len(refusals) < len(offers):
        messages.success(request, gettext("Product added to cart successfully!"))
    for words in refusals:
        messages.warning(request, words)
    return response


@accepts_posts_of_programs
@require_http_methods(["GET", "HEAD", "POST"])
def end_mailed_refill(request: MarketRequest, token: str) -> HttpResponse:
    """The mail's link shows the buttons; a mail program's own button posts here from elsewhere (RFC 8058) and ends all
    that the mail is about."""
    try:
        reminder = reminder_of(token)
    except NotFound:
        return render(request, END, {"is_unknown": True}, status=400)
    rows = reminder.refills.all()
    ended = None
    if request.method == "POST":
        chosen = request.POST.get("refill", "")
        is_one = chosen.isascii() and chosen.isdecimal() and len(chosen) < 19
        services.end_refills(rows.filter(pk=int(chosen)) if is_one else rows)
        ended = True
    living = offers_of(rows.living().order_by("pk"), request.market)
    return render(request, END, {"token": token, "offers": living, "is_ended": ended})
