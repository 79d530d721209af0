"""The form that asks for a return."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.dateformat import format as format_date
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.catalog.pictures.services import MAX_BYTES
from shop.money import INR, display

from ..models import Order, OrderLine, ReturnRequest
from ..shipping.services import left_to_ship
from .cancellation import refund_of
from .photos import MAX_PHOTOS
from .pickup import pickup_slots
from .refundable import refundable
from .services import Choice

KINDS = [
    (ReturnRequest.Kind.REFUND, gettext_lazy("A refund")),
    (ReturnRequest.Kind.REPLACEMENT, gettext_lazy("A replacement")),
]


class PhotosInput(forms.FileInput):
    allow_multiple_selected = True


class PhotosField(forms.FileField):
    """Up to eight files; what they hold is checked by the service."""

    widget = PhotosInput

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[Any]"]:
        files = [super(PhotosField, self).clean(file, initial) for file in data or []]
        if len(files) > MAX_PHOTOS:
            raise forms.ValidationError(gettext("You can add up to %(most)s photos.") % {"most": MAX_PHOTOS})
        if any(file.size > MAX_BYTES for file in files):
            raise forms.ValidationError(gettext("A photo is larger than 5 MB."))
        return files


class ReturnForm(forms.Form):
    reason = forms.ChoiceField(
        label=gettext_lazy("What's wrong?"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what's wrong")},
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("What would you like?"),
        widget=forms.RadioSelect,
        choices=KINDS,
        error_messages={"required": gettext_lazy("Choose a refund or a replacement")},
    )
    quantity = forms.TypedChoiceField(label=gettext_lazy("How many?"), coerce=int)
    note = forms.CharField(
        label=gettext_lazy("Anything else we should know?"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    pickup = forms.ChoiceField(label=gettext_lazy("When can we pick it up?"), required=False)
    photos = PhotosField(
        label=gettext_lazy("Photos"),
        required=False,
        widget=PhotosInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=format_lazy(
            gettext_lazy(
                "Of the item, its label and the parcel: JPEG, PNG or WebP, 5 MB each, up to {most}. Only you and our "
                "order desk see them."
            ),
            most=MAX_PHOTOS,
        ),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, line: OrderLine, choices: list[Choice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        max_units = max(choice.units for choice in choices)
        self.fields["reason"].choices = [(choice.reason.slug, self._words(choice)) for choice in choices]  # type: ignore[attr-defined]
        self.fields["quantity"].choices = [(units, units) for units in range(1, max_units + 1)]  # type: ignore[attr-defined]
        times = [("", gettext("Any time")), *pickup_slots(line.order).items()]
        self.fields["pickup"].choices = times  # type: ignore[attr-defined]
        self.initial = {"quantity": 1, "seen": len(line.return_requests.all())}

    @staticmethod
    def _words(choice: Choice) -> str:
        words = (
            gettext("%(reason)s (until %(day)s, with a photo)")
            if choice.reason.needs_photo
            else gettext("%(reason)s (until %(day)s)")
        )
        return words % {"reason": choice.reason.words, "day": format_date(choice.until, "j F")}


class UnitsToCancel(forms.Form):
    """How many units of each line are to be cancelled; the values count those that are cancelled already, so that a
    form sent twice cancels once. `seen` is how many there were."""

    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def offer_lines(self, order: Order, widget: type[forms.Select] = forms.Select) -> None:
        """Add a field for each line of which something is in no parcel yet."""
        unsent = left_to_ship(order)
        self.lines = [line for line in order.lines.all() if unsent.get(line.pk)]
        self.cancelled = sum(line.cancelled for line in order.lines.all())
        self.fields["seen"].initial = self.cancelled
        left = refundable(order)
        for line in self.lines:
            is_paid = not order.method.is_collected_on_delivery
            choices = _choices_of(line, unsent[line.pk], left[str(line.pk)], is_paid=is_paid)
            self.fields[f"line_{line.pk}"] = forms.TypedChoiceField(
                label=line.translated.product_name,
                coerce=int,
                choices=choices,
                widget=widget,
                error_messages={"invalid_choice": gettext_lazy("This has just changed. Please choose again.")},
            )

    def rows(self) -> list[tuple[OrderLine, forms.BoundField]]:
        return [(line, self[f"line_{line.pk}"]) for line in self.lines]

    def totals(self) -> dict[int, int]:
        return {line.pk: self.cleaned_data[f"line_{line.pk}"] for line in self.lines}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        is_chosen = any(given.get(f"line_{line.pk}") != line.cancelled for line in self.lines)
        if not self.errors and not is_chosen and given.get("seen") == self.cancelled:
            raise forms.ValidationError(gettext("Choose what to cancel."))
        return given


class CancelItemsForm(UnitsToCancel):
    """As the customer of an order fills it in."""

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_lines(order)


# By whether money comes back, and how many of what is left: one that is alone, all, some.
CANCEL_WORDS = {
    (True, "one"): gettext_noop("Cancel it (refund %(amount)s)"),
    (True, "all"): gettext_noop("Cancel all %(units)s (refund %(amount)s)"),
    (True, "some"): gettext_noop("Cancel %(units)s (refund %(amount)s)"),
    (False, "one"): gettext_noop("Cancel it (pay %(amount)s less)"),
    (False, "all"): gettext_noop("Cancel all %(units)s (pay %(amount)s less)"),
    (False, "some"): gettext_noop("Cancel %(units)s (pay %(amount)s less)"),
}


def _choices_of(line: OrderLine, unsent: int, left: Decimal, *, is_paid: bool) -> list[tuple[int, str]]:
    keep = gettext("Keep it") if line.kept == 1 else gettext("Keep all %(units)s") % {"units": line.kept}
    choices = [(line.cancelled, keep)]
    for units in range(1, unsent + 1):
        which = "one" if line.kept == 1 else "all" if units == line.kept else "some"
        refund = display(min(refund_of(line, units), left), INR)
        words = gettext(CANCEL_WORDS[is_paid, which]) % {"units": units, "amount": refund}
        choices.append((line.cancelled + units, words))
    return choices
