"""What the admin of every app shares."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.paginator import Page, Paginator
from django.db import connection, transaction
from django.db.models import IntegerField, Model, Q, QuerySet
from django.forms.models import _get_foreign_key
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext, gettext_lazy
from unfold.admin import ModelAdmin, TabularInline
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.contrib.filters.forms import AutocompleteDropdownForm
from unfold.forms import ActionForm
from unfold.views import ChangeList
from unfold.widgets import UnfoldAdminTextInputWidget

from shop.errors import Invalid, ShopError, require_words
from shop.money import INR, display
from shop.translated import shop_languages, translated_fields

from . import history
from .forms import AS_SHOWN, StaffForm, lock_rows, shown_values
from .spreadsheets import ANSWERS
from .translations import is_key, side_by_side

MAX_COUNTED = 10_000
MAX_SEARCH_LENGTH = 100
NUMBER_KEY = re.compile("[0-9]{1,18}")
NO_KEY = "-"
TEXT_KEY = re.compile(r"[^\x00]*")


def row_number(text: str) -> int:
    """The key that an address or a form names; 0, which no row has, for anything else."""
    return int(text) if NUMBER_KEY.fullmatch(text) else 0


def rupees(name: str, title: Any, inr: Callable[[Any], Decimal] = Decimal) -> Callable[[Model], str | None]:
    """A column of a list for an amount of money, `inr` from what the field holds; nothing where it is empty."""

    @admin.display(description=title, ordering=name)
    def column(row: Model) -> str | None:
        value = getattr(row, name)
        return None if value is None else display(inr(value), INR)

    column.__name__ = name
    return column


class ColouredState(tuple[str, str]):
    """A state as `display(label=…)` reads it: the key that has a colour, and the words, which stand alone where no
    colour is shown."""

    def __new__(cls, key: str, words: str) -> "ColouredState":
        return super().__new__(cls, (key, words))

    def __str__(self) -> str:
        return self[1]


class ShortCount(Paginator):  # type: ignore[type-arg]  # takes none while it runs
    """Counts no further than a person pages: to count a long list takes longer than to show its first page.

    The keys of so many rows are looked for once, then the rows of a page by their keys: a costly search would run for
    the count and for the page, and whole rows with what they are joined to are slow to sort.
    """

    object_list: Any  # a QuerySet

    @cached_property
    def _keys(self) -> list[Any]:
        return list(self.object_list.values_list("pk", flat=True)[:MAX_COUNTED])

    @cached_property
    def count(self) -> int:
        return len(self._keys)

    def page(self, number: Any) -> Page[Any]:
        number = self.validate_number(number)
        rows = self.object_list.all()
        rows.query.clear_where()  # the keys say it all
        keys = self._keys[(number - 1) * self.per_page : number * self.per_page]
        return Page(rows.filter(pk__in=keys), number, self)


class FastChangeList(ChangeList):
    """unfold writes the heads of the columns anew for each row: their addresses are made once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._addresses: dict[str, str] = {}
        super().__init__(*args, **kwargs)

    def get_query_string(self, new_params: Any = None, remove: Any = None) -> str:
        asked = repr((new_params, remove))
        if asked not in self._addresses:
            self._addresses[asked] = super().get_query_string(new_params, remove)
        return self._addresses[asked]


