from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from shop.accounts.auth.forms import AddressChangeForm
from shop.errors import Invalid

from ..models import Courier, Order, OrderLine
from ..shipping.carriers.registry import clean_number
from .address_change import address_key
from .snapshot import address_of


class OrderAddressForm(AddressChangeForm):
    """Where an order goes; `seen` names the address that was shown."""

    seen = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, order: Order) -> None:
        super().__init__(data, address=address_of(order))
        self.fields["seen"].initial = address_key(order)


NO_NUMBER = "no_number"
WITHOUT_NUMBER = gettext_lazy("Enter the tracking number, or choose “Ship without a tracking number”.")


class TrackForm(forms.Form):
    number = forms.CharField(
        label=gettext_lazy("Order number"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "placeholder": "ORD-", "dir": "auto"}
        ),
        error_messages={"required": gettext_lazy("Enter the order number")},
        help_text=gettext_lazy("You'll find it in your confirmation: ORD- followed by nine letters or digits."),
    )
    phone = forms.CharField(
        label=gettext_lazy("Phone number"),
        max_length=40,
        widget=forms.TelInput(attrs={"autocomplete": "tel"}),
        error_messages={"required": gettext_lazy("Enter the phone number")},
        help_text=gettext_lazy("Either phone number from the delivery address."),
    )


class NumberForm(forms.Form):
    """A tracking number that the carrier can have given; leaving it out must be meant (`unnumbered`)."""

    tracking_number = forms.CharField(max_length=60, required=False, widget=UnfoldAdminTextInputWidget)
    unnumbered = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("tracking_number") == "" and not given.get("unnumbered"):
            self.add_error("tracking_number", forms.ValidationError(WITHOUT_NUMBER, NO_NUMBER))
        try:
            clean_number(given.get("courier"), given.get("tracking_number", ""))
        except Invalid as refusal:
            self.add_error("tracking_number", refusal.message)
        return given


class ParcelForm(NumberForm):
    """What the desk puts into a parcel: units of each line that has some left, courier and number."""

    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    courier = forms.ModelChoiceField(Courier.objects.none(), required=False, widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, lines: list[OrderLine], left: Mapping[int, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = [line for line in lines if line.pk in left]
        self.fields["courier"] = forms.ModelChoiceField(
            Courier.objects.filter(is_active=True), required=False, widget=UnfoldAdminSelectWidget
        )
        for line in self.lines:
            self.fields[f"line_{line.pk}"] = forms.IntegerField(
                label=line.product_name,
                min_value=0,
                max_value=left[line.pk],
                initial=left[line.pk],
                widget=UnfoldAdminIntegerFieldWidget,
            )

    def rows(self) -> list[tuple[forms.BoundField, OrderLine]]:
        return [(self[f"line_{line.pk}"], line) for line in self.lines]

    def quantities(self) -> dict[int, int]:
        return {line.pk: self.cleaned_data[f"line_{line.pk}"] for line in self.lines}
