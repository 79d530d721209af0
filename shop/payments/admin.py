from django.contrib import admin

from shop.backoffice import ReadOnlyRows, ReadOnlyScreen

from .models import Payment, ProviderEvent, Refund, StrayCapture


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
    list_display = ("__str__", "payment", "status", "amount_paise", "reason", "created_at", "processed_at")
    list_filter = ("status",)
    list_select_related = ("payment",)
    search_fields = ("payment__order__number", "razorpay_payment_id", "razorpay_refund_id")
    ordering = ("-id",)


@admin.register(ProviderEvent)
class ProviderEventScreen(ReadOnlyScreen):
    """What the provider told us; the body stays in the database, it holds a payer's contact."""

    list_display = ("event", "event_id", "razorpay_order_id", "received_at", "handled_at")
    list_filter = ("event",)
    search_fields = ("event_id", "razorpay_order_id", "razorpay_payment_id")
    ordering = ("-id",)
    fields = ("event", "event_id", "razorpay_order_id", "razorpay_payment_id", "received_at", "handled_at")
