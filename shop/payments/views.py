"""From the order to its payment (the checkout before it: checkout_views.py). All pages belong to one person;
the last two views are the provider's, whose proof is a signature."""

import re
from datetime import timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from shop.accounts.pages import signed_in_from
from shop.accounts.requests import CustomerRequest
from shop.backoffice.actors import customer_actor
from shop.errors import ShopError, VerificationFailed
from shop.http.middleware import accepts_foreign_posts

from .checkout.pay_step import (
    UNVERIFIED,
    HttpResponseSeeOther,
    PayStep,
    check_step,
    failed_query,
    outcome_of,
    payment_of_callback,
    show_step,
    simulate,
    take_result,
    without_keys,
)
from .providers.webhooks import store_event
from .services import cancel
from .tasks import handle_provider_event

# The buyer's page tells of most payments in the same moment, so that a webhook's task finds its work done.
BROWSER_FIRST = timedelta(seconds=2)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def pay(request: CustomerRequest, number: str) -> HttpResponse:
    """The pay step of an order; posting makes the provider ready again after it was down."""
    return show_step(request, _own_step(request, number))


@require_POST
@signed_in_from("pay")
def pay_result(request: CustomerRequest, number: str) -> HttpResponse:
    """What the provider's window handed to the pay page."""
    return take_result(request, _own_step(request, number))


@require_POST
@signed_in_from("pay")
def check_payment(request: CustomerRequest, number: str) -> HttpResponse:
    """Ask the provider now about an order whose buyer says that it is paid, as after a window closed too early."""
    return check_step(request, _own_step(request, number))


def _own_step(request: CustomerRequest, number: str) -> PayStep:
    """Of an order of the caller; 404 for any other."""
    order = get_object_or_404(request.user.orders, number=number)
    query = urlencode({"order": number})
    return PayStep(
        order,
        page=reverse("pay", args=[number]),
        result=reverse("pay_result", args=[number]),
        check=reverse("check_payment", args=[number]),
        window=f"{reverse('dummy_payment')}?{query}",
        callback=f"{settings.SHOP_URL}{reverse('payment_callback')}?{query}",
        outcome=outcome_of(order),
        later=reverse("order_detail", args=[number]),
        customer=request.user,
    )


@require_POST
@signed_in_from("order_detail")
def cancel_order(request: CustomerRequest, number: str) -> HttpResponse:
    order = get_object_or_404(request.user.orders, number=number)
    try:
        cancel(order, actor=customer_actor(request.user.pk), note=gettext_noop("Cancelled by the customer."))
        messages.success(request, gettext("Order cancelled"))
    except ShopError as refusal:
        messages.error(request, refusal.message)
    return redirect("order_detail", number)


@without_keys
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def dummy_payment(request: CustomerRequest) -> HttpResponse:
    """The simulated provider's window; its result goes through the same verification as a real one."""
    number = (request.POST or request.GET).get("order", "").replace("\x00", "")
    return simulate(request, _own_step(request, number))


@accepts_foreign_posts
@require_POST
def payment_callback(request: HttpRequest) -> HttpResponse:
    """The provider's own form, posted from its site where a window cannot open. It comes without a
    cookie: the order is found by its provider id, nobody is signed in, and nothing is shown. What
    failed goes back to the pay page of the order that the address names, which checks its owner."""
    if not request.POST.get("razorpay_payment_id"):
        return HttpResponseSeeOther(_page_to_pay_again(request))
    payment = payment_of_callback(request)
    return HttpResponseSeeOther(outcome_of(payment.order)) if payment else HttpResponseBadRequest(gettext(UNVERIFIED))


def _page_to_pay_again(request: HttpRequest) -> str:
    number = request.GET.get("order", "")
    if not re.fullmatch("ORD-[A-Z0-9]{9}", number):
        return reverse("checkout")
    return f"{reverse('pay', args=[number])}?{failed_query(request)}"


@accepts_foreign_posts
@require_POST
def payment_webhook(request: HttpRequest) -> HttpResponse:
    """Store and answer; a task works on it, and the clock on what the task did not finish."""
    try:
        event_id = store_event(body=request.body, headers=request.headers)
    except VerificationFailed as refusal:
        return HttpResponseBadRequest(refusal.message)
    if event_id:
        later = handle_provider_event.using(run_after=timezone.now() + BROWSER_FIRST)
        transaction.on_commit(lambda: later.enqueue(event_id), robust=True)  # Django names what failed: no partial
    return HttpResponse(status=200)
