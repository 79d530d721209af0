"""The form that asks for a return."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.dateformat import format as format_date

from shop.catalog.pictures.services import MAX_BYTES

from ..models import OrderLine, ReturnRequest
from .photos import MAX_PHOTOS
from .services import Choice

KINDS = [
    (ReturnRequest.Kind.REFUND, "A refund"),
    (ReturnRequest.Kind.REPLACEMENT, "A replacement"),
]


class PhotosInput(forms.FileInput):
    allow_multiple_selected = True


class PhotosField(forms.FileField):
    """Up to eight files; what they hold is checked by the service."""

    widget = PhotosInput

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[Any]"]:
        files = [super(PhotosField, self).clean(file, initial) for file in data or []]
        if len(files) > MAX_PHOTOS:
            raise forms.ValidationError(f"You can add up to {MAX_PHOTOS} photos.")
        if any(file.size > MAX_BYTES for file in files):
            raise forms.ValidationError("A photo is larger than 5 MB.")
        return files


class ReturnForm(forms.Form):
    reason = forms.ChoiceField(
        label="What's wrong?", widget=forms.RadioSelect, error_messages={"required": "Choose what's wrong"}
    )
    kind = forms.ChoiceField(
        label="What would you like?",
        widget=forms.RadioSelect,
        choices=KINDS,
        error_messages={"required": "Choose a refund or a replacement"},
    )
    quantity = forms.TypedChoiceField(label="How many?", coerce=int)
    note = forms.CharField(
        label="Anything else we should know?",
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    photos = PhotosField(
        label="Photos",
        required=False,
        widget=PhotosInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=f"Of the item, its label and the parcel: JPEG, PNG or WebP, 5 MB each, up to {MAX_PHOTOS}. "
        "Only you and our order desk see them.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, line: OrderLine, choices: list[Choice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        max_units = max(choice.units for choice in choices)
        self.fields["reason"].choices = [(choice.reason.slug, self._words(choice)) for choice in choices]  # type: ignore[attr-defined]
        self.fields["quantity"].choices = [(units, units) for units in range(1, max_units + 1)]  # type: ignore[attr-defined]
        self.initial = {"quantity": 1, "seen": len(line.return_requests.all())}

    @staticmethod
    def _words(choice: Choice) -> str:
        photo = ", with a photo" if choice.reason.needs_photo else ""
        return f"{choice.reason.name} (until {format_date(choice.until, 'j F')}{photo})"
