"""The admin of customers with what they ordered: only this app knows both."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse

from shop.accounts.admin import CustomerAdmin
from shop.accounts.models import Customer
from shop.accounts.points.services import balance_of
from shop.money import INR, display

from ..models import Order

NEWEST = 20
ENTRIES = 50


def with_orders(customers: QuerySet[Customer]) -> QuerySet[Customer]:
    """With `order_count`, `last_order` (when) and `spent_inr`, of the orders that were placed and did not end
    otherwise. Each is read by the customer's own index, so a page of a long list asks for its rows only."""
    placed = Order.objects.filter(customer=OuterRef("pk"), placed_at__isnull=False)
    kept = placed.exclude(status__in=[Order.Status.CANCELLED, Order.Status.RETURNED]).order_by().values("customer")
    return customers.annotate(
        order_count=Coalesce(Subquery(kept.annotate(found=Count("pk")).values("found")), 0),
        last_order=Subquery(kept.annotate(found=Max("placed_at")).values("found")),
        spent_inr=Coalesce(Subquery(kept.annotate(found=Sum("total_inr")).values("found")), Decimal(0)),
    )


@admin.register(Customer)
class CustomerWithOrdersAdmin(CustomerAdmin):
    list_display = (
        "__str__", "email", "phone", "orders", "last_order_on", "spent", "is_staff", "is_active", "date_joined",
    )  # fmt: skip
    change_form_after_template = "orders/backoffice/_customer.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Customer]:
        return with_orders(super().get_queryset(request))

    @admin.display(description="Orders")
    def orders(self, customer: Any) -> int:
        return customer.order_count

    @admin.display(description="Last order")
    def last_order_on(self, customer: Any) -> Any:
        return customer.last_order

    @admin.display(description="Spent")
    def spent(self, customer: Any) -> str:
        return display(customer.spent_inr, INR)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        customer = self.get_object(request, object_id)
        shown: dict[str, Any] = {}
        if customer is not None and request.user.has_perm("orders.view_order"):
            shown = {
                "person": customer,
                "newest": customer.orders.all()[:NEWEST],
                "balance": balance_of(customer),
                "points": customer.points_entries.order_by("-at", "-id")[:ENTRIES],
            }
        return super().change_view(request, object_id, form_url, (extra_context or {}) | shown)
