from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminTextInputWidget

from shop.accounts.auth.forms import AddressForm

from ..checkout.forms import CheckoutForm


class DraftPayForm(CheckoutForm):
    """How a draft is paid and what the payer saw, which is only compared; the address is the draft's."""

    address_id = None  # type: ignore[assignment]


class CallerForm(forms.Form):
    """Somebody who calls for the first time."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, widget=UnfoldAdminTextInputWidget({"autocomplete": "off"})
    )
    mobile = forms.CharField(
        label=gettext_lazy("Mobile number"),
        max_length=30,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off", "inputmode": "tel", "type": "tel"}),
        help_text=gettext_lazy("Without a country code, it's treated as an Indian number."),
    )


class EmailForm(forms.Form):
    email = forms.CharField(
        label=gettext_lazy("Email for this order"),
        max_length=254,
        required=False,
        widget=UnfoldAdminEmailInputWidget({"autocomplete": "off"}),
        help_text=gettext_lazy("Leave it empty to write by SMS only. The customer's account isn't changed."),
    )


class TypedAddressForm(AddressForm):
    """An address that is told on the phone."""

    keep = forms.BooleanField(label=gettext_lazy("Keep it in the customer's addresses"), required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, label_suffix="")
        del self.fields["is_default"]
        self.fields["keep"] = self.fields.pop("keep")  # last
        self.fields["country"].label = gettext("Country")
        for field in self.visible_fields():
            if field.name not in ("address_type", "keep"):
                field.field.widget.attrs["class"] = "desk-input"
