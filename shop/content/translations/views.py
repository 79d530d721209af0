"""The back office's page of translations: what is missing, a file of it, and the file that comes back."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext, gettext_noop

from shop.backoffice.admin import send_table
from shop.backoffice.spreadsheets import ANSWERS
from shop.backoffice.translations import language_name
from shop.catalog.import_export.rows import BadFile
from shop.errors import ShopError
from shop.translated import shop_languages

from .forms import TranslationsForm
from .queries import Model, count_texts, models_of, texts, texts_of, untranslated
from .services import MAX_NOTES, Outcome, import_translations, table

ROWS_A_PAGE = 50
gettext_noop("substances")  # only models with a screen of their own have their names in the catalogues


def translations(request: HttpRequest) -> HttpResponseBase:
    """`?language=hi` lists what is missing in a language, `&model=catalog.product` of one kind of rows, `&export=csv`
    (or xlsx) sends it as a file, with `&all=1` what is translated, too. A file that is posted is imported."""
    allowed = models_of(request.user)
    if not allowed:
        raise PermissionDenied
    language = request.GET.get("language", "") or next(iter(shop_languages()), "")
    if language and language not in shop_languages():
        raise Http404
    chosen = _chosen(request, allowed)
    if language and (format := request.GET.get("export", "")) in ANSWERS:
        found = texts(chosen or allowed, language, missing_only=not request.GET.get("all"))
        return send_table(request, format, f"translations-{language}", table(found))
    form = TranslationsForm(request.POST or None, request.FILES or None)
    outcome = _import(request, allowed, form) if request.method == "POST" and form.is_valid() else None
    context = {
        **admin.site.each_context(request),
        "title": gettext("Translations"),
        "language": language,
        "language_name": language_name(language) if language else "",
        "languages": [(code, language_name(code)) for code in shop_languages()],
        "counts": [_Count(model, language) for model in allowed] if language and not chosen else [],
        "kind": _label(chosen[0]) if chosen else "",
        "model": chosen[0]._meta.label_lower if chosen else "",
        "page": _page(request, chosen[0], language) if chosen and language else None,
        "form": form,
        "outcome": outcome,
        "notes": outcome.notes[:MAX_NOTES] if outcome else [],
    }
    return TemplateResponse(request, "content/translations/translations.html", context)


class _Count:
    """How much of a kind of rows is translated."""

    def __init__(self, model: Model, language: str) -> None:
        self.key, self.name = model._meta.label_lower, _label(model)
        self.total, self.missing = count_texts(model, language)


def _label(model: Model) -> str:
    return str(model._meta.verbose_name_plural).capitalize()


def _chosen(request: HttpRequest, allowed: list[Model]) -> list[Model]:
    label = request.GET.get("model", "")
    chosen = [model for model in allowed if model._meta.label_lower == label]
    if label and not chosen:
        raise Http404
    return chosen


def _page(request: HttpRequest, model: Model, language: str) -> Any:
    """Rows with the texts that they lack, and where each is written."""
    page = Paginator(untranslated(model, language).order_by("pk"), ROWS_A_PAGE).get_page(request.GET.get("p"))
    page.object_list = [
        (str(row), _address_of(row), missing)
        for row in page.object_list
        if (missing := [text for text in texts_of(row, language) if not text.translation])
    ]
    return page


def _address_of(row: Any) -> str:
    try:
        return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    except NoReverseMatch:
        return ""


def _import(request: HttpRequest, allowed: list[Model], form: TranslationsForm) -> Outcome | None:
    with _on_disk(form.cleaned_data["file"]) as path:
        try:
            return import_translations(path, allowed, request.user, overwrite=form.cleaned_data["overwrite"])
        except (BadFile, ShopError) as refusal:
            form.add_error("file", getattr(refusal, "message", "") or str(refusal))
            return None


@contextmanager
def _on_disk(upload: Any) -> Iterator[Path]:
    suffix = ".xlsx" if str(upload.name).lower().endswith(".xlsx") else ".csv"
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        for chunk in upload.chunks():
            file.write(chunk)
        file.flush()
        yield Path(file.name)
