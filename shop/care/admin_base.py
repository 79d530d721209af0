"""What the admins of complaints and enquiries share."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy

from shop.orders.models import Order

from .models import CodeMessage


class IntakeAdmin:
    """Messages come in by the shop's pages, and stay."""

    sent_fields = ("name", "email", "phone", "order", "text", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("message"))
    def beginning(self, message: CodeMessage) -> str:
        return Truncator(message.text).chars(80)

    @admin.display(description=gettext_lazy("order"))
    def order(self, message: CodeMessage) -> str | SafeString:
        """What was typed, as a link where there is such an order."""
        pk = Order.objects.filter(number=message.order_number).values_list("pk", flat=True).first()
        if not message.order_number or pk is None:
            return message.order_number or "–"
        return format_html('<a href="{}">{}</a>', reverse("admin:orders_order_change", args=[pk]), message.order_number)
