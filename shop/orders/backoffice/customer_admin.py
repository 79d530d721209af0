"""The admin of customers with what they ordered: only this app knows both."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.admin import CustomerAdmin
from shop.accounts.models import Customer
from shop.money import INR, display

from ..models import Order


def with_orders(customers: QuerySet[Customer]) -> QuerySet[Customer]:
    """With `order_count`, `last_order` (when) and `spent_inr`, of the orders that were placed and did not end
    otherwise. Each is read by the customer's own index, so a page of a long list asks for its rows only."""
    placed = Order.objects.filter(customer=OuterRef("pk"), placed_at__isnull=False)
    kept = placed.exclude(status__in=[Order.Status.CANCELLED, Order.Status.RETURNED]).order_by().values("customer")
    due = kept.with_due()  # type: ignore[attr-defined]
    return customers.annotate(
        order_count=Coalesce(Subquery(kept.annotate(found=Count("pk")).values("found")), 0),
        last_order=Subquery(kept.annotate(found=Max("placed_at")).values("found")),
        spent_inr=Coalesce(Subquery(due.values("customer").annotate(found=Sum("due")).values("found")), Decimal(0)),
    )


@admin.register(Customer)
class CustomerWithOrdersAdmin(CustomerAdmin):
    list_display = (
        "__str__", "email", "phone", "orders", "last_order_on", "spent", "is_staff", "is_active", "date_joined",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Customer]:
        return with_orders(super().get_queryset(request))

    @admin.display(description=gettext_lazy("Orders"))
    def orders(self, customer: Any) -> int:
        return customer.order_count

    @admin.display(description=gettext_lazy("Last order"))
    def last_order_on(self, customer: Any) -> Any:
        return customer.last_order

    @admin.display(description=gettext_lazy("Spent"))
    def spent(self, customer: Any) -> str:
        return display(customer.spent_inr, INR)

    def facts_of(self, request: HttpRequest, customer: Customer) -> list[tuple[str, str]]:
        facts = super().facts_of(request, customer)
        if customer.deleted_at is None and request.user.has_perm("orders.add_orderdraft"):
            facts.append(
                (gettext("New draft order"), f"{reverse('admin:orders_orderdraft_add')}?customer={customer.pk}")
            )
        if not request.user.has_perm("orders.view_order"):
            return facts
        person: Any = customer
        url = f"{reverse('admin:orders_order_changelist')}?customer__id__exact={customer.pk}"
        words = gettext("Orders: {count}, {spent} in all").format(
            count=person.order_count, spent=display(person.spent_inr, INR)
        )
        return [(words, url), *facts]
