"""Recalls in the back office: which batch, why, and who got some of it."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import action as detail_action

from shop.backoffice.actors import shown_actor, staff_actor
from shop.backoffice.admin import BackOfficeAdmin, row_number, send_table

from .forms import RecallForm
from .models import Recall
from .recalls import Buyer, buyers_of, count_buyers, recall_batch

MAX_SHOWN = 200


@admin.register(Recall)
class RecallAdmin(BackOfficeAdmin):
    list_display = ("batch", "product", "reason", "at", "notified_at")
    list_display_links = ("batch",)
    list_select_related = ("batch__variant__product",)
    search_fields = ("batch__number", "batch__variant__sku", "batch__variant__product__name", "reason")
    ordering = ("-id",)
    form = RecallForm
    fields = ("batch", "product", "reason", "advice", "who", "at", "notified_at", "buyers")
    readonly_fields = ("product", "who", "at", "notified_at", "buyers")
    autocomplete_fields = ("batch",)
    actions_detail = ("export",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return [(None, {"fields": self.fields if obj else ("batch", "reason", "advice")})]

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Recall:
        data = form.cleaned_data
        actor = staff_actor(request.user)
        return recall_batch(data["batch"], reason=data["reason"], advice=data["advice"], actor=actor)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The service has written it."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing hangs on the form."""

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Recall | None:
        """With its buyers, which the form asks for several times. The pharmacist reads the numbers of orders alone."""
        recall: Recall | None = super().get_object(request, *args, **kwargs)
        if recall is not None:
            shown = _buyers_of(recall, opens_orders=request.user.has_perm("orders.view_order"))
            recall.shown_buyers = shown  # type: ignore[attr-defined]
        return recall

    @admin.display(description=gettext_lazy("recalled by"))
    def who(self, recall: Recall) -> str:
        return shown_actor(recall.by)

    @admin.display(description=gettext_lazy("product"))
    def product(self, recall: Recall) -> str:
        return str(recall.batch.variant)

    @admin.display(description=gettext_lazy("customers who were sent some of it"))
    def buyers(self, recall: Recall) -> SafeString:
        shown: SafeString = recall.shown_buyers  # type: ignore[attr-defined]
        return shown

    @detail_action(description=gettext_lazy("Export customers (CSV)"), url_path="export", permissions=["view"])
    def export(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        recall = get_object_or_404(Recall.objects.select_related("batch"), pk=row_number(object_id))
        return send_table(request, "csv", f"recall-{recall.batch.number}", _table(buyers_of(recall.batch)))


def _buyers_of(recall: Recall, *, opens_orders: bool) -> SafeString:
    rows = [_row_of(buyer, opens_orders) for buyer in buyers_of(recall.batch, first=MAX_SHOWN)]
    left = count_buyers(recall.batch) - len(rows)
    more = gettext("{count} more are in the export.").format(count=left) if left else ""
    return format_html("<ul>{}</ul><p>{}</p>", format_html_join("", "<li>{}: {} ({})</li>", rows), more)


def _row_of(buyer: Buyer, opens_orders: bool) -> tuple[str, SafeString, str]:
    units = gettext("sent {sent}, still there {kept}").format(sent=buyer.sent, kept=buyer.kept)
    links = [(reverse("admin:orders_order_change", args=[one.order.pk]), one.order.number) for one in buyer.orders]
    numbers = (
        format_html_join(", ", '<a href="{}">{}</a>', links)
        if opens_orders
        else format_html_join(", ", "{}", [(number,) for _, number in links])
    )
    return str(buyer.customer), numbers, units


def _table(buyers: list[Buyer]) -> Iterator[list[Any]]:
    yield ["Customer", "Email", "Phone", "Name", "Order", "Sent", "Still there"]
    for buyer in buyers:
        for one in buyer.orders:
            address = one.order.address
            phone = f"{address.get('phone_code', '')} {address.get('phone_number', '')}".strip()
            name = address.get("full_name", "")
            yield [buyer.customer.pk, one.order.email, phone, name, one.order.number, one.sent, one.kept]
