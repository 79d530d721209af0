"""What the clock does about payments. Each is safe to run twice and at the same time as everything else."""

import logging
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from shop.errors import ProviderDown
from shop.jobs.services import for_each
from shop.orders.models import Order
from shop.orders.placing.reminders import remind_of_payment
from shop.orders.placing.services import expire_order

from ..models import Payment, Refund
from ..providers.base import NoAnswer, ProviderError, is_no_answer
from ..providers.registry import provider_of
from ..providers.webhooks import handle_event, note_failure, waiting_events
from ..queries import WATCHED_FOR
from ..refunds.services import follow_refund, issue_due_refunds
from ..services import ask_after, attach_provider_order, settle_if_money
from .lost_orders import refund_lost_payments

logger = logging.getLogger(__name__)
SOONEST = timedelta(minutes=1)
LATEST = timedelta(minutes=15)  # once somebody tried to pay and nothing came of it yet
BATCH = 200


def expire_holds() -> int:
    """Give up the holds whose time is over. The provider is asked first, so that a payment made in
    the last second still counts; while it is down, late money is left to `reconcile`."""
    provider_answers = True

    def expire(order: Order) -> bool:
        nonlocal provider_answers
        provider_answers = provider_answers and ask_after(order)
        return expire_order(order)

    over = Order.objects.held().filter(hold_expires_at__lte=timezone.now()).order_by("hold_expires_at")
    return for_each("expire_holds", over, expire)


def reconcile(*, every_one: bool = False) -> dict[str, int]:
    """Ask the provider about payments that are due, oldest question first: a batch of them, or every one.

    Counts what was `asked` and what was `unanswered`; after the first that is unanswered the rest
    waits for the next run. One that the provider does not know, such as a payment made with other keys,
    is marked for staff, and the others go on.
    """
    counts = {"asked": 0, "unanswered": 0}
    now = timezone.now()
    due = Payment.objects.of_this_gateway().filter(check_at__lte=now).select_related("order").order_by("check_at")

    def ask(payment: Payment) -> int:
        # Whatever comes of this one, the others come first the next time: one may never be answered.
        Payment.objects.filter(pk=payment.pk).update(check_at=timezone.now())
        try:
            is_open = _ask_about(payment)
        except (ProviderError, ProviderDown) as error:
            if is_no_answer(error):
                raise NoAnswer(str(error)) from error
            _plan_next_check(payment, is_open=False)
            raise
        counts["asked"] += 1
        return _plan_next_check(payment, is_open=is_open)

    try:
        for_each("reconcile", due[: None if every_one else BATCH], ask, stop_on=(NoAnswer,))
    except NoAnswer as error:
        logger.warning("reconcile stopped: %s", error)
        counts["unanswered"] += 1
    return counts


def _ask_about(payment: Payment) -> bool:
    """Bring one payment up to date with the provider; says whether a try to pay it may still bring money."""
    provider = provider_of(payment)
    if payment.razorpay_order_id is None:
        found = provider.find_order(payment.receipt)
        if found is None:
            return False
        attach_provider_order(payment, found)
        payment.refresh_from_db()
    tries = provider.payments_of(str(payment.razorpay_order_id))
    for money in tries:
        settle_if_money(payment, money)
    return any(not money.is_captured for money in tries)


def _plan_next_check(payment: Payment, *, is_open: bool) -> int:
    return Payment.objects.filter(pk=payment.pk).update(check_at=_next_check(payment, is_open=is_open))


def _next_check(payment: Payment, *, is_open: bool) -> datetime | None:
    """Often while young, then at a tenth of its age; None once money can no longer come."""
    now = timezone.now()
    age = now - payment.created_at
    if age > WATCHED_FOR:
        return None
    pause = max(SOONEST, age / 10)
    return now + (min(pause, LATEST) if is_open else pause)


def reconcile_everything() -> dict[str, int]:
    """Ask about every payment of the last five days now, such as after a restored backup."""
    young = Payment.objects.of_this_gateway().filter(created_at__gt=timezone.now() - WATCHED_FOR)
    young.update(check_at=timezone.now())
    return reconcile(every_one=True)


def follow_refunds() -> int:
    """Ask after refunds that the provider has not finished."""
    waiting = Refund.objects.filter(status=Refund.Status.PENDING, payment__in=Payment.objects.of_this_gateway())
    followed = 0

    def follow(refund: Refund) -> None:
        nonlocal followed
        follow_refund(refund)
        followed += 1

    try:
        some = waiting.select_related("payment").order_by("?")[:BATCH]
        for_each("follow_refunds", some, follow, stop_on=(NoAnswer,))
    except NoAnswer as error:
        logger.warning("refunds could not be asked after: %s", error)
    return followed


def handle_events() -> int:
    """Work on webhook events that their task did not finish; in any order, so that none is always last.

    One that cannot be handled is noted and passed over (note_failure). The rest waits while the provider
    does not answer, and for a database that is away.
    """
    handled = 0
    waiting = waiting_events().filter(received_at__lt=timezone.now() - timedelta(seconds=20))
    for event in waiting.order_by("?")[:BATCH]:
        try:
            # One that came before it may have settled this one, too.
            handled += waiting.filter(pk=event.pk).exists() and handle_event(event)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            note_failure(event, error)
            if is_no_answer(error):
                break
    return handled


# In this order, each minute: the events of the provider, what it did not report, then what follows.
JOBS = (
    handle_events,
    expire_holds,
    remind_of_payment,
    reconcile,
    refund_lost_payments,
    issue_due_refunds,
    follow_refunds,
)
