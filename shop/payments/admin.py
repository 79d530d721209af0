from django.contrib import admin
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from shop.backoffice.admin import FoundByNumber, ReadOnlyAdmin, ReadOnlyRows, WordsField, WordsForm, rupees
from shop.backoffice.confirmation import Effect, ReasonForm, RowStep, SteppedAdmin
from shop.money import from_paise

from . import backoffice  # noqa: F401 (adds to the order desk's pages)
from .drafts import admin as draft_admin  # noqa: F401 (registers its admin)
from .models import Payment, ProviderEvent, Refund, StrayCapture
from .providers.webhooks import retry_event
from .refunds.services import mark_paid_back, retry_refund


def _amount(refund: Refund, sent: QueryDict) -> Effect | None:
    if refund.status not in (Refund.Status.REQUESTED, Refund.Status.FAILED):
        return None  # the step refuses it
    return Effect(from_paise(refund.amount_paise), f"{refund.payment.order}: {refund.reason}")


class ReferenceForm(ReasonForm):
    words = WordsField(
        label=gettext_lazy("Transfer reference"),
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("The customer will see it."),
        error_messages={"required": gettext_lazy("Enter the transfer reference.")},
    )


STEPS = {
    "paid_back": RowStep(
        gettext_lazy("Refunded by hand: cash orders or failed refunds (enter the reference)"),
        lambda refund, sent, actor: mark_paid_back(refund, reference=sent.get("words", ""), actor=actor),
        _amount,
        ReferenceForm,
    ),
    "try_again": RowStep(
        gettext_lazy("Try a failed refund again"),
        lambda refund, sent, actor: retry_refund(refund, actor=actor, reason=sent.get("words", "")),
        _amount,
    ),
}


AMOUNT = rupees("amount_paise", gettext_lazy("amount"), from_paise)
CAPTURED = rupees("captured_paise", gettext_lazy("captured"), from_paise)
REFUNDED = rupees("refunded_paise", gettext_lazy("refunded"), from_paise)


class RefundRows(ReadOnlyRows):
    model = Refund
    readonly_fields = (AMOUNT,)
    fields = (AMOUNT, "status", "reason", "razorpay_refund_id", "created_at", "processed_at")


class StrayRows(ReadOnlyRows):
    model = StrayCapture
    readonly_fields = (AMOUNT,)
    fields = ("razorpay_payment_id", AMOUNT, "reason", "created_at")


@admin.register(Payment)
class PaymentAdmin(FoundByNumber, ReadOnlyAdmin):
    list_display = (
        "__str__",
        "order",
        "status",
        AMOUNT,
        CAPTURED,
        REFUNDED,
        "simulated",
        "created_at",
    )
    list_filter = ("status", "simulated")
    list_select_related = ("order",)
    search_fields = ("order__number", "razorpay_order_id", "razorpay_payment_id", "receipt")
    found_as = ("order", "status", "created_at")
    ordering = ("-id",)
    fields = (
        "order", "method", "receipt", "razorpay_order_id", "razorpay_payment_id", "status", AMOUNT, CAPTURED, REFUNDED,
        "simulated", "failure", "created_at", "captured_at", "check_at",
    )  # fmt: skip
    readonly_fields = (AMOUNT, CAPTURED, REFUNDED)
    inlines = (RefundRows, StrayRows)


@admin.register(Refund)
class RefundAdmin(FoundByNumber, SteppedAdmin):
    list_display = ("order", AMOUNT, "status", "reason", "reference", "created_at", "processed_at", "payment")
    list_filter = ("status", "payment__method")
    list_select_related = ("payment__order",)
    search_fields = ("payment__order__number", "razorpay_payment_id", "razorpay_refund_id", "reference")
    ordering = ("-id",)
    fields = (
        "payment", "razorpay_payment_id", "idempotency_key", "razorpay_refund_id", AMOUNT, "status", "reference",
        "reason", "created_at", "processed_at",
    )  # fmt: skip
    readonly_fields = (AMOUNT,)
    action_form = WordsForm
    steps = STEPS
    step_permission = "payments.change_refund"

    @admin.display(ordering="payment__order__number")
    def order(self, refund: Refund) -> str:
        return refund.payment.order.number

    def page_of(self, row: Refund) -> str:
        return f"{reverse('admin:orders_order_change', args=[row.payment.order_id])}#money"


@admin.register(ProviderEvent)
class ProviderEventAdmin(FoundByNumber, SteppedAdmin):
    """Events from the provider; the body stays in the database, it holds a payer's contact."""

    list_display = ("event", "event_id", "razorpay_order_id", "received_at", "handled_at", "failed_at", "last_error")
    list_filter = ("event", ("handled_at", admin.EmptyFieldListFilter), ("failed_at", admin.EmptyFieldListFilter))
    search_fields = ("event_id", "razorpay_order_id", "razorpay_payment_id")
    ordering = ("-id",)
    fields = (
        "event",
        "event_id",
        "razorpay_order_id",
        "razorpay_payment_id",
        "received_at",
        "handled_at",
        "tries",
        "failed_at",
        "last_error",
    )
    steps = {"try_again": RowStep(gettext_lazy("Try again"), lambda event, sent, actor: retry_event(event))}
    step_permission = "payments.change_refund"

    def page_of(self, row: ProviderEvent) -> str:
        return reverse("admin:payments_providerevent_change", args=[row.pk])
