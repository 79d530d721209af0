from django.contrib import admin

from shop.backoffice.admin import ReadOnlyAdmin

from .models import Message


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    """The outbox. Texts are not shown: some hold a customer's one-time code."""

    list_display = ("kind", "channel", "to", "created_at", "sent_at", "attempts", "last_error")
    list_filter = ("channel", "kind")
    search_fields = ("to", "kind")
    ordering = ("-id",)
    fields = ("kind", "channel", "to", "subject", "created_at", "next_try_at", "attempts", "sent_at", "last_error")