class FoundByNumber:
    """Searches for whole numbers and ids, as one copies them: parts would be looked for in every row."""

    search_fields: Sequence[str]
    search_help_text = gettext_lazy("A whole number or id")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        spellings = {search_term.strip(), search_term.strip().upper()}
        matches = (Q(**{f"{name}__in": spellings}) for name in self.search_fields)
        return queryset.filter(reduce(or_, matches)) if search_term.strip() else queryset, False


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
    """Of admin pages and their rows: what `autocomplete_fields` offers takes keys only."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(db_field, request, **self._offer(_ChosenRow, db_field, request, kwargs))  # type: ignore[misc]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(  # type: ignore[misc]
            db_field, request, **self._offer(_ChosenRows, db_field, request, kwargs)
        )

    def _offer(self, widget: Any, db_field: Any, request: HttpRequest, kwargs: dict[str, Any]) -> dict[str, Any]:
        model_admin: Any = self
        if "widget" in kwargs or db_field.name not in model_admin.get_autocomplete_fields(request):
            return kwargs
        return kwargs | {"widget": widget(db_field, model_admin.admin_site, using=kwargs.get("using"))}


class WordsField(forms.CharField):
    """A required text in which something can be read."""

    def clean(self, value: Any) -> str:
        try:
            return require_words(super().clean(value), str(self.error_messages["required"]))
        except Invalid as refusal:
            raise forms.ValidationError(refusal.message) from refusal


class _Refused:
    """A form of which the first try to save was refused: it says so, at the fields that the refusal names."""

    refusal: ShopError

    def clean(self) -> Any:
        cleaned = super().clean()  # type: ignore[misc]
        form: Any = self
        for field, words in self.refusal.fields.items() or [("", [self.refusal.message])]:
            form.add_error(field if field in form.fields else None, words)
        return cleaned


class Rows(Choosing, TabularInline):
    """Rows of another model inside an admin page."""

    form = StaffForm


class BackOfficeAdmin(Choosing, ModelAdmin):
    """A list and a form that answer in few queries, however long the list is, and whose changes are kept with
    their values before and after (history.py); those of the fields named in `private` are left out.

    A ShopError that saving raises is said at the form, with everything that was typed; nothing is written then.
    Saving what was not changed says so, and leaves no entry."""

    form = StaffForm
    change_form_template = "backoffice/change_form.html"
    change_list_template = "backoffice/change_list.html"
    list_per_page = 50
    show_full_result_count = False
    list_fullwidth = True
    warn_unsaved_form = False
    paginator = ShortCount
    object_history_template = "backoffice/object_history.html"
    private: Sequence[str] = ()
    found_as: Sequence[
        str
    ] = ()  # columns that tell a row from others in the search of all lists (reports/back_office_search.py)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Each word is a condition of its own, and a database takes only so many."""
        return super().get_search_results(request, queryset, search_term[:MAX_SEARCH_LENGTH])

    def page_of(self, row: Any) -> str:
        """Where the row is worked on."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """A key that people choose, such as an HSN code, is chosen once: other rows point to it."""
        fields = tuple(super().get_readonly_fields(request, obj))
        return (*fields, self.opts.pk.name) if obj and not self.opts.pk.auto_created else fields

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        return history.describe(form, formsets or [], added=add, private=self.private)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except ShopError as refusal:
            request.save_refusal = refusal  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, extra_context)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        sections = super().get_fieldsets(request, obj)
        if not self._translates(request, obj):
            return sections
        shown_only = self.get_readonly_fields(request, obj)
        names = (*translated_fields(self.model), *getattr(self.form, "translated_beside", ()))
        return side_by_side(sections, [name for name in names if name not in shown_only])

    def _translates(self, request: HttpRequest, obj: Any) -> bool:
        """Whether its form has each translated field in every language."""
        may_write = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        return may_write and bool(shop_languages()) and bool(translated_fields(self.model))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        asked = [
            name for name in kwargs.get("fields") or () if isinstance(name, str)
        ]  # columns of a list are shown only
        own = [name for name in asked if not is_key(name)]
        if asked:
            kwargs["fields"] = own
        form = super().get_form(request, obj, change, **kwargs)
        if len(own) < len(asked):
            form = type(form.__name__, (form,), {"with_translations": True})
        refusal = getattr(request, "save_refusal", None)
        return type(form.__name__, (_Refused, form), {"refusal": refusal}) if refusal else form

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        request.is_unchanged = not message  # type: ignore[attr-defined]
        return super().log_change(request, obj, message) if message else None

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        answer = super().response_change(request, obj)
        if getattr(request, "is_unchanged", False):
            list(messages.get_messages(request))  # Django's "was changed successfully"
            self.message_user(request, gettext("Nothing was changed."), messages.WARNING)
        return answer

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Locked while it is written. Django would look for a field without a name where a form says `_to_field=`."""
        found = super().get_object(request, object_id, from_field or None)
        if found is None or request.method != "POST" or not connection.in_atomic_block:
            return found
        self.lock(found)
        return super().get_object(request, object_id, from_field or None)

    def lock(self, row: Any) -> None:
        """Lock what the form of a row writes: the row, then the rows in it."""
        lock_rows(self.model._base_manager.filter(pk=row.pk))
        for inline in self.inlines:
            if not issubclass(inline, ReadOnly):
                key = _get_foreign_key(self.model, inline.model, fk_name=inline.fk_name)
                lock_rows(inline.model._base_manager.filter(**{key.name: row.pk}))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if obj._state.adding or not isinstance(form, StaffForm):
            super().save_model(request, obj, form, change)
        else:
            form.write()

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        rows = [form for shown in context["inline_admin_formsets"] for form in shown.formset.initial_forms]
        context[AS_SHOWN] = request.POST.get(AS_SHOWN) or shown_values([context["adminform"].form, *rows])
        return super().render_change_form(request, context, *args, **kwargs)

    # --- Lists that are changed in place --------------------------------------------------------------

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        is_saving = (
            request.method == "POST" and "_save" in request.POST and bool(self.list_editable or self.ordering_field)
        )
        with transaction.atomic() if is_saving else nullcontext():
            answer = super().changelist_view(request, extra_context)
        if formset := getattr(getattr(answer, "context_data", {}).get("cl"), "formset", None):
            sent = request.POST.get(AS_SHOWN) if is_saving else None
            answer.context_data[AS_SHOWN] = sent or shown_values(formset.forms)
        return answer

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return FastChangeList

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, **({"form": StaffForm} | kwargs))

    def _get_list_editable_queryset(self, request: HttpRequest, prefix: str) -> QuerySet[Any]:
        rows = super()._get_list_editable_queryset(request, prefix)
        lock_rows(self.model._base_manager.filter(pk__in=list(rows.order_by().values_list("pk", flat=True))))
        return rows

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
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
            entry.summaries, entry.who = history.read(entry), history.who(entry)
        return answer


class FixedSlugAdmin(ModelAdmin):
    """A slug is chosen once, with `prepopulated_fields`: what names it, a link or a text, shall hold."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*super().get_readonly_fields(request, obj), *(("slug",) if obj else ()))

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else super().get_prepopulated_fields(request, obj)


class ReadOnlyAdmin(ReadOnly, BackOfficeAdmin):
    pass


def send_table(request: HttpRequest, format: str, name: str, rows: Iterable[Iterable[Any]]) -> HttpResponseBase:
    """Rows as a file for spreadsheets (`csv` or `xlsx`), recorded in the history: the one way out for staff."""
    answer = ANSWERS[format](name, rows)
    history.record_export(request.user, f"{name}.{format}")
    return answer


class ReadOnlyRows(ReadOnly, Rows):
    extra = 0
    show_change_link = False


class WordsForm(ActionForm):
    """Beside the choice of an action: words that it may need, such as a reason or a reference (`words`)."""

    words = forms.CharField(
        label="",
        required=False,
        max_length=300,
        widget=UnfoldAdminTextInputWidget(
            {"placeholder": gettext_lazy("Reason or reference"), "aria-label": gettext_lazy("Reason or reference")}
        ),
    )
