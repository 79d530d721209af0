"""The pages of a change of many variants: what is to happen, the preview, the result."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from shop.errors import ShopError

from ..job_models import MAX_CHANGES
from ..models import BulkChange, Product, Variant
from .forms import BulkForm
from .services import apply_change, preview_change

PER_PAGE = 100


def page(model_admin: "ModelAdmin[Any]", request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
    shared = model_admin.admin_site.each_context(request) | {"opts": model_admin.opts}
    return TemplateResponse(request, f"catalog/{template}.html", shared | context)


def ask(
    model_admin: "ModelAdmin[Any]", request: HttpRequest, thing: Any, question: str, explanation: str, button: str
) -> TemplateResponse:
    """A page with one button that posts to where it stands."""
    context = {"title": question, "thing": thing, "explanation": explanation, "button": button}
    return page(model_admin, request, "bulk_edit/ask", **context)


def start(model_admin: "ModelAdmin[Any]", request: HttpRequest, products: QuerySet[Product]) -> HttpResponse:
    """The form, for the products chosen in the list."""
    ids = list(products.order_by("pk").values_list("pk", flat=True)[: MAX_CHANGES + 1])
    if len(ids) > MAX_CHANGES:
        model_admin.message_user(request, f"Choose at most {MAX_CHANGES:,} products at a time.", messages.ERROR)
        return redirect(request.get_full_path())
    return _form_page(model_admin, request, BulkForm(initial={"products": ",".join(map(str, ids))}), len(ids))


def new(model_admin: "ModelAdmin[Any]", request: HttpRequest) -> HttpResponse:
    """Makes the preview of what the form says."""
    form = BulkForm(request.POST)
    if form.is_valid():
        variants = Variant.objects.filter(product__in=form.cleaned_data["products"])
        try:
            change = preview_change(variants, form.wish(), by=request.user, reason=form.cleaned_data["reason"])  # type: ignore[arg-type]
            return redirect("admin:catalog_bulkchange_preview", change.pk)
        except ShopError as refusal:
            form.add_error(None, refusal.message)
    return _form_page(model_admin, request, form, len(form.cleaned_data.get("products", ())), status=422)


def preview(model_admin: "ModelAdmin[Any]", request: HttpRequest, change: BulkChange) -> HttpResponse:
    """What is to become of each row; afterwards, what became of it. The button applies it, once."""
    if request.method == "POST":
        if request.POST.get("token") != str(change.token):
            model_admin.message_user(
                request, "That preview was for a different change. Check this one first.", messages.ERROR
            )
        elif apply_change(change, by=request.user):  # type: ignore[arg-type]
            model_admin.message_user(request, "Applied.", messages.SUCCESS)
        else:
            model_admin.message_user(request, "This was already applied. Nothing was changed.", messages.WARNING)
        return redirect(request.get_full_path())
    rows = change.rows.select_related("variant__product")
    refused = change.rows.exclude(refusal="").count()
    shown = Paginator(rows, PER_PAGE).get_page(request.GET.get("p"))
    return page(
        model_admin,
        request,
        "bulk_edit/preview",
        title="Applied change" if change.applied_at else "Preview",
        change=change,
        rows=shown,
        refused=refused,
        accepted=shown.paginator.count - refused,
    )


def _form_page(
    model_admin: "ModelAdmin[Any]", request: HttpRequest, form: BulkForm, number: int, *, status: int = 200
) -> HttpResponse:
    answer = page(model_admin, request, "bulk_edit/form", title="Change prices and stock", form=form, number=number)
    answer.status_code = status
    return answer
