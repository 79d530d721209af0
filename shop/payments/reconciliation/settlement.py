"""The one step that turns the provider's money into a paid order.

Browser callback, webhook and reconcile all call `settle`, in any order, number or overlap.
"""

import logging

from django.db import transaction
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.accounts.models import Customer
from shop.accounts.points.services import NotEnoughPoints
from shop.backoffice.actors import PROVIDER
from shop.cart.coupons import CouponRefused
from shop.errors import NotFound, OutOfStock, ProviderDown
from shop.money import INR, display, from_paise
from shop.orders.models import Order
from shop.orders.notifications import notify_customer, queue_payment_failed
from shop.orders.placing.services import confirm_order, may_be_revived
from shop.orders.shipping.event_notes import PAID_WITH
from shop.orders.states import Status

from ..models import Payment, StrayCapture
from ..providers.base import PaymentProvider, ProviderError, ProviderPayment, Refused
from ..providers.registry import provider_of
from ..queries import UNPAID

logger = logging.getLogger(__name__)
PAID_BEFORE = gettext_noop("the order had already been paid")


def settle(razorpay_order_id: str, razorpay_payment_id: str) -> Payment:
    """Ask the provider about a payment and do what follows from it, once.

    Captured money pays its order if provider order, amount and currency are the order's own; an
    order that ran out of time takes its stock again. Whatever cannot pay is recorded as owed back.
    Returns the payment as it is afterwards. Raises NotFound for a provider order of somebody else,
    ProviderDown when the provider does not answer (nothing is changed; call again).
    """
    payment = Payment.objects.of_this_gateway().select_related("order").filter(razorpay_order_id=razorpay_order_id)
    found = payment.first()
    if found is None:
        raise NotFound()
    return settle_payment(found, razorpay_payment_id)


def settle_payment(found: Payment, razorpay_payment_id: str) -> Payment:
    """The same for a payment row that was just read; see settle."""
    provider = provider_of(found)
    try:
        money = provider.fetch(razorpay_payment_id)
        if money.status == "authorized" and provider.can_capture and _is_expected(found, money):
            money = _capture(provider, money)
    except ProviderError as error:
        logger.warning("payment %s could not be asked for: %s", razorpay_payment_id, error)
        raise ProviderDown(gettext("The payment provider isn't responding. Please try again in a minute.")) from error
    return record_money(found, money)


def _is_expected(payment: Payment, money: ProviderPayment) -> bool:
    """Whether authorized money would pay the order; other money is left, and goes back by itself."""
    order = payment.order
    return _fits(payment, money) and (order.status == Status.PENDING or may_be_revived(order))


def _fits(payment: Payment, money: ProviderPayment) -> bool:
    expected = (payment.razorpay_order_id, payment.amount_paise, payment.currency)
    return (money.order_id, money.amount, money.currency) == expected


def _capture(provider: PaymentProvider, money: ProviderPayment) -> ProviderPayment:
    try:
        return provider.capture(money)
    except Refused:
        # Somebody else captured it in this very moment, or it was given up: look again.
        return provider.fetch(money.id)


@transaction.atomic
def record_money(payment: Payment, money: ProviderPayment) -> Payment:
    """Write down what the provider said, under the lock of the order, looking again first."""
    order = Order.objects.select_for_update().get(pk=payment.order_id)
    payment = Payment.objects.select_for_update().get(pk=payment.pk)
    payment.order = order
    if money.order_id != payment.razorpay_order_id:
        logger.warning("payment %s belongs to %s and not to %s", money.id, money.order_id, payment.razorpay_order_id)
        return payment
    if money.id == payment.razorpay_payment_id:
        return payment
    if money.is_captured:
        _take(payment, money)
    elif money.status == "failed" and payment.status in (Payment.Status.CREATED, Payment.Status.OPEN):
        payment.status, payment.failure = Payment.Status.FAILED, money.failure
        payment.save(update_fields=["status", "failure"])
        if order.status == Status.PENDING:
            queue_payment_failed(order)
    return payment


def _take(payment: Payment, money: ProviderPayment) -> None:
    if not _fits(payment, money):
        _queue_unmatched_refund(payment, money, gettext_noop("it did not match the order total"))
    elif payment.status not in UNPAID:
        _queue_unmatched_refund(payment, money, PAID_BEFORE)
    elif reason := _pay(payment, money):
        _receive(payment, money, Payment.Status.REFUSED)
        _notify_of_return(payment, money, reason)


def _pay(payment: Payment, money: ProviderPayment) -> str:
    """Pay the order, or say in words why that cannot be."""
    order = payment.order
    if order.status != Status.PENDING:  # a newer order may take its place meanwhile, or its draft be withdrawn
        Customer.objects.select_for_update(no_key=True).get(pk=order.customer_id)
    if order.status != Status.PENDING and not may_be_revived(order):
        return PAID_BEFORE if order.is_paid else gettext_noop("the order had been cancelled")
    try:
        with transaction.atomic():
            confirm_order(order, actor=PROVIDER, note=PAID_WITH % {"reference": money.id})
            _receive(payment, money, Payment.Status.CAPTURED)
    except OutOfStock:
        order.refresh_from_db()
        return gettext_noop("it came after the order had expired, and an item has sold out since")
    except (CouponRefused, NotEnoughPoints):
        order.refresh_from_db()
        return gettext_noop("it arrived after the order had expired, and its coupon or points have been used since")
    return ""


def _receive(payment: Payment, money: ProviderPayment, status: str) -> None:
    payment.razorpay_payment_id = money.id
    payment.status = status
    payment.captured_paise = money.amount
    payment.captured_at = timezone.now()
    payment.save(update_fields=["razorpay_payment_id", "status", "captured_paise", "captured_at"])


def _queue_unmatched_refund(payment: Payment, money: ProviderPayment, reason: str) -> None:
    stray = {"payment": payment, "amount_paise": money.amount, "reason": reason}
    if StrayCapture.objects.get_or_create(razorpay_payment_id=money.id, defaults=stray)[1]:
        _notify_of_return(payment, money, reason)


def _notify_of_return(payment: Payment, money: ProviderPayment, reason: str) -> None:
    order = payment.order
    logger.warning("payment %s of %s goes back: %s", money.id, order.number, reason)
    amount = display(from_paise(money.amount), INR) if money.currency == INR else f"{money.currency} {money.amount}"
    notify_customer(
        order,
        kind="money_returned",
        subject=format_lazy(gettext_lazy("Your payment for {number} is being refunded"), number=order.number),
        context={
            "name": order.address["full_name"],
            "number": order.number,
            "amount": amount,
            "reason": gettext_lazy(reason),
        },
        key=f"money_returned:{money.id}",
    )
