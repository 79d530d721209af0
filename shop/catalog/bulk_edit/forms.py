"""What the catalogue manager wants to happen to many variants."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from shop.markets.queries import market_registry
from shop.money import INR

from ..job_models import MAX_CHANGES
from ..models import Brand, Category, HealthConcern
from .services import BulkEdit

PRICES = {
    "selling": gettext_lazy("Selling price"),
    "actual": gettext_lazy("Actual price (MRP)"),
    "both": gettext_lazy("Both prices"),
    "": gettext_lazy("Don't change prices"),
}
HOW = {
    "percent": gettext_lazy("up or down by percent"),
    "amount": gettext_lazy("up or down by rupees"),
    "set": gettext_lazy("set to rupees"),
}
ROUNDINGS = {
    "0.01": gettext_lazy("to the paisa"),
    "1": gettext_lazy("to whole rupees"),
    "5": gettext_lazy("to 5 rupees"),
    "10": gettext_lazy("to 10 rupees"),
}
STOCK = {
    "": gettext_lazy("Don't change stock"),
    "add": gettext_lazy("add units (negative: write off)"),
    "set": gettext_lazy("set to units"),
}


CONCERNS = {"add": gettext_lazy("add to those of the product"), "set": gettext_lazy("in place of those of the product")}
PUBLICATION = {"": gettext_lazy("No change"), "yes": gettext_lazy("Publish"), "no": gettext_lazy("Withdraw")}


class BulkForm(forms.Form):
    """`products` holds the ids of those that were chosen in the list."""

    products = forms.CharField(widget=forms.HiddenInput, max_length=100_000)
    price = forms.ChoiceField(
        label=gettext_lazy("Change"),
        choices=PRICES.items(),
        required=False,
        initial="selling",
        widget=UnfoldAdminSelectWidget,
    )
    how = forms.ChoiceField(
        label=gettext_lazy("How"), choices=HOW.items(), initial="percent", widget=UnfoldAdminSelectWidget
    )
    value = forms.DecimalField(
        label=gettext_lazy("Amount or percent"),
        required=False,
        max_digits=12,
        decimal_places=2,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text=gettext_lazy("For example, -10 with percent takes 10% off."),
    )
    rounding = forms.ChoiceField(
        label=gettext_lazy("Rounding"), choices=ROUNDINGS.items(), initial="1", widget=UnfoldAdminSelectWidget
    )
    markets = forms.MultipleChoiceField(
        label=gettext_lazy("In other countries, too"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Fixed prices abroad change by the same percentage, or are set to this figure, in the country's currency."
        ),
    )
    category = forms.ModelChoiceField(Category.objects.all(), required=False, widget=UnfoldAdminSelectWidget)
    brand = forms.ModelChoiceField(Brand.objects.all(), required=False, widget=UnfoldAdminSelectWidget)
    concerns = forms.ModelMultipleChoiceField(
        HealthConcern.objects.all(),
        label=gettext_lazy("Health concerns"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    adds_concerns = forms.ChoiceField(
        label=gettext_lazy("How"), choices=CONCERNS.items(), required=False, widget=UnfoldAdminSelectWidget
    )
    publication = forms.ChoiceField(
        label=gettext_lazy("In the shop"), choices=PUBLICATION.items(), required=False, widget=UnfoldAdminSelectWidget
    )
    stock = forms.ChoiceField(
        label=gettext_lazy("Stock"), choices=STOCK.items(), required=False, widget=UnfoldAdminSelectWidget
    )
    units = forms.IntegerField(
        label=gettext_lazy("Units"),
        required=False,
        min_value=-1_000_000,
        max_value=1_000_000,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Shown in the stock movements."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        abroad = [
            place for place in market_registry().locations.values() if place.currency_id != INR and place.is_indexed
        ]
        self.fields["markets"].choices = [  # type: ignore[attr-defined]
            (place.pk, f"{place.name} ({place.currency_id})") for place in abroad
        ]
        self.fields["category"].label_from_instance = lambda one: " › ".join(one.path.split("/"))  # type: ignore[attr-defined]

    def clean_products(self) -> list[int]:
        words = self.cleaned_data["products"].split(",")
        if len(words) > MAX_CHANGES or not all(word.isascii() and word.isdigit() and len(word) < 18 for word in words):
            raise forms.ValidationError(gettext("Select the products in the list again."))
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("value") is None and "value" not in self.errors:
            given["price"], given["markets"] = "", []
            if not given.get("stock") and not self._product(given):
                self.add_error("value", gettext("Enter a number, or choose something else to change."))
        elif not (given.get("price") or given.get("markets") or given.get("stock") or self._product(given)):
            self.add_error("price", gettext("Choose what to change."))
        if given.get("markets") and given.get("how") == "amount":
            self.add_error("how", gettext("Choose a percentage or a fixed price: prices abroad aren't in rupees."))
        if given.get("how") == "set" and (given.get("value") or 0) < 0:
            self.add_error("value", gettext("A price must be above zero."))
        if given.get("stock"):
            if given.get("units") is None and "units" not in self.errors:
                self.add_error("units", gettext("Enter the number of units."))
            if given["stock"] == "set" and (given.get("units") or 0) < 0:
                self.add_error("units", gettext("Stock can't be below zero."))
            if not given.get("reason"):
                self.add_error("reason", gettext("Enter a reason for the stock change."))
        return given

    def edit(self) -> BulkEdit:
        """Of a valid form."""
        given = self.cleaned_data
        return BulkEdit(
            selling=given["price"] in ("selling", "both"),
            actual=given["price"] in ("actual", "both"),
            how=given["how"],
            value=given["value"] or Decimal(0),
            rounding=Decimal(given["rounding"]),
            units=given["units"] if given["stock"] else None,
            sets_stock=given["stock"] == "set",
            markets=tuple(map(int, given["markets"])),
            product=self._product(given),
            adds_concerns=given["adds_concerns"] != "set",
        )

    def _product(self, given: dict[str, Any]) -> dict[str, Any]:
        """What changes of the products themselves."""
        chosen: dict[str, Any] = {name: given[name].pk for name in ("category", "brand") if given.get(name)}
        if given.get("concerns"):
            chosen["concerns"] = sorted(concern.pk for concern in given["concerns"])
        return chosen | ({"is_published": given["publication"] == "yes"} if given.get("publication") else {})


class ScheduleForm(forms.Form):
    """When a previewed change is to be applied, in the time of the shop."""

    at = forms.DateTimeField(
        label=gettext_lazy("Apply at"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "class": "edit-input"}),
    )
