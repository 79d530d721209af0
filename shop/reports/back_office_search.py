"""One search over the back office, for Ctrl+K on every page (settings.UNFOLD).

A list takes part by naming in `found_as` what its rows are described by; it is searched as on its own page, and only
for those who may see it.
"""

from urllib.parse import urlencode

from django.contrib.admin import site
from django.contrib.admin.utils import display_for_field, display_for_value, lookup_field
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from unfold.dataclasses import SearchResult

from shop.backoffice.admin import MAX_SEARCH_LENGTH, BackOfficeAdmin

from .navigation import ANY_ICON, ICONS, PLACES

MIN_LENGTH = 2
MAX_ROWS = 5  # rows of one list


def find(request: HttpRequest, words: str) -> list[SearchResult]:
    """Rows of every list that takes part, in the order of the sidebar."""
    words = words.replace("\x00", "")[:MAX_SEARCH_LENGTH].strip()
    if len(words) < MIN_LENGTH:
        return []
    return [result for model_admin in _searched(request) for result in _found(request, model_admin, words)]


def _searched(request: HttpRequest) -> list[BackOfficeAdmin]:
    places = list(PLACES)
    taking_part = [
        model_admin
        for model_admin in site._registry.values()
        if isinstance(model_admin, BackOfficeAdmin) and model_admin.found_as
        if model_admin.has_view_permission(request)
    ]
    return sorted(taking_part, key=lambda one: places.index(one.opts.label_lower))


def _found(request: HttpRequest, model_admin: BackOfficeAdmin, words: str) -> list[SearchResult]:
    rows = model_admin.get_queryset(request).select_related(*(model_admin.list_select_related or ()))
    found, _ = model_admin.get_search_results(request, rows, words)
    first = list(found.order_by(*model_admin.get_ordering(request))[: MAX_ROWS + 1])
    icon = ICONS.get(model_admin.opts.label_lower, ANY_ICON)
    results = [
        SearchResult(
            title=f"{str(model_admin.opts.verbose_name).capitalize()} {row}",
            description=_description(model_admin, row),
            link=model_admin.page_of(row),
            icon=icon,
        )
        for row in first[:MAX_ROWS]
    ]
    if len(first) > MAX_ROWS:
        everything = reverse(f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_changelist")
        title = gettext("All {name} with “{words}”").format(name=model_admin.opts.verbose_name_plural, words=words)
        results.append(SearchResult(title, gettext("the whole list"), f"{everything}?{urlencode({'q': words})}", icon))
    return results


def _description(model_admin: BackOfficeAdmin, row: Model) -> str:
    shown = (_shown(model_admin, row, name) for name in model_admin.found_as)
    return ", ".join(filter(None, shown))


def _shown(model_admin: BackOfficeAdmin, row: Model, name: str) -> str:
    """As the list shows it."""
    field, _, value = lookup_field(name, row, model_admin)
    if field is None or field.is_relation:
        return str(display_for_value(value, ""))
    return str(display_for_field(value, field, ""))
