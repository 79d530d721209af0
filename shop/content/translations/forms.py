from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldBooleanWidget

MAX_BYTES = 20 * 1024 * 1024


class TranslationsForm(forms.Form):
    """The file that comes back."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        widget=UnfoldAdminFileFieldWidget,
        help_text=gettext_lazy(
            "CSV or XLSX as exported here, at most 20 MB, with the last column filled in. Empty cells change nothing."
        ),
    )
    overwrite = forms.BooleanField(
        label=gettext_lazy("Also write what changed since the export"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=gettext_lazy("Otherwise those texts are listed and stay as they are."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(gettext("The file is larger than 20 MB."))
        return file
