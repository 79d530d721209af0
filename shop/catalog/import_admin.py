"""Imports: upload, what would happen, the import itself with its progress, what became of it, and all earlier ones."""

from pathlib import Path
from typing import Any

from django.contrib import admin, messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from unfold.decorators import action as detail_action

from shop.backoffice import Screen, row_number
from shop.errors import ShopError

from .bulk_views import page
from .import_desk import begin_import, count_notes, keep_upload, notes_of, pictures_of, summary
from .import_forms import ImportForm
from .models import ProductImport
from .tasks import work_on_import

PER_PAGE = 100


@admin.register(ProductImport)
class ImportScreen(Screen):
    list_display = ("name", "format", "state", "created", "updated", "refused", "by", "at")
    list_select_related = ("by",)
    list_filter = ("state",)
    search_fields = ("name", "by__name")
    ordering = ("-id",)
    actions_detail = ("refused_rows",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # what was imported stays as it was

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_manager_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_add_permission(request)

    @admin.display(description="New")
    def created(self, kept: ProductImport) -> int:
        return kept.counts.get("created", 0)

    @admin.display(description="Changed")
    def updated(self, kept: ProductImport) -> int:
        return kept.counts.get("updated", 0)

    @admin.display(description="Refused")
    def refused(self, kept: ProductImport) -> int:
        return kept.counts.get("refused", 0)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)  # refuses
        form = ImportForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid():
            given = form.cleaned_data
            try:
                kept = keep_upload(
                    given["file"],
                    by=request.user,  # type: ignore[arg-type]
                    format=given["format"],
                    mapping=given["mapping"],
                    currency=given["currency"],
                    take_stock=given["take_stock"],
                    take_pictures=given["take_pictures"],
                )
            except ShopError as refusal:
                form.add_error("file", refusal.message)
            else:
                work_on_import.enqueue(kept.pk)
                return redirect("admin:catalog_productimport_change", kept.pk)
        answer = page(self, request, "import_form", title="Import products", form=form)
        answer.status_code = 422 if form.errors else 200
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request) or (request.method == "POST" and not self.has_add_permission(request)):
            return super().change_view(request, object_id, form_url, extra_context)  # refuses
        kept = self._kept(object_id)
        if request.method == "POST":
            if begin_import(kept):
                work_on_import.enqueue(kept.pk)
            else:
                self.message_user(request, "This import has begun already.", messages.WARNING)
            return redirect("admin:catalog_productimport_change", kept.pk)
        context = self._context(request, kept)
        if request.headers.get("HX-Request"):
            return render(request, "catalog/desk/_import.html", context)
        return page(self, request, "import", title=kept.name, **context)

    @detail_action(description="Refused rows", url_path="refused", permissions=["manager"])
    def refused_rows(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """As they were in the file, each with its reason."""
        kept = self._kept(object_id)
        if not kept.refused_path.exists():
            raise Http404
        name = f"{Path(kept.name).name.partition('.')[0]}-refused.csv"
        return FileResponse(kept.refused_path.open("rb"), as_attachment=True, filename=name, content_type="text/csv")

    def _kept(self, object_id: str) -> ProductImport:
        return get_object_or_404(ProductImport.objects.select_related("by"), pk=row_number(object_id))

    def _context(self, request: HttpRequest, kept: ProductImport) -> dict[str, Any]:
        given = request.GET.get("p", "")
        number = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 1
        total = 0 if kept.is_under_way else count_notes(kept)
        start = (max(1, number) - 1) * PER_PAGE
        return {
            "kept": kept,
            "summary": summary(kept),
            "pictures": pictures_of(kept),
            "notes": notes_of(kept, start, PER_PAGE) if total else [],
            "page": max(1, number),
            "has_next": start + PER_PAGE < total,
            "may_import": self.has_add_permission(request),
        }
