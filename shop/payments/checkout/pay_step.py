"""The step at which an order is paid, the same for a customer who is signed in and for whoever has a draft's link."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from shop.accounts.models import Customer
from shop.errors import NotFound, ProviderDown, ShopError, TooMany, VerificationFailed
from shop.limits.services import consume
from shop.orders.models import Order

from ..models import Payment
from ..providers.registry import provider_named, provider_of
from ..services import ask_after, start_payment, verify_payment
from ..simulator.payer import pay as pay_at_simulator
from ..simulator.shapes import SimulatorError
from .forms import PaymentResultForm

CHECKS = 10  # a minute and order
UNVERIFIED = gettext_noop("We couldn't verify the payment.")


class HttpResponseSeeOther(HttpResponseRedirect):
    status_code = 303


@dataclass(frozen=True, slots=True)
class PayStep:
    """An order that is paid, and the addresses of the pages around it.

    `page` is the step itself, `result` and `check` take posts, `window` is the simulated provider's, `callback` the
    whole address for the provider's own form. `outcome` shows what came of it, `later` is where who does not pay now
    goes. `customer` must own the order; None where a link opened it.
    """

    order: Order
    page: str
    result: str
    check: str
    window: str
    callback: str
    outcome: str
    later: str
    customer: Customer | None = None


def show_step(request: HttpRequest, step: PayStep) -> HttpResponse:
    """The page; posting makes the provider ready again after it was down."""
    order = step.order
    if order.status != Order.Status.PENDING:
        return redirect(step.outcome)
    if request.method == "POST":
        try:
            start_payment(order)
        except ShopError as refusal:
            messages.error(request, refusal.message)
            return redirect(step.page if isinstance(refusal, ProviderDown) else step.outcome)
    payment = _open_payment(order)
    if payment is not None and provider_of(payment).is_simulated:
        return redirect(step.window)
    return _pay_page(request, step, payment)


def _pay_page(request: HttpRequest, step: PayStep, payment: Payment | None) -> HttpResponse:
    provider = provider_named(step.order.payment_method)
    context = provider.browser() | {
        "step": step,
        "order": step.order,
        "payment": payment,
        "callback_url": step.callback,
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


def take_result(request: HttpRequest, step: PayStep) -> HttpResponse:
    """What the provider's window handed to the page."""
    form = PaymentResultForm(request.POST)
    return _verify(request, step, **form.cleaned_data) if form.is_valid() else redirect(step.page)


def check_step(request: HttpRequest, step: PayStep) -> HttpResponse:
    """Ask the provider now, for a buyer who says that it is paid."""
    try:
        consume("check_payment", step.order.number, limit=CHECKS, period=timedelta(minutes=1))
        if not ask_after(step.order):
            messages.warning(request, gettext("The payment provider isn't responding. Please try again in a minute."))
    except TooMany:
        pass  # the page that follows looks again by itself
    return redirect(step.outcome)


def _verify(
    request: HttpRequest, step: PayStep, *, razorpay_order_id: str, razorpay_payment_id: str, razorpay_signature: str
) -> HttpResponse:
    """Only a payment of the step's own order counts."""
    try:
        if not step.order.payments.filter(razorpay_order_id=razorpay_order_id).exists():
            raise NotFound()
        verify_payment(
            razorpay_order_id=razorpay_order_id,
            razorpay_payment_id=razorpay_payment_id,
            signature=razorpay_signature,
            customer=step.customer,
        )
        messages.success(request, gettext("Order Placed Successfully"))
    except NotFound as error:
        raise Http404 from error
    except VerificationFailed as refusal:
        messages.error(request, refusal.message)
    except ShopError as refusal:
        messages.warning(request, refusal.message)
    return redirect(step.outcome)


def without_keys(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For a page that does not exist for anybody once the provider's keys are set."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SIMULATED_GATEWAY:
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped


def simulate(request: HttpRequest, step: PayStep) -> HttpResponse:
    """The simulated provider's window; its result goes through the same verification as a real one."""
    order, payment = step.order, _open_payment(step.order)
    if payment is None or order.status != Order.Status.PENDING:
        return redirect(step.page)
    if request.method != "POST":
        context = {"step": step, "order": order, "payment": payment}
        return render(request, "payments/simulator/dummy_payment.html", context)
    if request.POST.get("outcome") != "success":
        return _pend(request, step, payment)
    try:
        result = pay_at_simulator(str(payment.razorpay_order_id))
    except SimulatorError as refusal:
        messages.warning(request, str(refusal))
        return redirect(step.outcome)
    return _verify(
        request,
        step,
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        razorpay_signature=result.razorpay_signature,
    )


def _pend(request: HttpRequest, step: PayStep, payment: Payment) -> HttpResponse:
    try:
        pay_at_simulator(str(payment.razorpay_order_id), until="created")
        messages.warning(request, gettext("Payment Transaction failed ..."))
    except SimulatorError as refusal:  # paid already, in another tab
        messages.warning(request, str(refusal))
    return redirect(step.outcome)


def _open_payment(order: Order) -> Payment | None:
    """The payment whose provider order waits for money."""
    return order.payments.of_this_gateway().unpaid().exclude(razorpay_order_id=None).first()


def payment_of_callback(request: HttpRequest) -> Payment | None:
    """The payment that the provider's own form tells of, settled; None where that proves nothing."""
    form = PaymentResultForm(request.POST)
    if not form.is_valid():
        return None
    given = form.cleaned_data
    try:
        return verify_payment(
            razorpay_order_id=given["razorpay_order_id"],
            razorpay_payment_id=given["razorpay_payment_id"],
            signature=given["razorpay_signature"],
        )
    except (VerificationFailed, NotFound):
        return None
    except ShopError:
        found: Payment = Payment.objects.select_related("order").get(razorpay_order_id=given["razorpay_order_id"])
        return found


def failed_query(request: HttpRequest) -> str:
    """What the pay page reads to say why a try failed."""
    reason = request.POST.get("error[reason]") or "payment_cancelled"
    return urlencode({"failed": reason[:60]})


def outcome_of(order: Order) -> str:
    return f"{reverse('place_order')}?{urlencode({'order': order.number})}"
