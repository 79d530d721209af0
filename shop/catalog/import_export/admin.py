"""Imports: upload, what would happen, the import itself with its progress, what became of it, and all earlier ones."""

from pathlib import Path
from typing import Any

from django.contrib import admin, messages
from django.core.paginator import Page, Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import action as detail_action

from shop.backoffice import history
from shop.backoffice.admin import BackOfficeAdmin, row_number
from shop.errors import Busy, ShopError

from ..bulk_edit.views import ask, page
from ..models import ProductImport
from ..tasks import work_on_import
from .forms import ImportForm
from .near_names import names_of
from .new_names import PER_PAGE as NAMES_PER_PAGE
from .new_names import Question, questions_of, read_answers
from .services import (
    begin_import,
    column_choices,
    keep_upload,
    map_columns,
    notes_of,
    pictures_of,
    shown_problem,
    summary,
)
from .undo import begin_undo, left_of, shown_reason

PER_PAGE = 100
State = ProductImport.State
UNDO = gettext_lazy(
    "The products, variants, categories, brands and pictures that the import created are removed, and those it changed "
    "get their old values back. Anything edited since is kept and listed. If anything it created has been ordered, "
    "nothing is undone."
)


@admin.register(ProductImport)
class ImportAdmin(BackOfficeAdmin):
    list_display = ("name", "format", "state", "created", "updated", "refused", "by", "at")
    list_select_related = ("by",)
    list_filter = ("state",)
    search_fields = ("name", "by__name")
    ordering = ("-id",)
    actions_detail = ("refused_rows", "undo")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # what was imported stays as it was

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_manager_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_add_permission(request)

    @admin.display(description=gettext_lazy("New"))
    def created(self, kept: ProductImport) -> int:
        return kept.counts.get("created", 0)

    @admin.display(description=gettext_lazy("Changed"))
    def updated(self, kept: ProductImport) -> int:
        return kept.counts.get("updated", 0)

    @admin.display(description=gettext_lazy("Refused"))
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
        answer = page(self, request, "import_export/import_form", title=gettext("Import products"), form=form)
        answer.status_code = 422 if form.errors else 200
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request) or (request.method == "POST" and not self.has_add_permission(request)):
            return super().change_view(request, object_id, form_url, extra_context)  # refuses
        kept = self._kept(object_id)
        questions = None
        if request.POST.get("do") == "columns":
            return self._map_columns(request, kept)
        if request.method == "POST":
            questions = read_answers(kept, request.POST) if kept.state == State.COUNTED else []
            if not any(question.error for question in questions) and not _is_unanswered(request, questions):
                return self._begin(request, kept)
        context = self._context(request, kept, questions)
        if request.headers.get("HX-Request"):
            return render(request, "catalog/import_export/_import.html", context)
        answer = page(self, request, "import_export/import", title=kept.name, **context)
        answer.status_code = 422 if questions else 200
        return answer

    def _map_columns(self, request: HttpRequest, kept: ProductImport) -> HttpResponse:
        chosen = {
            name.removeprefix("column-"): request.POST[name] for name in request.POST if name.startswith("column-")
        }
        try:
            if map_columns(kept, chosen):
                work_on_import.enqueue(kept.pk)
            else:
                self.message_user(request, gettext("This import has already started."), messages.WARNING)
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
        return redirect("admin:catalog_productimport_change", kept.pk)

    def _begin(self, request: HttpRequest, kept: ProductImport) -> HttpResponse:
        """What the button says: the next page of questions, or the import itself."""
        here = reverse("admin:catalog_productimport_change", args=[kept.pk])
        if next_page := request.POST.get("next", ""):
            return redirect(f"{here}?n={row_number(next_page)}#names")
        drafts = request.POST.get("as_drafts")
        if begin_import(kept, as_drafts=kept.as_drafts if drafts is None else drafts == "yes"):
            work_on_import.enqueue(kept.pk)
        else:
            self.message_user(request, gettext("This import has already started."), messages.WARNING)
        return redirect(here)

    @detail_action(description=gettext_lazy("Undo"), url_path="undo", permissions=["manager"])
    def undo(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A link leads to a page that asks; its button sets the worker to it."""
        kept = self._kept(object_id)
        if request.method != "POST":
            return ask(
                self,
                request,
                kept,
                gettext("Undo the import of %(name)s?") % {"name": kept.name},
                str(UNDO),
                gettext("Undo this import"),
            )
        if begin_undo(kept):
            work_on_import.enqueue(kept.pk)
        else:
            self.message_user(request, gettext("There is nothing to undo."), messages.WARNING)
        return redirect("admin:catalog_productimport_change", kept.pk)

    @detail_action(description=gettext_lazy("Refused rows"), url_path="refused", permissions=["manager"])
    def refused_rows(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """As they were in the file, each with its reason."""
        kept = self._kept(object_id)
        if not kept.file:
            raise Http404
        try:
            refused = kept.file.storage.open(kept.refused_name)
        except FileNotFoundError as error:
            raise Http404 from error
        except Busy as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
            return redirect("admin:catalog_productimport_change", kept.pk)
        name = f"{Path(kept.name).name.partition('.')[0]}-refused.csv"
        history.record_export(request.user, name)
        return FileResponse(refused, as_attachment=True, filename=name, content_type="text/csv")

    def _kept(self, object_id: str) -> ProductImport:
        return get_object_or_404(ProductImport.objects.select_related("by"), pk=row_number(object_id))

    def _context(
        self, request: HttpRequest, kept: ProductImport, questions: list[Question] | None = None
    ) -> dict[str, Any]:
        given = request.GET.get("p", "")
        number = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 1
        return self._said_by_files(request, kept, (max(1, number) - 1) * PER_PAGE) | {
            "kept": kept,
            "summary": summary(kept),
            "pictures": pictures_of(kept),
            "page": max(1, number),
            "may_import": self.has_add_permission(request),
            "problem": shown_problem(kept),
            "left": [(row, shown_reason(row)) for row in left_of(kept)[:PER_PAGE]]
            if kept.state == State.UNDONE
            else [],
            "names": _page_of_names(kept, request.GET.get("n", ""), questions) if kept.state == State.COUNTED else None,
        }

    def _said_by_files(self, request: HttpRequest, kept: ProductImport, start: int) -> dict[str, Any]:
        """A page of its report and the columns of its file; in words where the storage of both is away."""
        said: dict[str, Any] = {"notes": [], "has_next": False, "column_choices": [], "columns": []}
        try:
            if not kept.is_under_way and kept.state != State.UNDONE:
                said["notes"], total = notes_of(kept, start, PER_PAGE)
                said["has_next"] = start + PER_PAGE < total
            if self.has_add_permission(request):
                said["column_choices"], said["columns"] = column_choices(kept)
        except Busy as refusal:
            return said | {"files_problem": refusal.message}
        return said | {"files_problem": ""}


def _page_of_names(kept: ProductImport, number: str, questions: list[Question] | None) -> "Page[Question]":
    """The first page with a mistake, else the one that was asked for."""
    all_questions = questions_of(kept) if questions is None else questions
    wrong = next((place for place, question in enumerate(all_questions) if question.error), None)
    chosen = max(1, row_number(number)) if wrong is None else wrong // NAMES_PER_PAGE + 1
    shown = Paginator(all_questions, NAMES_PER_PAGE).get_page(chosen)
    kinds = {question.kind for question in shown}
    shown.known = {kind: names_of(kind).values() for kind in sorted(kinds)}  # type: ignore[attr-defined]
    return shown


def _is_unanswered(request: HttpRequest, questions: list[Question]) -> bool:
    """Before the import itself every question with something near needs an answer."""
    unanswered = [question for question in questions if not question.answer and not request.POST.get("next")]
    for question in unanswered:
        question.error = gettext("Choose one.")
    return bool(unanswered)
