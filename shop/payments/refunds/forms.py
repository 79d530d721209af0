"""What staff fill in to refund an amount of an order."""

from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from shop.backoffice.admin import WordsField
from shop.money import INR, display
from shop.orders.backoffice.forms import KeyForm
from shop.orders.models import Order

from .goodwill import left_of

ORDER, SHIPPING = "order", "shipping"


class RefundForm(KeyForm):
    """Any amount up to what is left of an order, or of its shipping."""

    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    amount = forms.DecimalField(
        label="Amount in rupees",
        min_value=Decimal("0.01"),
        max_digits=12,
        decimal_places=2,
        widget=UnfoldAdminDecimalFieldWidget({"inputmode": "decimal"}),
        error_messages={"required": "Enter the amount."},
    )
    part = forms.ChoiceField(label="Refund of", initial=ORDER, widget=UnfoldAdminSelectWidget)
    words = WordsField(
        label="Reason",
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text="The customer will see it.",
        error_messages={"required": "Enter a reason. The customer sees it."},
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.left = left_of(order)
        self.fields["after"].initial = self.left.seen
        parts = [(ORDER, f"the order, items first: up to {display(self.left.total, INR)}")]
        if self.left.shipping:
            parts.append((SHIPPING, f"shipping only: up to {display(self.left.shipping, INR)}"))
        self.fields["part"].choices = parts  # type: ignore[attr-defined]
