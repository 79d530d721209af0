"""What staff fill in to refund an amount of an order."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
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
        label=gettext_lazy("Amount in rupees"),
        min_value=Decimal("0.01"),
        max_digits=12,
        decimal_places=2,
        widget=UnfoldAdminDecimalFieldWidget({"inputmode": "decimal"}),
        error_messages={"required": gettext_lazy("Enter the amount.")},
    )
    part = forms.ChoiceField(label=gettext_lazy("Refund of"), initial=ORDER, widget=UnfoldAdminSelectWidget)
    words = WordsField(
        label=gettext_lazy("Reason"),
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("The customer will see it."),
        error_messages={"required": gettext_lazy("Enter a reason. The customer sees it.")},
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.left = left_of(order)
        self.fields["after"].initial = self.left.seen
        whole = gettext("the order, items first: up to {amount}").format(amount=display(self.left.total, INR))
        parts = [(ORDER, whole)]
        if self.left.shipping:
            shipping = gettext("shipping only: up to {amount}").format(amount=display(self.left.shipping, INR))
            parts.append((SHIPPING, shipping))
        self.fields["part"].choices = parts  # type: ignore[attr-defined]
