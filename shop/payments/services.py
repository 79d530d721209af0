"""Paying: check out, start a payment, check its result, cancel.

The provider is called outside any transaction: the row first, then the call, then what came of it.
"""

import logging
import secrets
import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.errors import NotFound, ProviderDown, ShopError, VerificationFailed
from shop.money import to_paise
from shop.orders.models import Order
from shop.orders.placing.services import cancel_order, place_order
from shop.orders.placing.values import PlaceOrder
from shop.orders.states import Status, WrongState

from .models import Payment
from .providers.base import NoAnswer, ProviderError, ProviderOrder, ProviderPayment, is_no_answer
from .providers.registry import provider_named, provider_of
from .reconciliation.settlement import settle, settle_payment

logger = logging.getLogger(__name__)
CLAIMED_FOR = timedelta(seconds=30)  # longer than two calls to the provider may take
MAX_WAIT = 12.0  # seconds that a second request waits for the first one's provider order


class PaymentIncomplete(ShopError):
    """The result is genuine, but the money has not (or not in full) arrived."""

    code = "payment_incomplete"


def check_out(request: PlaceOrder) -> tuple[Order, Payment | None]:
    """Place the order and make the provider ready for its payment.

    An earlier unpaid order is asked after first: it may have been paid in another tab, and its hold
    is about to be replaced. The payment is None when there is nothing to pay. Raises what
    place_order and start_payment raise; after ProviderDown the order stays and can be paid later.
    """
    live = request.customer.orders.held().filter(draft=request.draft).first()
    if live is not None:
        ask_after(live)
    with transaction.atomic():
        order = place_order(request)
        # What this transaction has just written is locked, and has no payment yet.
        is_new = order.is_new and order.status == Status.PENDING
        payment, is_ours = (_write_payment(order), True) if is_new else _open_payment(order)
    return order, payment and _with_provider_order(payment, is_claimed=is_ours)


def start_payment(order: Order) -> Payment | None:
    """The open payment of an unpaid order, with its provider order; None when it is placed already.

    Two tabs share one provider order. Raises ShopError `hold_expired` when its time is over,
    ProviderDown when the provider does not answer.
    """
    payment, is_ours = _open_payment(order)
    return payment and _with_provider_order(payment, is_claimed=is_ours)


@transaction.atomic
def _open_payment(order: Order) -> tuple[Payment | None, bool]:
    """The payment to make, and whether it was written just now: then it is ours to take to the provider."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    if locked.is_paid and locked.status != Status.CANCELLED:
        return locked.payments.of_this_gateway().filter(status=Payment.Status.CAPTURED).first(), False
    if locked.status != Status.PENDING or not locked.is_held():
        raise ShopError(gettext("The time to pay for this order has run out. Please check out again."), "hold_expired")
    existing = locked.payments.of_this_gateway().unpaid().first()
    return (existing, False) if existing else (_write_payment(locked), True)


def _write_payment(order: Order) -> Payment:
    return Payment.objects.create(
        order=order,
        method=provider_named(order.payment_method).recorded_as,
        claimed_until=timezone.now() + CLAIMED_FOR,
        receipt=f"{order.number}-{secrets.token_hex(4)}",
        amount_paise=to_paise(order.total_inr),
        simulated=settings.SIMULATED_GATEWAY,
    )


def _with_provider_order(payment: Payment, *, is_claimed: bool) -> Payment:
    """One request makes the provider's order; others that come meanwhile wait for it."""
    give_up_at = time.monotonic() + MAX_WAIT
    while not payment.razorpay_order_id:
        if is_claimed:
            is_claimed = False
            _make_provider_order(payment, was_requested_before=False)
        elif _claim(payment):
            _make_provider_order(payment, was_requested_before=payment.claimed_until is not None)
        elif time.monotonic() > give_up_at:
            raise ProviderDown(gettext("The payment provider isn't responding. Please try again in a minute."))
        else:
            time.sleep(0.05)
        if not payment.razorpay_order_id:
            payment.refresh_from_db()
    return payment


def _claim(payment: Payment) -> bool:
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    return bool(
        Payment.objects.filter(free, pk=payment.pk, razorpay_order_id=None).update(claimed_until=now + CLAIMED_FOR)
    )


