"""From the order to its payment (the checkout before it: checkout_views.py). All pages belong to one person;
the last two views are the provider's, whose proof is a signature."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial, wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from shop.accounts.requests import CustomerRequest
from shop.backoffice.actors import customer_actor
from shop.errors import NotFound, ProviderDown, ShopError, TooMany, VerificationFailed
from shop.http.middleware import accepts_foreign_posts
from shop.limits.services import consume
from shop.orders.models import Order

from .checkout.forms import PaymentResultForm
from .models import Payment
from .providers.registry import provider_named, provider_of
from .providers.webhooks import store_event
from .services import ask_after, cancel, start_payment, verify_payment
from .simulator.payer import pay as pay_at_simulator
from .simulator.shapes import SimulatorError
from .tasks import handle_provider_event

logger = logging.getLogger(__name__)
# The buyer's page tells of most payments in the same moment, so that a webhook's task finds its work done.
BROWSER_FIRST = timedelta(seconds=2)
CHECKS = 10  # a minute and order


class HttpResponseSeeOther(HttpResponseRedirect):
    status_code = 303


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def pay(request: CustomerRequest, number: str) -> HttpResponse:
    """The pay step of an order; posting makes the provider ready again after it was down."""
    order = get_object_or_404(request.user.orders, number=number)
    if order.status != Order.Status.PENDING:
        return redirect(_outcome(order))
    if request.method == "POST":
        try:
            start_payment(order)
        except ShopError as refusal:
            messages.error(request, refusal.message)
            return redirect(_outcome(order) if not isinstance(refusal, ProviderDown) else "pay", number)
    payment = _open_payment(order)
    if payment is not None and provider_of(payment).is_simulated:
        return redirect(f"{reverse('dummy_payment')}?{urlencode({'order': number})}")
    return _pay_page(request, order, payment)


def _pay_page(request: CustomerRequest, order: Order, payment: Payment | None) -> HttpResponse:
    provider = provider_named(order.payment_method)
    context = provider.browser() | {
        "order": order,
        "payment": payment,
        "callback_url": f"{settings.SHOP_URL}{reverse('payment_callback')}?{urlencode({'order': order.number})}",
        "failure": _last_failure(request, payment),
    }
    response = render(request, provider.pay_template, context)
    if payment is not None:
        # The banks' pages open in a window of their own and report back.
        response["Cross-Origin-Opener-Policy"] = "same-origin-allow-popups"
    return response


def _last_failure(request: HttpRequest, payment: Payment | None) -> str:
    """Why the last try failed, in words; empty where none did."""
    if payment is None or not ("failed" in request.GET or payment.status == Payment.Status.FAILED):
        return ""
    return provider_of(payment).explain_failure(request.GET.get("failed") or payment.failure)


@require_POST
@login_required
def pay_result(request: CustomerRequest, number: str) -> HttpResponse:
    """What the provider's window handed to the pay page."""
    order = get_object_or_404(request.user.orders, number=number)
    form = PaymentResultForm(request.POST)
    if not form.is_valid():
        return redirect("pay", number)
    return _verify(request, order, **form.cleaned_data)


@require_POST
@login_required
def check_payment(request: CustomerRequest, number: str) -> HttpResponse:
    """Ask the provider now about an order whose buyer says that it is paid, as after a window closed too early."""
    order = get_object_or_404(request.user.orders, number=number)
    try:
        consume("check_payment", number, limit=CHECKS, period=timedelta(minutes=1))
        if not ask_after(order):
            messages.warning(request, "The payment provider isn't responding. Please try again in a minute.")
    except TooMany:
        pass  # the page that follows looks again by itself
    return redirect(_outcome(order))


def _verify(
    request: CustomerRequest, order: Order, *, razorpay_order_id: str, razorpay_payment_id: str, razorpay_signature: str
) -> HttpResponse:
    try:
        verify_payment(
            razorpay_order_id=razorpay_order_id,
            razorpay_payment_id=razorpay_payment_id,
            signature=razorpay_signature,
            customer=request.user,
        )
        messages.success(request, "Order Placed Successfully")
    except NotFound as error:
        raise Http404 from error
    except VerificationFailed as refusal:
        messages.error(request, refusal.message)
    except ShopError as refusal:
        messages.warning(request, refusal.message)
    return redirect(_outcome(order))


