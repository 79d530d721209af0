"""The order desk's screens: orders are read, and moved forward only by their own services."""

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from shop.backoffice import ReadOnlyRows, ReadOnlyScreen
from shop.errors import ShopError

from .models import Order, OrderEvent, OrderLine
from .services import cancel_order
from .states import move_order


class LineRows(ReadOnlyRows):
    model = OrderLine
    fields = ("sku", "product_name", "quantity", "unit_amount", "line_amount", "line_inr")


class EventRows(ReadOnlyRows):
    model = OrderEvent
    fields = ("at", "status_from", "status_to", "actor", "note")


@admin.register(Order)
class OrderScreen(ReadOnlyScreen):
    list_display = ("number", "status", "customer", "total_amount", "currency", "total_inr", "created_at", "placed_at")
    list_filter = ("status", "location")
    list_select_related = ("customer",)
    search_fields = ("number", "customer__email", "customer__phone", "email")
    date_hierarchy = "created_at"
    ordering = ("-created_at", "-id")
    inlines = (LineRows, EventRows)
    actions = ("start_processing", "mark_shipped", "mark_delivered", "cancel")

    def has_desk_permission(self, request: HttpRequest) -> bool:
        """Orders are not edited, so the form stays closed; the moves below are open to the desk."""
        return request.user.has_perm("orders.change_order")

    @admin.action(description="Start processing", permissions=["desk"])
    def start_processing(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, self._mover(request, Order.Status.PROCESSING))

    @admin.action(description="Mark as shipped", permissions=["desk"])
    def mark_shipped(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, self._mover(request, Order.Status.SHIPPED))

    @admin.action(description="Mark as delivered", permissions=["desk"])
    def mark_delivered(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, self._mover(request, Order.Status.DELIVERED))

    @admin.action(description="Cancel (paid money goes back)", permissions=["desk"])
    def cancel(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, lambda order: cancel_order(order, actor=_actor(request)))

    @staticmethod
    def _mover(request: HttpRequest, to: str) -> Callable[[Order], object]:
        return lambda order: move_order(order, to, actor=_actor(request))

    def _move_all(self, request: HttpRequest, orders: QuerySet[Order], move: Callable[[Order], object]) -> None:
        """Each order for itself: one that may not move does not stop the others."""
        moved = 0
        for order in orders:
            try:
                move(order)
                moved += 1
            except ShopError as refusal:
                self.message_user(request, f"{order.number}: {refusal.message}", messages.WARNING)
        if moved:
            self.message_user(request, f"{moved} moved.", messages.SUCCESS)


def _actor(request: HttpRequest) -> str:
    return str(request.user)[:100]
