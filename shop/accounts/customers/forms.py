"""What staff fill in on a customer's page."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from shop.backoffice.admin import WordsField

from .services import MAX_NOTE, MAX_TAG


class CustomerNoteForm(forms.Form):
    """One of its kind counts once, however often the button is pressed."""

    key = forms.CharField(max_length=40, initial=lambda: uuid.uuid4().hex, widget=forms.HiddenInput)
    text = WordsField(
        label=gettext_lazy("New note"),
        max_length=MAX_NOTE,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text=gettext_lazy("Only staff can see it. It's part of the customer's data download."),
        error_messages={"required": gettext_lazy("Enter a note.")},
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(auto_id="note-%s", label_suffix="", **kwargs)


class CustomerTagForm(forms.Form):
    word = WordsField(
        label=gettext_lazy("New tag"),
        max_length=MAX_TAG,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off", "list": "known-tags"}),
        error_messages={"required": gettext_lazy("Enter a tag.")},
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(auto_id="tag-%s", label_suffix="", **kwargs)
