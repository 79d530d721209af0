"""What the catalogue manager wants to happen to many variants."""

from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from ..job_models import MAX_CHANGES
from .services import Wish

PRICES = {"": "No price", "selling": "Selling price", "actual": "Actual price (MRP)", "both": "Both prices"}
HOW = {"percent": "up or down by percent", "amount": "up or down by rupees", "set": "set to rupees"}
ROUNDINGS = {"0.01": "to the paisa", "1": "to whole rupees", "5": "to 5 rupees", "10": "to 10 rupees"}
STOCK = {"": "No stock", "add": "add units (negative: write off)", "set": "set to units"}


class BulkForm(forms.Form):
    """`products` holds the ids of those that were chosen in the list."""

    products = forms.CharField(widget=forms.HiddenInput, max_length=100_000)
    price = forms.ChoiceField(label="Change", choices=PRICES.items(), required=False, widget=UnfoldAdminSelectWidget)
    how = forms.ChoiceField(label="How", choices=HOW.items(), initial="percent", widget=UnfoldAdminSelectWidget)
    value = forms.DecimalField(
        label="Amount or percent",
        required=False,
        max_digits=12,
        decimal_places=2,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="For example, -10 with percent takes 10% off.",
    )
    rounding = forms.ChoiceField(
        label="Rounding", choices=ROUNDINGS.items(), initial="1", widget=UnfoldAdminSelectWidget
    )
    stock = forms.ChoiceField(label="Stock", choices=STOCK.items(), required=False, widget=UnfoldAdminSelectWidget)
    units = forms.IntegerField(
        label="Units",
        required=False,
        min_value=-1_000_000,
        max_value=1_000_000,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    reason = forms.CharField(
        label="Reason",
        required=False,
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text="Shown in the stock movements.",
    )

    def clean_products(self) -> list[int]:
        words = self.cleaned_data["products"].split(",")
        if len(words) > MAX_CHANGES or not all(word.isascii() and word.isdigit() and len(word) < 18 for word in words):
            raise forms.ValidationError("Select the products in the list again.")
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("price") and not given.get("stock"):
            self.add_error("price", "Choose which price to change, or a change of stock.")
        if given.get("price") and given.get("value") is None and "value" not in self.errors:
            self.add_error("value", "Enter a number.")
        if given.get("how") == "set" and (given.get("value") or 0) < 0:
            self.add_error("value", "A price must be above zero.")
        if given.get("stock"):
            if given.get("units") is None and "units" not in self.errors:
                self.add_error("units", "Enter the number of units.")
            if given["stock"] == "set" and (given.get("units") or 0) < 0:
                self.add_error("units", "Stock can't be below zero.")
            if not given.get("reason"):
                self.add_error("reason", "Enter a reason for the stock change.")
        return given

    def wish(self) -> Wish:
        """Of a valid form."""
        given = self.cleaned_data
        return Wish(
            selling=given["price"] in ("selling", "both"),
            actual=given["price"] in ("actual", "both"),
            how=given["how"],
            value=given["value"] or Decimal(0),
            rounding=Decimal(given["rounding"]),
            units=given["units"] if given["stock"] else None,
            sets_stock=given["stock"] == "set",
        )
