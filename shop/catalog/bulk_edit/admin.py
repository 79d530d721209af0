"""Changes of many variants at once: their list, the preview that applies them, and what became of each row."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import action as detail_action

from shop.backoffice.admin import ReadOnlyAdmin, row_number

from ..models import BulkChange
from . import views as bulk_views


class WaitingFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("scheduled", gettext("Scheduled")), ("applied", gettext("Applied"))]

    def queryset(self, request: HttpRequest, changes: QuerySet[BulkChange]) -> QuerySet[BulkChange]:
        match self.value():
            case "scheduled":
                return changes.filter(apply_at__isnull=False, applied_at=None, cancelled_at=None)
            case "applied":
                return changes.filter(applied_at__isnull=False)
        return changes


STATES = {
    "applied": gettext_lazy("Applied"),
    "cancelled": gettext_lazy("Cancelled"),
    "scheduled": gettext_lazy("Scheduled"),
    "preview": gettext_lazy("Preview"),
}


@admin.register(BulkChange)
class BulkChangeAdmin(ReadOnlyAdmin):
    list_display = ("what", "status", "apply_at", "applied_at", "reason", "by", "at")
    list_select_related = ("by",)
    search_fields = ("what", "reason", "by__name")
    list_filter = (WaitingFilter,)
    fields = ("what", "reason", "by", "at", "apply_at", "applied_at", "cancelled_at", "undoes")
    ordering = ("-id",)
    actions_detail = ("preview",)

    @admin.display(description=gettext_lazy("State"))
    def status(self, change: BulkChange) -> str:
        return str(STATES[change.state])

    def get_urls(self) -> list[URLPattern]:
        new = path("new/", self.admin_site.admin_view(self.new), name="catalog_bulkchange_new")
        return [new, *super().get_urls()]

    def has_manager_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return request.user.has_perm("catalog.change_product")

    def new(self, request: HttpRequest) -> HttpResponse:
        if not self.has_manager_permission(request):
            raise PermissionDenied
        if request.method == "GET":
            return redirect("admin:catalog_product_changelist")  # where products are chosen
        if request.method != "POST":
            return HttpResponseNotAllowed(["GET", "POST"])
        return bulk_views.new(self, request)

    @detail_action(description=gettext_lazy("Rows"), url_path="preview", permissions=["manager"])
    def preview(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return bulk_views.preview(self, request, get_object_or_404(BulkChange, pk=row_number(object_id)))
