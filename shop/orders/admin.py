"""The admin of orders: they are read, and moved forward only by their own services."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from shop.backoffice.admin import BackOfficeAdmin
from shop.money import INR, display

from .backoffice import board, customer_admin  # noqa: F401 (registers its admin)
from .backoffice.admin import OrderPages, packing_url
from .batches import admin as batch_admin  # noqa: F401 (registers its admin)
from .invoices import admin as invoice_admin  # noqa: F401 (registers its admin)
from .models import Courier, Order
from .returns import admin as return_admin  # noqa: F401 (registers its admin)
from .shipping.carriers.registry import carrier_of
from .shipping.packing import MAX_PACKED
from .shipping.services import progress


class ToDoFilter(admin.SimpleListFilter):
    title = gettext_lazy("to do")
    parameter_name = "to_do"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(column.key, str(column.label)) for column in board.columns()]

    def queryset(self, request: HttpRequest, orders: QuerySet[Order]) -> QuerySet[Order]:
        return board.orders_to_do(orders, self.value() or "")


@admin.register(Courier)
class CourierAdmin(BackOfficeAdmin):
    list_display = ("name", "services", "tracking_link", "is_active")
    fields = ("name", "tracking_link", "is_active")

    @admin.display(description=gettext_lazy("carrier services"))
    def services(self, courier: Courier) -> str:
        return ", ".join(carrier_of(courier).services)


@admin.register(Order)
class OrderAdmin(OrderPages):
    list_display = ("number", "state", "customer", "total", "payment_method", "created_at", "placed_at")
    # A date hierarchy would cut the date of each row on SQLite, for seconds where there are many.
    list_filter = (ToDoFilter, "status", "payment_method", "location", "created_at")
    list_before_template = "orders/backoffice/_day.html"
    list_select_related = ("customer",)
    search_fields = ("number",)  # get_search_results finds more
    search_help_text = gettext_lazy("Number, name, phone, email, SKU or tracking number")
    ordering = ("-created_at", "-id")
    found_as = ("status", "customer", "total", "created_at")
    actions = ("start_processing", "ship_everything_left", "mark_delivered", "mark_refused", "cancel", "packing_list")

    @admin.display(description=gettext_lazy("Status"), ordering="status")
    def state(self, order: Order) -> str:
        return progress(order) or order.get_status_display()

    @admin.display(description=gettext_lazy("Total"), ordering="total_inr")
    def total(self, order: Order) -> str:
        shown = display(order.total_amount, order.currency)
        return f"{shown} ({display(order.total_inr, INR)})" if order.charged_in_other_currency else shown

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Order], search_term: str
    ) -> tuple[QuerySet[Order], bool]:
        return queryset.search(search_term), False  # type: ignore[attr-defined]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Order]:
        return super().get_queryset(request).with_parcel_units()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"days": board.days()})

    @admin.action(description=gettext_lazy("Pack"), permissions=["orders"])
    def start_processing(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse | None:
        return self.take_each(request, orders, "process")

    @admin.action(description=gettext_lazy("Ship everything left"), permissions=["orders"])
    def ship_everything_left(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse | None:
        return self.take_each(request, orders, "ship")

    @admin.action(description=gettext_lazy("Delivered (everything on its way)"), permissions=["orders"])
    def mark_delivered(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse | None:
        return self.take_each(request, orders, "deliver")

    @admin.action(description=gettext_lazy("Refused on delivery…"), permissions=["orders"])
    def mark_refused(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse | None:
        return self.take_each(request, orders, "refuse")

    @admin.action(description=gettext_lazy("Cancel (payments are refunded)…"), permissions=["orders"])
    def cancel(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse | None:
        return self.take_each(request, orders, "cancel")

    @admin.action(description=gettext_lazy("Print packing list"), permissions=["view"])
    def packing_list(self, request: HttpRequest, orders: QuerySet[Order]) -> HttpResponse:
        return redirect(packing_url(list(orders.values_list("pk", flat=True)[:MAX_PACKED])))
