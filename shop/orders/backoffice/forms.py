"""What the desk fills in for a step of an order; desk_steps.py says which step takes which form."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
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

from ..models import Courier, Order, OrderLine, Shipment
from ..placing.forms import NumberForm
from ..returns.forms import UnitsToCancel
from ..returns.services import BY_THE_SHOP, refundable_units
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
        Courier.objects.filter(is_active=True),
        label=gettext_lazy("Courier"),
        required=False,
        widget=UnfoldAdminSelectWidget,
    )


class TrackingForm(StepForm):
    """Carrier and number of a parcel that was sent."""

    parcel = forms.ModelChoiceField(Shipment.objects.none(), widget=forms.HiddenInput)
    seen = forms.CharField(max_length=100, widget=forms.HiddenInput)
    courier = forms.ModelChoiceField(
        Courier.objects.none(), label=gettext_lazy("Courier"), required=False, widget=UnfoldAdminSelectWidget
    )
    tracking_number = WordsField(
        label=gettext_lazy("Tracking number"),
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("If the parcel is on its way, we'll notify the customer."),
        error_messages={"required": gettext_lazy("Enter the tracking number.")},
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
        label=gettext_lazy("Reason for cancelling"),
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Kept in the order's history. The customer sees it in the cancellation message."),
        error_messages={"required": gettext_lazy("Enter a reason. The customer sees it.")},
    )


class CancelUnitsForm(UnitsToCancel, StepForm):
    """Units of single lines, on behalf of the customer."""

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.offer_lines(order, UnfoldAdminSelectWidget)


class RefuseForm(StepForm):
    """Of one parcel, or of all that are on their way."""

    parcel = forms.ModelChoiceField(Shipment.objects.none(), required=False, widget=forms.HiddenInput)
    words = WordsField(
        label=gettext_lazy("Courier's reason"),
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Kept in the order's history. The customer can read it."),
        error_messages={"required": gettext_lazy("Enter the reason the courier gave.")},
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.fields["parcel"].queryset = order.shipments.all()  # type: ignore[attr-defined]


class KeyForm(StepForm):
    """One of its kind counts once, however often the button is pressed."""

    key = forms.CharField(max_length=40, initial=lambda: uuid.uuid4().hex, widget=forms.HiddenInput)


class NoteForm(KeyForm):
    text = forms.CharField(
        label=gettext_lazy("Note for staff"),
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text=gettext_lazy("Only staff can see it."),
        error_messages={"required": gettext_lazy("Enter a note.")},
    )


class MessageForm(KeyForm):
    text = forms.CharField(
        label=gettext_lazy("Message to the customer"),
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text=gettext_lazy("Sent with a greeting and the link to the order, and kept here."),
        error_messages={"required": gettext_lazy("Enter a message.")},
    )


class RefundItemsForm(StepForm):
    """Money back for delivered units, by the desk's own decision."""

    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    line = forms.TypedChoiceField(label=gettext_lazy("Item"), coerce=int, widget=UnfoldAdminSelectWidget)
    quantity = forms.IntegerField(
        label=gettext_lazy("Units"), min_value=1, max_value=999, initial=1, widget=UnfoldAdminIntegerFieldWidget
    )
    reason = forms.ChoiceField(label=gettext_lazy("Reason"), widget=UnfoldAdminSelectWidget)
    words = WordsField(
        label=gettext_lazy("Note to the customer"),
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        error_messages={"required": gettext_lazy("Enter a reason. The customer sees it.")},
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, order=order, **kwargs)
        self.open_lines = [(line, units) for line in order.lines.all() if (units := refundable_units(line))]
        self.fields["line"].choices = [  # type: ignore[attr-defined]
            (line.pk, _choice_of(line, units)) for line, units in self.open_lines
        ]
        reasons = ReturnReason.objects.filter(is_active=True)
        self.fields["reason"].choices = [  # type: ignore[attr-defined]
            (BY_THE_SHOP, gettext("Goodwill: no return, shipping not refunded")),
            *((reason.slug, _reason_words(reason)) for reason in reasons),
        ]


def _reason_words(reason: ReturnReason) -> str:
    """What happens to the units and to the shipping."""
    if reason.is_our_fault:
        picked_up = gettext("{reason}: picked up first, shipping is refunded too")
        kept = gettext("{reason}: no return needed, shipping is refunded too")
    else:
        picked_up, kept = gettext("{reason}: picked up first"), gettext("{reason}: no return needed")
    return (picked_up if reason.is_sent_back else kept).format(reason=reason.name)


def _choice_of(line: OrderLine, units: int) -> str:
    return gettext("{name} ({sku}), up to {units}").format(name=line.product_name, sku=line.sku, units=units)


class ExportForm(forms.Form):
    """Which orders, and as what; a period of at most MAX_PERIOD days."""

    first = forms.DateField(label=gettext_lazy("From"), widget=UnfoldAdminDateWidget(attrs={"type": "date"}))
    last = forms.DateField(label=gettext_lazy("To"), widget=UnfoldAdminDateWidget(attrs={"type": "date"}))
    status = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[("", gettext_lazy("All")), *Order.Status.choices],
        widget=UnfoldAdminSelectWidget,
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=[(name, name.upper()) for name in ANSWERS],
        widget=UnfoldAdminSelectWidget,
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and first > last:
            self.add_error("last", gettext("The end date is before the start date."))
        elif first and last and (last - first).days > MAX_PERIOD:
            self.add_error("last", gettext("At most {days} days at a time.").format(days=MAX_PERIOD))
        return data
