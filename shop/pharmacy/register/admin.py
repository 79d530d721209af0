"""The register of Schedule H1 for the pharmacist: to look into, to add the batch, and as CSV for an inspector."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy

from shop.backoffice.admin import BackOfficeAdmin, send_table
from shop.rows import each_row

from ..access import is_pharmacist
from ..models import RegisterEntry
from ..review.admin import PharmacistOnly

COLUMNS = (
    "supplied_on", "drug", "batch", "quantity", "patient_name", "patient_address", "prescriber_name",
    "prescriber_address", "prescriber_registration", "order_number",
)  # fmt: skip


def rows_of(entries: QuerySet[RegisterEntry]) -> Iterator[tuple[Any, ...]]:
    yield COLUMNS
    by = (COLUMNS[0], "pk")
    for day, _, *more in each_row(entries.values_list(*by, *COLUMNS[1:]), by=by):
        yield day, *more


@admin.register(RegisterEntry)
class RegisterEntryAdmin(PharmacistOnly, BackOfficeAdmin):
    """Entries come from parcels (services.py); only the batch can be written by hand."""

    list_display = ("supplied_on", "drug", "batch", "quantity", "patient_name", "prescriber_name", "order_number")
    search_fields = ("drug", "batch", "patient_name", "prescriber_name", "prescriber_registration", "order_number")
    date_hierarchy = "supplied_on"
    fields = COLUMNS
    readonly_fields = tuple(name for name in COLUMNS if name != "batch")
    actions = ("export_csv",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_pharmacist(request.user)

    @admin.action(description=gettext_lazy("Export as CSV"), permissions=["view"])
    def export_csv(self, request: HttpRequest, entries: QuerySet[RegisterEntry]) -> HttpResponseBase:
        return send_table(request, "csv", "schedule-h1-register", rows_of(entries))
