"""The order desk's screens: orders are read, and moved forward only by their own services."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.decorators import action as detail_action

from shop.backoffice import ReadOnlyRows, ReadOnlyScreen, Screen
from shop.errors import ShopError
from shop.money import INR, display

from . import desk, invoice_admin, return_admin  # noqa: F401 (the latter two register their screens)
from .forms import ParcelForm
from .models import Courier, Order, OrderEvent, OrderLine, Shipment
from .services import cancel_order
from .shipping import deliver, deliver_all, left_to_ship, refuse, refuse_all, ship
from .states import Status, move_order


class LineRows(ReadOnlyRows):
    model = OrderLine
    fields = ("sku", "product_name", "quantity", "unit_amount", "line_amount", "line_inr")


class EventRows(ReadOnlyRows):
    model = OrderEvent
    fields = ("at", "status_from", "status_to", "actor", "note")


class ShipmentRows(ReadOnlyRows):
    model = Shipment
    fields = ("courier", "tracking_number", "shipped_at", "delivered_at", "refused_at")


class ToDoFilter(admin.SimpleListFilter):
    title = "to do"
    parameter_name = "to_do"

    def lookups(self, request: HttpRequest, screen: Any) -> list[tuple[str, str]]:
        return list(desk.TO_DO.items())

    def queryset(self, request: HttpRequest, orders: QuerySet[Order]) -> QuerySet[Order]:
        what = self.value() or ""
        return desk.orders_to_do(orders, what) if what in desk.TO_DO else orders


@admin.register(Courier)
class CourierScreen(Screen):
    list_display = ("name", "tracking_link", "is_active")
    fields = ("name", "tracking_link", "is_active")


@admin.register(Order)
class OrderScreen(ReadOnlyScreen):
    list_display = ("number", "status", "customer", "total", "payment_method", "created_at", "placed_at")
    list_filter = (ToDoFilter, "status", "payment_method", "location")
    list_before_template = "orders/desk/_day.html"
    list_select_related = ("customer",)
    search_fields = ("number", "customer__email", "customer__phone", "email")
    date_hierarchy = "created_at"
    ordering = ("-created_at", "-id")
    inlines = (LineRows, ShipmentRows, EventRows)
    actions_detail = ("parcels", "payments")
    actions = ("start_processing", "ship_everything_left", "mark_delivered", "mark_refused", "cancel")

    @admin.display(description="Total", ordering="total_inr")
    def total(self, order: Order) -> str:
        shown = display(order.total_amount, order.currency)
        return f"{shown} ({display(order.total_inr, INR)})" if order.charged_in_other_currency else shown

    def has_desk_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Orders are not edited, so the form stays closed; the moves below are open to the desk."""
        return request.user.has_perm("orders.change_order")

    def has_cashier_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return request.user.has_perm("payments.view_payment")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        day = {"tiles": desk.tiles(), "days": desk.days()}
        return super().changelist_view(request, (extra_context or {}) | day)

    @detail_action(description="Ship and parcels", url_path="parcels", permissions=["desk"])
    def parcels(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ship a parcel with chosen units, and say of each parcel how it arrived."""
        order = get_object_or_404(Order.objects.with_lines().with_parcels(), pk=_whole(object_id))
        form = self._parcel_form(request, order)
        if request.method == "POST" and self._act(request, order, form):
            return redirect("admin:orders_order_parcels", object_id)
        context = self.admin_site.each_context(request) | {
            "title": f"Parcels of {order.number}",
            "order": order,
            "order_url": reverse("admin:orders_order_change", args=[order.pk]),
            "form": form,
            "rows": form.rows() if form else [],
            "parcels": order.shipments.all(),
            "opts": self.opts,
        }
        return TemplateResponse(request, "orders/desk/parcels.html", context)

    def _parcel_form(self, request: HttpRequest, order: Order) -> ParcelForm | None:
        """None where nothing can be shipped (any more)."""
        left = left_to_ship(order)
        if not left or order.status not in (Status.PLACED, Status.PROCESSING, Status.SHIPPED):
            return None
        data = request.POST if request.POST.get("do") == "ship" else None
        initial = {"after": len(order.shipments.all())}
        return ParcelForm(data, lines=list(order.lines.all()), left=left, initial=initial)

    def _act(self, request: HttpRequest, order: Order, form: ParcelForm | None) -> bool:
        """Do what was asked for; says whether that ended (with success or a refusal that was told)."""
        what = request.POST.get("do")
        if what == "ship" and form is not None and not form.is_valid():
            return False
        try:
            if what == "ship" and form is not None:
                given = form.cleaned_data
                ship(
                    order,
                    form.quantities(),
                    courier=given["courier"],
                    tracking_number=given["tracking_number"],
                    actor=_actor(request),
                    after=given["after"],
                )
                self.message_user(request, "The parcel is on its way; the customer is told.", messages.SUCCESS)
            elif what in ("deliver", "refuse"):
                parcel = get_object_or_404(order.shipments, pk=_whole(request.POST.get("parcel", "")))
                (deliver if what == "deliver" else refuse)(parcel, actor=_actor(request))
                self.message_user(request, "Noted.", messages.SUCCESS)
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
        return True

    @detail_action(description="Payments", url_path="payments", permissions=["cashier"])
    def payments(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(f"{reverse('admin:payments_payment_changelist')}?order__id__exact={_whole(object_id)}")

    @admin.action(description="Start processing", permissions=["desk"])
    def start_processing(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, self._mover(request, Order.Status.PROCESSING))

    @admin.action(description="Ship everything left", permissions=["desk"])
    def ship_everything_left(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, lambda order: ship(order, actor=_actor(request)))

    @admin.action(description="Delivered (all that is on its way)", permissions=["desk"])
    def mark_delivered(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, lambda order: deliver_all(order, actor=_actor(request)))

    @admin.action(description="Refused at the door", permissions=["desk"])
    def mark_refused(self, request: HttpRequest, orders: QuerySet[Order]) -> None:
        self._move_all(request, orders, lambda order: refuse_all(order, actor=_actor(request)))

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


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0


def _actor(request: HttpRequest) -> str:
    return str(request.user)[:100]
