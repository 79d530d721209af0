"""Batches in the back office: receiving, stock by expiry, what is written off."""

from datetime import date
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyRows
from shop.errors import ShopError

from ..models import Batch, BatchMovement, Variant
from ..products.admin import variants_found_by
from .forms import CorrectForm, ReceiveForm, WriteOffForm
from .labels import MAX_LABELS, draw_labels
from .services import correct_batch, receive_batch, write_off
from .shelf_life import last_day_of_sale

MONTHS = 12
WRITTEN = ("number", "manufactured", "expires")
MAX_CHOSEN = 20


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("here", gettext("In the shop")),
            ("off_sale", gettext("Off sale, still in the shop")),
            ("opening", gettext("Expiry unknown")),
            ("recalled", gettext("Recalled")),
            ("used_up", gettext("Used up")),
        ]

    def queryset(self, request: HttpRequest, batches: QuerySet[Batch]) -> QuerySet[Batch]:
        match self.value():
            case "here":
                return batches.filter(units__gt=0)
            case "off_sale":
                return batches.filter(units__gt=0, sold_until__lt=last_day_of_sale())
            case "opening":
                return batches.filter(units__gt=0, expires=None)
            case "recalled":
                return batches.filter(recalled_at__isnull=False)
            case "used_up":
                return batches.filter(units=0)
        return batches


class MovementRows(ReadOnlyRows):
    model = BatchMovement
    fields = ("at", "kind", "quantity", "reference", "actor")
    ordering = ("-id",)
    per_page = 20


@admin.register(Batch)
class BatchAdmin(BackOfficeAdmin):
    list_per_page = 25  # wide rows under a chart
    list_display = ("name", "variant", "expires", "units", "sold_until", "packed", "discarded", "now")
    list_display_links = ("name",)
    list_select_related = ("variant__product",)
    list_filter = (StateFilter,)
    list_before_template = "catalog/batches/_months.html"
    search_fields = ("number",)  # and more: get_search_results
    search_help_text = gettext_lazy("Batch number, SKU, barcode or product name")
    ordering = ("expires", "pk")
    form = ReceiveForm
    fields = (
        "variant", "number", "manufactured", "expires", "sold_until", "received", "units", "packed", "discarded",
        "recalled_at",
    )  # fmt: skip
    received_fields = ("code", "number", "manufactured", "expires", "units", "note", "form_key")
    inlines = (MovementRows,)
    action_form = WriteOffForm
    actions = ("write_off_units", "print_labels")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Batch], search_term: str
    ) -> tuple[QuerySet[Batch], bool]:
        term = search_term.replace("\x00", "").strip()
        if not term:
            return queryset, False
        variants = Variant.objects.filter(variants_found_by(term)).order_by().values("pk")
        return queryset.filter(Q(number__icontains=term) | Q(variant__in=variants)), False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_receive_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("catalog.add_batch"))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return [(None, {"fields": self.fields if obj else self.received_fields})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return tuple(name for name in self.fields if name not in WRITTEN) if obj else ()

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        kwargs["fields"] = WRITTEN
        if obj is not None:
            kwargs["form"] = CorrectForm
        return super().get_form(request, obj, change, **kwargs)

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return self.inlines if obj else ()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"months": _units_by_month()})

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Batch:
        data = form.cleaned_data
        if change:
            return correct_batch(form.instance, **{name: data[name] for name in WRITTEN})
        return receive_batch(
            data["variant"].pk,
            actor=staff_actor(request.user),
            key=data["form_key"],
            **{name: data[name] for name in (*WRITTEN, "units", "note")},
        )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The service has written it."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Movements are shown and never written."""
        for rows in formsets:
            self.save_formset(request, form, rows, change)

    @admin.display(description=gettext_lazy("batch"), ordering="number")
    def name(self, batch: Batch) -> str:
        return str(batch)

    @admin.display(description=gettext_lazy("state"))
    def now(self, batch: Batch) -> str:
        return batch.state

    @admin.action(description=gettext_lazy("Write off units (enter a reason)"), permissions=["receive"])
    def write_off_units(self, request: HttpRequest, batches: QuerySet[Batch]) -> None:
        for batch in batches.order_by("variant_id", "pk")[:MAX_CHOSEN]:
            try:
                units = _typed_units(request, batch)
                write_off(batch, units, actor=staff_actor(request.user), note=request.POST.get("words", ""))
                done = gettext("{batch}: {units} units written off.").format(batch=batch, units=units)
                self.message_user(request, done, messages.SUCCESS)
            except ShopError as refusal:
                self.message_user(request, f"{batch}: {refusal.message}", messages.WARNING)

    @admin.action(description=gettext_lazy("Print labels (enter how many)"), permissions=["view"])
    def print_labels(self, request: HttpRequest, batches: QuerySet[Batch]) -> HttpResponse | None:
        numbered = batches.exclude(number="").select_related("variant__product").order_by("variant_id", "pk")
        try:
            wanted = [(batch, min(_typed_units(request, batch), MAX_LABELS)) for batch in numbered[:MAX_CHOSEN]]
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.WARNING)
            return None
        if not sum(count for _, count in wanted):
            self.message_user(request, gettext("Only batches with a number have labels."), messages.WARNING)
            return None
        return HttpResponse(draw_labels(wanted), content_type="application/pdf")


def _typed_units(request: HttpRequest, batch: Batch) -> int:
    """What was typed beside the action, or all units of a batch."""
    typed = request.POST.get("units", "").strip()
    if typed and not (typed.isascii() and typed.isdigit() and len(typed) < 10):
        raise ShopError(gettext("Enter a whole number of units."))
    return int(typed) if typed else batch.units


def _units_by_month() -> list[dict[str, Any]]:
    """What is in the shop by the month in which it expires, the next twelve that have some."""
    here = Batch.objects.in_shop().filter(expires__gte=timezone.localdate().replace(day=1)).order_by("expires")
    months: dict[date, int] = {}
    # By day in the database: it has no month of a date at hand, and would work one out for each batch.
    for day, total in here.values_list("expires").annotate(total=Sum("units")):
        month = day.replace(day=1)
        if month not in months and len(months) == MONTHS:
            break
        months[month] = months.get(month, 0) + total
    return [{"month": month, "total": total} for month, total in months.items()]
