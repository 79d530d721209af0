"""Refunds as the customer of an order reads them: how much, how far, and when the bank shows it."""

from datetime import date, datetime, timedelta
from typing import Any

from django.dispatch import receiver
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext

from shop.markets.geography.local_time import in_zone_of
from shop.money import from_paise
from shop.orders.models import Order
from shop.orders.present import ShownRefund
from shop.orders.shipping.event_notes import names_in, translated_note
from shop.orders.signals import asking_refunds

from ..models import Payment, Refund
from ..providers.registry import provider_of
from .services import NEVER_COLLECTED, base_key

BANK_DAYS = 7  # working days
SATURDAY = 5
Stage = Refund.Status


@receiver(asking_refunds)
def _show_refunds(sender: type, order: Order, **kwargs: Any) -> list[ShownRefund]:
    rows = Refund.objects.filter(payment__order=order).select_related("payment").order_by("pk")
    latest = {(refund.payment_id, base_key(refund.idempotency_key)): refund for refund in rows}
    return [shown(refund, order) for refund in latest.values()]


def shown(refund: Refund, order: Order) -> ShownRefund:
    payment = refund.payment
    label, tone, words = _progress(refund, order)
    is_of_order = payment.status == Payment.Status.CAPTURED and refund.razorpay_payment_id == payment.capture_id
    return ShownRefund(
        amount_inr=from_paise(refund.amount_paise),
        at=refund.created_at,
        label=label,
        tone=tone,
        words=words,
        reason=translated_note(refund.reason, names_in(order)),
        of_total=is_of_order and refund.status != Stage.FAILED,
        was_paid=refund.reference != NEVER_COLLECTED,
    )


def _progress(refund: Refund, order: Order) -> tuple[str, str, str]:
    if refund.reference == NEVER_COLLECTED:
        words = gettext("You didn't pay for this on delivery, so there is nothing to refund.")
        return gettext("Not charged"), "good", words
    by_provider = provider_of(refund.payment).can_refund
    if refund.status == Stage.FAILED:
        return gettext("Delayed"), "bad", gettext("Your bank didn't accept it. We'll try again or contact you.")
    if refund.status == Stage.PROCESSED and refund.processed_at:
        sent = in_zone_of(order, refund.processed_at).date()
        words = (
            gettext("Sent on %(day)s by bank transfer (reference %(reference)s).")
            if refund.reference
            else gettext("Sent on %(day)s to the card or account you paid with.")
        ) % {"day": _day(sent), "reference": refund.reference}
        return gettext("Sent"), "good", f"{words} {_expected(sent)}"
    if not by_provider:
        return gettext("Requested"), "warn", gettext("We'll transfer it to your bank account.")
    started = in_zone_of(order, refund.created_at).date()
    if refund.status == Stage.PENDING:
        words = gettext("On its way to the card or account you paid with.")
        return gettext("With your bank"), "warn", f"{words} {_expected(started)}"
    words = gettext("We're sending it to the card or account you paid with.")
    return gettext("Requested"), "warn", f"{words} {_expected(started)}"


def _expected(start: date) -> str:
    words = gettext("Banks take up to seven working days, so expect it by %(day)s.")
    return words % {"day": _day(bank_day_after(start))}


def bank_day_after(start: date, days: int = BANK_DAYS) -> date:
    """So many working days later; Saturdays and Sundays are none."""
    day = start
    while days:
        day += timedelta(days=1)
        days -= day.weekday() < SATURDAY
    return day


def _day(day: date | datetime) -> str:
    return str(format_date(day, "j F Y"))
