"""What the staff's screens of every room share."""

from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget


class ReadOnly:
    """May be looked at by whoever may view it, and changed by nobody."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Screen(ModelAdmin):
    """A list and a form that answer in few queries, however long the list is."""

    list_per_page = 50
    show_full_result_count = False
    list_fullwidth = True
    warn_unsaved_form = False


class ReadOnlyScreen(ReadOnly, Screen):
    pass


class ReadOnlyRows(ReadOnly, TabularInline):
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
