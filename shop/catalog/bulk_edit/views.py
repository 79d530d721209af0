"""The pages of a change of many variants: what is to happen, the preview, the result."""

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext

from shop.errors import ShopError

from ..job_models import MAX_CHANGES
from ..models import BulkChange, Product, Variant
from . import columns, grid
from .forms import BulkForm, ScheduleForm
from .services import (
    apply_change,
    cancel_change,
    preview_cells,
    preview_change,
    preview_undo,
    schedule_change,
    shown_refusal,
)

PER_PAGE = 100
MAX_NAMED = 10
TITLES = {
    "applied": gettext_lazy("Applied change"),
    "cancelled": gettext_lazy("Cancelled change"),
    "scheduled": gettext_lazy("Scheduled change"),
    "preview": gettext_lazy("Preview"),
}


def page(model_admin: "ModelAdmin[Any]", request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
    shared = model_admin.admin_site.each_context(request) | {"opts": model_admin.opts}
    return TemplateResponse(request, f"catalog/{template}.html", shared | context)


def ask(
    model_admin: "ModelAdmin[Any]",
    request: HttpRequest,
    thing: Any,
    question: str,
    explanation: str,
    button: str,
    seen: int | None = None,
) -> TemplateResponse:
    """A page with one button that posts to where it stands, and with it what was `seen`."""
    context = {"title": question, "thing": thing, "explanation": explanation, "button": button, "seen": seen}
    return page(model_admin, request, "bulk_edit/ask", **context)


def start(model_admin: "ModelAdmin[Any]", request: HttpRequest, products: QuerySet[Product]) -> HttpResponse:
    """The form, for the products chosen in the list."""
    ids = list(products.order_by("pk").values_list("pk", flat=True)[: MAX_CHANGES + 1])
    if len(ids) > MAX_CHANGES:
        model_admin.message_user(
            request,
            gettext("Choose at most %(most)s products at a time.") % {"most": f"{MAX_CHANGES:,}"},
            messages.ERROR,
        )
        return redirect(request.get_full_path())
    return _form_page(model_admin, request, BulkForm(initial={"products": ",".join(map(str, ids))}), len(ids))


def new(model_admin: "ModelAdmin[Any]", request: HttpRequest) -> HttpResponse:
    """Makes the preview of what the form says."""
    form = BulkForm(request.POST)
    if form.is_valid():
        variants = Variant.objects.filter(product__in=form.cleaned_data["products"])
        try:
            change = preview_change(variants, form.edit(), by=request.user, reason=form.cleaned_data["reason"])  # type: ignore[arg-type]
            if words := _left_out(form.cleaned_data["products"]):
                model_admin.message_user(request, words, messages.WARNING)
            return redirect("admin:catalog_bulkchange_preview", change.pk)
        except ShopError as refusal:
            form.add_error(None, refusal.message)
    return _form_page(model_admin, request, form, len(form.cleaned_data.get("products", ())), status=422)


def _left_out(products: Collection[Any]) -> str:
    """Which of the chosen products no change reaches, because they have no variant; empty where there is none."""
    bare = Product.objects.filter(pk__in=products, variants=None).order_by("name")
    if not (count := bare.count()):
        return ""
    names = ", ".join(bare.values_list("name", flat=True)[:MAX_NAMED])
    if count > MAX_NAMED:
        names = gettext("%(names)s and %(count)s more") % {"names": names, "count": count - MAX_NAMED}
    said = ngettext(
        "%(count)s product has no variants and will not be changed: %(names)s.",
        "%(count)s products have no variants and will not be changed: %(names)s.",
        count,
    )
    return said % {"count": count, "names": names}


def preview(model_admin: "ModelAdmin[Any]", request: HttpRequest, change: BulkChange) -> HttpResponse:
    """What is to become of each row; afterwards, what became of it.

    Its buttons apply it once, now or at a time to come, cancel what is scheduled, or preview what takes it back."""
    schedule = ScheduleForm(request.POST if request.POST.get("do") == "schedule" else None)
    if request.method == "POST":
        if request.POST.get("token") != str(change.token):
            model_admin.message_user(
                request, gettext("That preview was for a different change. Check this one first."), messages.ERROR
            )
            return redirect(request.get_full_path())
        if schedule.is_bound and not schedule.is_valid():
            return _preview_page(model_admin, request, change, schedule, status=422)
        return redirect(_act(model_admin, request, change, schedule))
    return _preview_page(model_admin, request, change, schedule)


def _act(model_admin: "ModelAdmin[Any]", request: HttpRequest, change: BulkChange, schedule: ScheduleForm) -> str:
    """Do what the button says; where to go then."""
    here = reverse("admin:catalog_bulkchange_preview", args=[change.pk])
    try:
        match request.POST.get("do"):
            case "undo":
                undo = preview_undo(change, by=request.user)  # type: ignore[arg-type]
                return reverse("admin:catalog_bulkchange_preview", args=[undo.pk])
            case "schedule":
                is_done, words = schedule_change(change, schedule.cleaned_data["at"]), gettext("Scheduled.")
            case "cancel":
                is_done, words = cancel_change(change), gettext("Cancelled. Nothing was changed.")
            case _:
                is_done, words = apply_change(change, by=request.user), gettext("Applied.")  # type: ignore[arg-type]
    except ShopError as refusal:
        model_admin.message_user(request, refusal.message, messages.ERROR)
        return here
    late = gettext("This was already applied or cancelled. Nothing was changed.")
    model_admin.message_user(request, words if is_done else late, messages.SUCCESS if is_done else messages.WARNING)
    return here


def _preview_page(
    model_admin: "ModelAdmin[Any]",
    request: HttpRequest,
    change: BulkChange,
    schedule: ScheduleForm,
    *,
    status: int = 200,
) -> HttpResponse:
    rows = change.rows.select_related("variant__product")
    refused = change.rows.exclude(refusal="").count()
    shown = Paginator(rows, PER_PAGE).get_page(request.GET.get("p"))
    names = columns.names_of(part for row in shown for part in (row.before, row.after))
    for row in shown:
        row.shown_refusal = shown_refusal(row)  # type: ignore[attr-defined]
        row.others = [  # type: ignore[attr-defined]
            (
                columns.label_of(name),
                *(columns.in_words(name, part.get(name), names) for part in (row.before, row.after)),
            )
            for name in row.after
        ]
    answer = page(
        model_admin,
        request,
        "bulk_edit/preview",
        title=TITLES[change.state],
        change=change,
        rows=shown,
        refused=refused,
        accepted=shown.paginator.count - refused,
        schedule=schedule,
    )
    answer.status_code = status
    return answer


def grid_page(model_admin: "ModelAdmin[Any]", request: HttpRequest) -> HttpResponse:
    """The table of variants that the search finds; what is typed there becomes a preview."""
    words = request.GET.get("q", "")[:100]
    variants, _ = model_admin.get_search_results(request, Variant.objects.filter(product__archived_at=None), words)
    refusal, reason = "", "".join(filter(str.isprintable, request.POST.get("reason", "")))[:60]
    if request.method == "POST":
        try:
            cells = grid.read_cells(request.POST)
            change = preview_cells(cells, by=request.user, reason=reason)  # type: ignore[arg-type]
            if gone := len(cells) - Variant.objects.filter(pk__in=cells).count():
                lost = ngettext(
                    "%(count)s variant no longer exists and was left out.",
                    "%(count)s variants no longer exist and were left out.",
                    gone,
                )
                model_admin.message_user(request, lost % {"count": gone}, messages.WARNING)
            return redirect("admin:catalog_bulkchange_preview", change.pk)
        except ShopError as error:
            refusal = error.message
    markets = grid.main_markets()
    lines = grid.page_of(variants, request.GET.get("p", ""), markets, request.POST if refusal else None)
    answer = page(
        model_admin,
        request,
        "bulk_edit/grid",
        title=gettext("Prices and stock"),
        words=words,
        refusal=refusal,
        reason=reason,
        columns=grid.columns_of(markets),
        lines=lines,
    )
    answer.status_code = 422 if refusal else 200
    return answer


def _form_page(
    model_admin: "ModelAdmin[Any]", request: HttpRequest, form: BulkForm, number: int, *, status: int = 200
) -> HttpResponse:
    answer = page(
        model_admin, request, "bulk_edit/form", title=gettext("Change many products"), form=form, number=number
    )
    answer.status_code = status
    return answer
