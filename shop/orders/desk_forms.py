"""What the desk fills in for a step of an order; desk_steps.py says which step takes which form."""

import uuid
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminDateWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from shop.catalog.models import ReturnReason
from shop.sheets import ANSWERS

from .correspondence import LONGEST
from .models import Courier, Order
from .returns import BY_THE_SHOP, units_to_give_back

LONGEST_PERIOD = 366


class DeskForm(forms.Form):
    """A step's form of one order; each form of a page has its own prefix of ids, and plain field names."""

    def __init__(self, *args: Any, order: Order, step: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id, self.label_suffix = f"{step}-%s", ""
        self.order = order
        self.step = step


class ShipForm(DeskForm):
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    courier = forms.ModelChoiceField(
        Courier.objects.filter(is_active=True), required=False, widget=UnfoldAdminSelectWidget
    )
    tracking_number = forms.CharField(max_length=60, required=False, widget=UnfoldAdminTextInputWidget)


class CancelForm(DeskForm):
    words = forms.CharField(
        label="Why is it cancelled?",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="For the desk; the customer is told that it was cancelled and what happens to the money.",
        error_messages={"required": "Write why; the desk reads it later."},
    )


class KeyForm(DeskForm):
    """One of its kind counts once, however often the button is pressed."""

    key = forms.CharField(max_length=40, initial=lambda: uuid.uuid4().hex, widget=forms.HiddenInput)


class NoteForm(KeyForm):
    text = forms.CharField(
        label="Note for the desk",
        max_length=LONGEST,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="Only staff read it.",
        error_messages={"required": "Write something first."},
    )


class LetterForm(KeyForm):
    text = forms.CharField(
        label="Message to the customer",
        max_length=LONGEST,
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text="Sent with a greeting and the link to the order, and kept here.",
        error_messages={"required": "Write something first."},
    )


class GiveBackForm(DeskForm):
    """Money back for delivered units, by the desk's own decision."""

    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    line = forms.TypedChoiceField(label="Article", coerce=int, widget=UnfoldAdminSelectWidget)
    quantity = forms.IntegerField(
        label="Units", min_value=1, max_value=999, initial=1, widget=UnfoldAdminIntegerFieldWidget
    )
    reason = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    words = forms.CharField(
        label="Words for the customer", max_length=300, required=False, widget=UnfoldAdminTextInputWidget
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.open_lines = [(line, units) for line in order.lines.all() if (units := units_to_give_back(line))]
        self.fields["line"].choices = [  # type: ignore[attr-defined]
            (line.pk, f"{line.product_name} ({line.sku}), up to {units}") for line, units in self.open_lines
        ]
        reasons = ReturnReason.objects.filter(is_active=True)
        self.fields["reason"].choices = [  # type: ignore[attr-defined]
            (BY_THE_SHOP, "Goodwill: nothing is sent back, shipping is not refunded"),
            *((reason.slug, _reason_words(reason)) for reason in reasons),
        ]


def _reason_words(reason: ReturnReason) -> str:
    back = "is picked up first" if reason.is_sent_back else "nothing is sent back"
    return f"{reason.name}: {back}{', shipping goes back too' if reason.is_our_fault else ''}"


class ExportForm(forms.Form):
    """Which orders, and as what; a period of at most LONGEST_PERIOD days."""

    first = forms.DateField(label="From", widget=UnfoldAdminDateWidget(attrs={"type": "date"}))
    last = forms.DateField(label="Until", widget=UnfoldAdminDateWidget(attrs={"type": "date"}))
    status = forms.ChoiceField(
        label="State", required=False, choices=[("", "All"), *Order.Status.choices], widget=UnfoldAdminSelectWidget
    )
    format = forms.ChoiceField(choices=[(name, name.upper()) for name in ANSWERS], widget=UnfoldAdminSelectWidget)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and first > last:
            self.add_error("last", "The last day is before the first.")
        elif first and last and (last - first).days > LONGEST_PERIOD:
            self.add_error("last", f"At most {LONGEST_PERIOD} days at a time.")
        return data
