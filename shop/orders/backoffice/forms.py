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

from shop.backoffice.admin import WordsField
from shop.backoffice.spreadsheets import ANSWERS
from shop.catalog.models import ReturnReason

from ..models import Courier, Order, Shipment
from ..placing.forms import NumberForm
from ..returns.services import BY_THE_SHOP, units_to_give_back
from ..shipping.services import tracking_key
from .correspondence import MAX_LENGTH

MAX_PERIOD = 366


class StepForm(forms.Form):
    """A step's form of one order; each form of a page has its own prefix of ids, and plain field names."""

    def __init__(self, *args: Any, order: Order, step: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id, self.label_suffix = f"{step}-%s", ""
        self.order = order
        self.step = step


class ShipForm(NumberForm, StepForm):
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    courier = forms.ModelChoiceField(
        Courier.objects.filter(is_active=True), required=False, widget=UnfoldAdminSelectWidget
    )


class TrackingForm(StepForm):
    """Carrier and number of a parcel that was sent."""

    parcel = forms.ModelChoiceField(Shipment.objects.none(), widget=forms.HiddenInput)
    seen = forms.CharField(max_length=100, widget=forms.HiddenInput)
    courier = forms.ModelChoiceField(Courier.objects.none(), required=False, widget=UnfoldAdminSelectWidget)
    tracking_number = WordsField(
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text="If the parcel is on its way, the customer is told.",
        error_messages={"required": "Enter the tracking number."},
    )

    def __init__(self, *args: Any, order: Order, step: str, parcel: Shipment | None = None, **kwargs: Any) -> None:
        """`parcel` gives the form what it holds now."""
        if parcel:
            facts = {"courier": parcel.courier_id, "tracking_number": parcel.tracking_number}
            kwargs["initial"] = facts | {"parcel": parcel.pk, "seen": tracking_key(parcel)}
        super().__init__(*args, order=order, step=step, **kwargs)
        self.auto_id = f"{step}-{parcel.pk if parcel else 0}-%s"
        self.fields["parcel"].queryset = order.shipments.all()  # type: ignore[attr-defined]
        self.fields["courier"].queryset = Courier.objects.all()  # type: ignore[attr-defined]


class CancelForm(StepForm):
    words = WordsField(
        label="Why is it cancelled?",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="Kept in the order's history. The customer sees it in the cancellation message.",
        error_messages={"required": "Enter a reason. The customer sees it."},
    )


class RefuseForm(StepForm):
    """Of one parcel, or of all that are on their way."""

    parcel = forms.ModelChoiceField(Shipment.objects.none(), required=False, widget=forms.HiddenInput)
    words = WordsField(
        label="What did the courier say?",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="Kept in the order's history. The customer can read it.",
        error_messages={"required": "Enter the reason the courier gave."},
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.fields["parcel"].queryset = order.shipments.all()  # type: ignore[attr-defined]


class KeyForm(StepForm):
    """One of its kind counts once, however often the button is pressed."""

    key = forms.CharField(max_length=40, initial=lambda: uuid.uuid4().hex, widget=forms.HiddenInput)


class NoteForm(KeyForm):
    text = forms.CharField(
        label="Note for staff",
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="Only staff can see it.",
        error_messages={"required": "Write something first."},
    )


class MessageForm(KeyForm):
    text = forms.CharField(
        label="Message to the customer",
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text="Sent with a greeting and the link to the order, and kept here.",
        error_messages={"required": "Write something first."},
    )


class GiveBackForm(StepForm):
    """Money back for delivered units, by the desk's own decision."""

    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    line = forms.TypedChoiceField(label="Item", coerce=int, widget=UnfoldAdminSelectWidget)
    quantity = forms.IntegerField(
        label="Units", min_value=1, max_value=999, initial=1, widget=UnfoldAdminIntegerFieldWidget
    )
    reason = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    words = WordsField(
        label="Note to the customer",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        error_messages={"required": "Enter a reason. The customer sees it."},
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
    back = "picked up first" if reason.is_sent_back else "nothing is sent back"
    return f"{reason.name}: {back}{', shipping is refunded too' if reason.is_our_fault else ''}"


class ExportForm(forms.Form):
    """Which orders, and as what; a period of at most MAX_PERIOD days."""

    first = forms.DateField(label="From", widget=UnfoldAdminDateWidget(attrs={"type": "date"}))
    last = forms.DateField(label="To", widget=UnfoldAdminDateWidget(attrs={"type": "date"}))
    status = forms.ChoiceField(
        label="State", required=False, choices=[("", "All"), *Order.Status.choices], widget=UnfoldAdminSelectWidget
    )
    format = forms.ChoiceField(choices=[(name, name.upper()) for name in ANSWERS], widget=UnfoldAdminSelectWidget)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and first > last:
            self.add_error("last", "The end date is before the start date.")
        elif first and last and (last - first).days > MAX_PERIOD:
            self.add_error("last", f"At most {MAX_PERIOD} days at a time.")
        return data
