"""What staff fill in about batches: a receipt, and what is written off."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminDateWidget, UnfoldAdminIntegerFieldWidget, UnfoldAdminTextInputWidget

from shop.backoffice.admin import WordsForm
from shop.backoffice.forms import StaffForm
from shop.errors import Invalid

from ..models import Batch
from .scanning import read_scan
from .services import MAX_UNITS, find_variant


def _day(label: Any, help_text: Any = "") -> forms.DateField:
    widget = UnfoldAdminDateWidget(attrs={"type": "date"})
    return forms.DateField(label=label, required=False, help_text=help_text, widget=widget)


class ReceiveForm(StaffForm):
    """Goods that came in. A scanned GS1 code fills what was left empty: batch and dates are in it."""

    code = forms.CharField(
        label=gettext_lazy("Barcode or SKU"),
        max_length=120,
        strip=False,  # a scanner's separators count as blanks
        widget=UnfoldAdminTextInputWidget({"autofocus": True, "autocomplete": "off"}),
        help_text=gettext_lazy("Scan the pack or type. A GS1 code fills the batch and the dates."),
    )
    number = forms.CharField(
        label=gettext_lazy("Batch number"),
        required=False,
        max_length=40,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off"}),
    )
    manufactured = _day(gettext_lazy("Manufactured"))
    expires = _day(gettext_lazy("Expires"))
    units = forms.IntegerField(
        label=gettext_lazy("Units"), min_value=1, max_value=MAX_UNITS, widget=UnfoldAdminIntegerFieldWidget
    )
    note = forms.CharField(
        label=gettext_lazy("Note"), required=False, max_length=60, widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("For example the number of the delivery note."),
    )  # fmt: skip
    form_key = forms.CharField(label="", max_length=40, widget=forms.HiddenInput, initial=lambda: uuid.uuid4().hex)

    class Meta:
        model = Batch
        fields = ("number", "manufactured", "expires")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        scan = read_scan(data.get("code", ""))
        data["number"] = data.get("number") or scan.number
        data["manufactured"] = data.get("manufactured") or scan.manufactured
        data["expires"] = data.get("expires") or scan.expires
        if scan.code:
            try:
                data["variant"] = find_variant(scan.code)
            except Invalid as refusal:
                self.add_error("code", refusal.message)
        return data

    def validate_unique(self) -> None:
        """More of a known batch is no second batch."""


class CorrectForm(StaffForm):
    """Number and dates that were mistyped, or that were not known of stock from before."""

    manufactured = _day(gettext_lazy("Manufactured"))
    expires = _day(gettext_lazy("Expires"))

    class Meta:
        model = Batch
        fields = ("number", "manufactured", "expires")


class WriteOffForm(WordsForm):
    """Beside the action: why, and how many units of each chosen batch; empty for all of them."""

    units = forms.IntegerField(
        label="",
        required=False,
        min_value=1,
        widget=UnfoldAdminIntegerFieldWidget(
            {"placeholder": gettext_lazy("Units, or all"), "aria-label": gettext_lazy("Units, or all")}
        ),
    )
