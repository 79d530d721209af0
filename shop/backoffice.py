"""What the staff's screens of every room share."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import IntegerField, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin, TabularInline
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.contrib.filters.forms import AutocompleteDropdownForm
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget

from . import history
from .errors import ShopError

MOST_COUNTED = 10_000
NUMBER_KEY = re.compile("[0-9]{1,18}")
NO_KEY = "-"
TEXT_KEY = re.compile(r"[^\x00]*")


def row_number(text: str) -> int:
    """The key that an address or a form names; 0, which no row has, for anything else."""
    return int(text) if NUMBER_KEY.fullmatch(text) else 0


class ShortCount(Paginator):
    """Counts no further than a person pages: to count a long list takes longer than to show its first page."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list  # a QuerySet
        return rows.order_by().values("pk")[:MOST_COUNTED].count()


class FoundByNumber:
    """Searches for whole numbers and ids, as one copies them: parts would be looked for in every row."""

    search_fields: Sequence[str]
    search_help_text = "A whole number or id"

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        spellings = {search_term.strip(), search_term.strip().upper()}
        wanted = (Q(**{f"{name}__in": spellings}) for name in self.search_fields)
        return queryset.filter(reduce(or_, wanted)) if search_term.strip() else queryset, False


class ReadOnly:
    """May be looked at by whoever may view it, and changed by nobody."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class _KeysOnly:
    """Django asks the database for whatever was sent as a choice, and breaks on what can be no key."""

    field: Any  # of the model

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        sent = super().value_from_datadict(data, files, name)  # type: ignore[misc]
        return [self._named(key) for key in sent] if isinstance(sent, list) else self._named(sent)

    def optgroups(self, name: Any, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, [key for key in value if self._is_key(key)], attr)  # type: ignore[misc]

    def _named(self, key: Any) -> Any:
        return key if not key or self._is_key(key) else NO_KEY

    def _is_key(self, key: Any) -> bool:
        is_number = isinstance(self.field.remote_field.model._meta.pk, IntegerField)
        return bool((NUMBER_KEY if is_number else TEXT_KEY).fullmatch(str(key)))


class _ChosenRow(_KeysOnly, AutocompleteSelect):
    pass


class _ChosenRows(_KeysOnly, AutocompleteSelectMultiple):
    pass


class _FilterForm(AutocompleteDropdownForm):
    widget = _ChosenRow


class RowFilter(AutocompleteSelectFilter):
    """Of a list: what belongs to one row, chosen by a search."""

    form_class = _FilterForm


class Choosing:
    """Of screens and their rows: what `autocomplete_fields` offers takes keys only."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(db_field, request, **self._offer(_ChosenRow, db_field, request, kwargs))  # type: ignore[misc]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(  # type: ignore[misc]
            db_field, request, **self._offer(_ChosenRows, db_field, request, kwargs)
        )

    def _offer(self, widget: Any, db_field: Any, request: HttpRequest, kwargs: dict[str, Any]) -> dict[str, Any]:
        screen: Any = self
        if "widget" in kwargs or db_field.name not in screen.get_autocomplete_fields(request):
            return kwargs
        return kwargs | {"widget": widget(db_field, screen.admin_site, using=kwargs.get("using"))}


class Rows(Choosing, TabularInline):
    """Rows of another model inside a screen."""


class Screen(Choosing, ModelAdmin):
    """A list and a form that answer in few queries, however long the list is, and whose changes are kept with
    their values before and after (history.py); those of the fields named in `private` are left out."""

    list_per_page = 50
    show_full_result_count = False
    list_fullwidth = True
    warn_unsaved_form = False
    paginator = ShortCount
    object_history_template = "backoffice/object_history.html"
    private: Sequence[str] = ()

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> list[dict]:
        return history.describe(form, formsets or [], added=add, private=self.private)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Django would look for a field without a name where a form says `_to_field=`."""
        return super().get_object(request, object_id, from_field or None)

    def response_action(self, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
        """Django breaks on a chosen row whose key can be none."""
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if isinstance(self.opts.pk, IntegerField) and not all(row_number(key) for key in chosen):
            raise Http404
        return super().response_action(request, queryset)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        answer = super().history_view(request, object_id, extra_context)
        for entry in getattr(answer, "context_data", {}).get("action_list", ()):
            entry.told = history.read(entry)
        return answer


class KeptAddress(ModelAdmin):
    """A slug is chosen once, with `prepopulated_fields`: links to it shall hold."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*super().get_readonly_fields(request, obj), *(("slug",) if obj else ()))

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else super().get_prepopulated_fields(request, obj)


class ReadOnlyScreen(ReadOnly, Screen):
    pass


@dataclass(frozen=True, slots=True)
class RowStep:
    label: str  # of its action in the list
    act: Callable[[Any, QueryDict, str], object]  # the row, what was sent with the step, and who takes it


class SteppedScreen(ReadOnlyScreen):
    """Rows that staff move by named steps, and in no other way: all that are chosen in the list, or one from the
    page that shows it."""

    steps: Mapping[str, RowStep] = {}
    step_permission = ""

    def page_of(self, row: Any) -> str:
        """The address of the page that shows the row with its steps."""
        raise NotImplementedError

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.actions = [_step_action(name, step) for name, step in self.steps.items()]

    def has_step_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(self.step_permission)

    def take_steps(self, request: HttpRequest, rows: QuerySet, name: str) -> None:
        """Each for itself: one that is refused does not stop the others."""
        for row in rows:
            try:
                self.steps[name].act(row, request.POST, str(request.user)[:100])
                self.message_user(request, f"{row}: done.", messages.SUCCESS)
            except ShopError as refusal:
                self.message_user(request, f"{row}: {refusal.message}", messages.WARNING)

    def take_one_step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        if not self.has_step_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = get_object_or_404(self.model, pk=pk)
        if name not in self.steps:
            raise Http404
        self.take_steps(request, self.model.objects.filter(pk=pk), name)
        return redirect(self.page_of(row))

    def get_urls(self) -> list[URLPattern]:
        names = f"{self.opts.app_label}_{self.opts.model_name}_step"
        view = self.admin_site.admin_view(self.take_one_step)
        return [path("<int:pk>/step/<slug:name>/", view, name=names), *super().get_urls()]


def _step_action(name: str, step: RowStep) -> Callable[[SteppedScreen, HttpRequest, QuerySet], None]:
    @admin.action(description=step.label, permissions=["step"])
    def take(screen: SteppedScreen, request: HttpRequest, rows: QuerySet) -> None:
        screen.take_steps(request, rows, name)

    take.__name__ = name
    return take


class ReadOnlyRows(ReadOnly, Rows):
    extra = 0
    show_change_link = False


class WordsForm(ActionForm):
    """Beside the choice of an action: words that it may need, such as a reason or a reference (`words`)."""

    words = forms.CharField(
        label="",
        required=False,
        max_length=300,
        widget=UnfoldAdminTextInputWidget({"placeholder": "Reason or reference", "aria-label": "Reason or reference"}),
    )
