"""What this app adds to a customer's timeline: money that came in, and money that went back."""

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.customers.registry import Shown, TimelineSource, register
from shop.accounts.models import Customer
from shop.orders.models import Order
from shop.orders.shipping.event_notes import translated_note

from .models import Payment, Refund
from .refunds.services import NEVER_COLLECTED

REFUND_TONES = {Refund.Status.PROCESSED: "good", Refund.Status.FAILED: "bad"}


def _url(order: Order) -> str:
    return reverse("admin:orders_order_change", args=[order.pk])


def _payments(customer: Customer) -> QuerySet[Payment]:
    received = Payment.objects.filter(order__customer=customer, captured_at__isnull=False)
    return received.select_related("order")


def _show_payment(payment: Payment) -> Shown:
    is_refused = payment.status == Payment.Status.REFUSED
    state = gettext("Doesn't fit the order, to be refunded") if is_refused else ""
    words = gettext("{amount} for {number}").format(amount=payment.captured, number=payment.order.number)
    return Shown(words, _url(payment.order), state, "bad")


def _refunds(customer: Customer) -> QuerySet[Refund]:
    owed = Refund.objects.filter(payment__order__customer=customer).exclude(reference=NEVER_COLLECTED)
    return owed.select_related("payment__order")


def _show_refund(refund: Refund) -> Shown:
    order = refund.payment.order
    tone = REFUND_TONES.get(Refund.Status(refund.status), "warn")
    state = refund.get_status_display()
    words = gettext("{amount} of {number}").format(amount=refund.amount, number=order.number)
    return Shown(words, _url(order), state, tone, translated_note(refund.reason))


def register_sources() -> None:
    register(
        TimelineSource(
            "payment",
            gettext_lazy("Payment"),
            gettext_lazy("Payments"),
            "payments.view_payment",
            _payments,
            _show_payment,
            "captured_at",
        )
    )
    register(
        TimelineSource(
            "refund", gettext_lazy("Refund"), gettext_lazy("Refunds"), "payments.view_refund", _refunds, _show_refund
        )
    )
