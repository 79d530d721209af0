"""The form of a refill: when, and how many packs."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from shop.catalog.models import Variant

from ..models import Refill
from .models import INTERVALS
from .present import amount_words, interval_words, unit_words
from .services import RefillRequest, is_measured

PACK = "pack"
MAX_PER_DAY = 1000


class RefillForm(forms.Form):
    """`shown` is a refill that is to be changed; `quantity` the packs that were bought."""

    when = forms.ChoiceField(
        label=gettext_lazy("When should we remind you?"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose one.")},
    )
    per_day = forms.DecimalField(
        required=False,
        max_digits=6,
        decimal_places=2,
        max_value=MAX_PER_DAY,
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "min": "0", "step": "any"}),
        help_text=gettext_lazy(
            "We only use this to work out when your pack runs out, and remind you five days before. It isn't advice on "
            "how much to take."
        ),
    )
    quantity = forms.IntegerField(
        label=gettext_lazy("How many packs?"), widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": "1"})
    )

    def __init__(self, data: Any, *, variant: Variant, quantity: int = 1, shown: Refill | None = None) -> None:
        self.is_measured = is_measured(variant)
        super().__init__(data, initial=_initial_of(shown, quantity))
        choices = [(str(days), interval_words(days)) for days in INTERVALS]
        if self.is_measured:
            choices.append((PACK, gettext("When the pack runs out")))
            label = gettext("How much do you use a day (%(unit)s)?") % {"unit": unit_words(variant)}
            self.fields["per_day"].label = label
        else:
            del self.fields["per_day"]
        field: Any = self.fields["when"]
        field.choices = choices
        self.fields["quantity"].widget.attrs["max"] = variant.max_purchase_qty

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("when") == PACK and not self.errors.get("per_day") and not (cleaned.get("per_day") or 0) > 0:
            self.add_error("per_day", gettext("Enter how much you use a day."))
        return cleaned

    def refill_request(self) -> RefillRequest:
        """Of a valid form."""
        typed = self.cleaned_data
        if typed["when"] == PACK:
            return RefillRequest(typed["quantity"], per_day=Decimal(typed["per_day"]))
        return RefillRequest(typed["quantity"], interval=int(typed["when"]))


def _initial_of(refill: Refill | None, quantity: int) -> dict[str, Any]:
    if refill is None:
        return {"when": str(INTERVALS[0]), "quantity": quantity}
    if refill.per_day is None:
        return {"when": str(refill.days), "quantity": refill.quantity}
    return {"when": PACK, "per_day": amount_words(refill.per_day), "quantity": refill.quantity}
