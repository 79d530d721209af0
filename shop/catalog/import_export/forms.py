"""The upload of a product file."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from shop.errors import ShopError
from shop.markets.queries import market_registry
from shop.money import INR

from .formats.base import formats
from .run import read_mapping


class ImportForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        widget=UnfoldAdminFileFieldWidget,
        help_text=gettext_lazy(
            "CSV, JSON (also as .gz) or XLSX, at most 64 MB. You check the result before anything changes."
        ),
    )
    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False, widget=UnfoldAdminSelectWidget)
    currency = forms.ChoiceField(label=gettext_lazy("Prices are in"), initial=INR, widget=UnfoldAdminSelectWidget)
    mapping = forms.CharField(
        label=gettext_lazy("Columns"),
        required=False,
        max_length=500,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy(
            "Only for other tables, if the columns are guessed wrong: name=product_name price=final_price"
        ),
    )
    take_stock = forms.BooleanField(
        label=gettext_lazy("Set stock to the units in the file"), required=False, widget=UnfoldBooleanWidget
    )
    take_pictures = forms.BooleanField(
        label=gettext_lazy("Download the pictures"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=gettext_lazy(
            "From the addresses in the file, once the products are imported: JPEG, PNG or WebP, at most 5 MB and "
            "25 megapixels each. Those that failed before are tried again."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [(name, str(kind.label)) for name, kind in formats().items()]
        self.fields["format"].choices = [("", gettext("Detect automatically")), *known]  # type: ignore[attr-defined]
        self.fields["currency"].choices = [(code, code) for code in market_registry().currency_codes]  # type: ignore[attr-defined]

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > settings.IMPORT_MAX_BYTES:
            raise forms.ValidationError(gettext("The file is larger than 64 MB."))
        return file

    def clean_mapping(self) -> dict[str, str]:
        try:
            return read_mapping(self.cleaned_data["mapping"].split())
        except ShopError as refusal:
            raise forms.ValidationError(refusal.message) from refusal