def _make_provider_order(payment: Payment, *, was_requested_before: bool) -> None:
    try:
        found = provider_of(payment).find_order(payment.receipt) if was_requested_before else None
        attach_provider_order(payment, found or _create_provider_order(payment))
    except ProviderError as error:
        Payment.objects.filter(pk=payment.pk).update(claimed_until=timezone.now())
        logger.warning("no provider order for %s: %s", payment.receipt, error)
        raise ProviderDown(gettext("The payment provider isn't responding. Please try again in a minute.")) from error


def _create_provider_order(payment: Payment) -> ProviderOrder:
    provider = provider_of(payment)
    try:
        return provider.create_order(amount=payment.amount_paise, receipt=payment.receipt, notes=notes_of(payment))
    except NoAnswer:
        # It may have been made all the same.
        found = provider.find_order(payment.receipt)
        if found is None:
            raise
        return found


def notes_of(payment: Payment) -> dict[str, str]:
    """What the provider's list says of its order; other shops may use the same account."""
    return {"order": payment.order.number, "shop": settings.SHOP_URL}


def attach_provider_order(payment: Payment, provider_order: ProviderOrder) -> None:
    """Remember the provider's order of a payment, once. One over another amount counts as no answer."""
    if (provider_order.amount, provider_order.currency) != (payment.amount_paise, payment.currency):
        raise NoAnswer(f"The provider's order is over {provider_order.amount} {provider_order.currency}.")
    opened = {"razorpay_order_id": provider_order.id, "status": Payment.Status.OPEN}
    if Payment.objects.filter(pk=payment.pk, razorpay_order_id=None).update(**opened):
        for name, value in opened.items():
            setattr(payment, name, value)


def verify_payment(
    *, razorpay_order_id: str, razorpay_payment_id: str, signature: str, customer: Customer | None = None
) -> Payment:
    """Check what the provider's window handed over, and settle it; twice is safe.

    `customer`, where known, must own the order (NotFound otherwise). Raises BadProof for a wrong
    signature, PaymentIncomplete when the money did not pay the order, ProviderDown.
    """
    payments = Payment.objects.of_this_gateway().select_related("order")
    if customer is not None:
        payments = payments.filter(order__customer=customer)
    payment = payments.filter(razorpay_order_id=razorpay_order_id).first()
    if payment is None:
        raise NotFound()
    stored_id = payment.razorpay_order_id or ""
    if not provider_of(payment).verify_payment(order_id=stored_id, payment_id=razorpay_payment_id, signature=signature):
        raise VerificationFailed(gettext("We couldn't verify the payment."))
    settled = settle_payment(payment, razorpay_payment_id)
    if settled.status != Payment.Status.CAPTURED or settled.razorpay_payment_id != razorpay_payment_id:
        raise PaymentIncomplete(
            gettext("The payment hasn't been completed. If you were charged, we'll complete the order or refund you.")
        )
    return settled


def ask_after(order: Order) -> bool:
    """Settle whatever money the provider has for an unpaid order; says whether it answered. "I do not know this
    order" is an answer, too: it was made with other keys, and nobody pays it any more."""
    for payment in order.payments.of_this_gateway().unpaid():
        if payment.razorpay_order_id is None:
            continue
        try:
            for money in provider_of(payment).payments_of(payment.razorpay_order_id):
                settle_if_money(payment, money)
        except (ProviderError, ProviderDown) as error:
            logger.warning("order %s could not be asked after: %s", order.number, error)
            if is_no_answer(error):
                return False
    return True


def settle_if_money(payment: Payment, money: ProviderPayment) -> None:
    """Settle a payment that the provider listed, unless nothing can follow from it yet."""
    if money.status != "created":
        settle(payment.razorpay_order_id or "", money.id)


def cancel(order: Order, *, actor: str, note: str = "") -> Order:
    """Cancel an order until it is shipped. An unpaid one is asked after first; what was paid is
    given back by the next run of refunds."""
    if order.status == Status.PENDING:
        ask_after(order)
        order.refresh_from_db()
    try:
        return cancel_order(order, actor=actor, note=note)
    except WrongState as error:
        raise WrongState(gettext("This order can no longer be cancelled.")) from error