@require_POST
@login_required
def cancel_order(request: CustomerRequest, number: str) -> HttpResponse:
    order = get_object_or_404(request.user.orders, number=number)
    try:
        cancel(order, actor=customer_actor(request.user.pk), note="Cancelled by the customer.")
        messages.success(request, "Order cancelled")
    except ShopError as refusal:
        messages.error(request, refusal.message)
    return redirect("order_detail", number)


def without_keys(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For a page that does not exist for anybody once the provider's keys are set."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SIMULATED_GATEWAY:
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped


@without_keys
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def dummy_payment(request: CustomerRequest) -> HttpResponse:
    """The simulated provider's window; its result goes through the same verification as a real one."""
    number = (request.POST or request.GET).get("order", "").replace("\x00", "")
    order = get_object_or_404(request.user.orders, number=number)
    payment = _open_payment(order)
    if payment is None or order.status != Order.Status.PENDING:
        return redirect("pay", order.number)
    if request.method != "POST":
        return render(request, "payments/simulator/dummy_payment.html", {"order": order, "payment": payment})
    if request.POST.get("outcome") != "success":
        return _pend(request, order, payment)
    try:
        result = pay_at_simulator(str(payment.razorpay_order_id))
    except SimulatorError as refusal:
        messages.warning(request, str(refusal))
        return redirect(_outcome(order))
    return _verify(
        request,
        order,
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        razorpay_signature=result.razorpay_signature,
    )


def _pend(request: CustomerRequest, order: Order, payment: Payment) -> HttpResponse:
    try:
        pay_at_simulator(str(payment.razorpay_order_id), until="created")
        messages.warning(request, "Payment Transaction failed ...")
    except SimulatorError as refusal:  # paid already, in another tab
        messages.warning(request, str(refusal))
    return redirect(_outcome(order))


def _open_payment(order: Order) -> Payment | None:
    """The payment whose provider order waits for money."""
    return order.payments.of_this_gateway().unpaid().exclude(razorpay_order_id=None).first()


def _outcome(order: Order) -> str:
    return f"{reverse('place_order')}?{urlencode({'order': order.number})}"


@accepts_foreign_posts
@require_POST
def payment_callback(request: HttpRequest) -> HttpResponse:
    """The provider's own form, posted from its site where a window cannot open. It comes without a
    cookie: the order is found by its provider id, nobody is signed in, and nothing is shown. What
    failed goes back to the pay page of the order that the address names, which checks its owner."""
    if not request.POST.get("razorpay_payment_id"):
        return HttpResponseSeeOther(_page_to_pay_again(request))
    form = PaymentResultForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("We couldn't verify the payment.")
    given = form.cleaned_data
    try:
        payment = verify_payment(
            razorpay_order_id=given["razorpay_order_id"],
            razorpay_payment_id=given["razorpay_payment_id"],
            signature=given["razorpay_signature"],
        )
    except (VerificationFailed, NotFound):
        return HttpResponseBadRequest("We couldn't verify the payment.")
    except ShopError:
        payment = Payment.objects.select_related("order").get(razorpay_order_id=given["razorpay_order_id"])
    return HttpResponseSeeOther(_outcome(payment.order))


def _page_to_pay_again(request: HttpRequest) -> str:
    number = request.GET.get("order", "")
    if not re.fullmatch("ORD-[A-Z0-9]{9}", number):
        return reverse("checkout")
    reason = request.POST.get("error[reason]") or "payment_cancelled"
    return f"{reverse('pay', args=[number])}?{urlencode({'failed': reason[:60]})}"


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
        transaction.on_commit(partial(later.enqueue, event_id), robust=True)
    return HttpResponse(status=200)
