from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from shop.backoffice import ReadOnlyRows, ReadOnlyScreen, WordsForm
from shop.errors import ShopError

from .models import Payment, ProviderEvent, Refund, StrayCapture
from .refunds import mark_paid_back, retry_refund


class RefundRows(ReadOnlyRows):
    model = Refund
    fields = ("amount_paise", "status", "reason", "razorpay_refund_id", "created_at", "processed_at")


class StrayRows(ReadOnlyRows):
    model = StrayCapture
    fields = ("razorpay_payment_id", "amount_paise", "reason", "created_at")


@admin.register(Payment)
class PaymentScreen(ReadOnlyScreen):
    list_display = (
        "__str__",
        "order",
        "status",
        "amount_paise",
        "captured_paise",
        "refunded_paise",
        "simulated",
        "created_at",
    )
    list_filter = ("status", "simulated")
    list_select_related = ("order",)
    search_fields = ("order__number", "razorpay_order_id", "razorpay_payment_id", "receipt")
    ordering = ("-id",)
    inlines = (RefundRows, StrayRows)


@admin.register(Refund)
class RefundScreen(ReadOnlyScreen):
    list_display = ("__str__", "payment", "status", "amount_paise", "reason", "reference", "created_at", "processed_at")
    list_filter = ("status", "payment__method")
    list_select_related = ("payment",)
    search_fields = ("payment__order__number", "razorpay_payment_id", "razorpay_refund_id", "reference")
    ordering = ("-id",)
    action_form = WordsForm
    actions = ("paid_back", "try_again")

    def has_desk_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("payments.change_refund")

    @admin.action(description="Paid back by hand: cash, or what failed (write the reference)", permissions=["desk"])
    def paid_back(self, request: HttpRequest, refunds: QuerySet[Refund]) -> None:
        reference = request.POST.get("words", "")
        self._each(
            request, refunds, lambda refund: mark_paid_back(refund, reference=reference, actor=str(request.user)[:100])
        )

    @admin.action(description="Try a failed refund again", permissions=["desk"])
    def try_again(self, request: HttpRequest, refunds: QuerySet[Refund]) -> None:
        self._each(request, refunds, retry_refund)

    def _each(self, request: HttpRequest, refunds: QuerySet[Refund], act: Callable[[Refund], object]) -> None:
        """Each for itself: one that is refused does not stop the others."""
        for refund in refunds:
            try:
                act(refund)
                self.message_user(request, f"{refund.idempotency_key}: done.", messages.SUCCESS)
            except ShopError as refusal:
                self.message_user(request, f"{refund.idempotency_key}: {refusal.message}", messages.WARNING)


@admin.register(ProviderEvent)
class ProviderEventScreen(ReadOnlyScreen):
    """What the provider told us; the body stays in the database, it holds a payer's contact."""

    list_display = ("event", "event_id", "razorpay_order_id", "received_at", "handled_at")
    list_filter = ("event",)
    search_fields = ("event_id", "razorpay_order_id", "razorpay_payment_id")
    ordering = ("-id",)
    fields = ("event", "event_id", "razorpay_order_id", "razorpay_payment_id", "received_at", "handled_at")
