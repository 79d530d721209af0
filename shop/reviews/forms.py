"""The form of a review."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from shop.catalog.pictures.services import MAX_BYTES
from shop.errors import ShopError

from .models import MAX_PHOTOS, Review

STARS = [
    (5, gettext_lazy("5 stars: excellent")),
    (4, gettext_lazy("4 stars: good")),
    (3, gettext_lazy("3 stars: all right")),
    (2, gettext_lazy("2 stars: poor")),
    (1, gettext_lazy("1 star: bad")),
]
PHOTO_CODES = ("not_a_picture", "picture_too_large", "busy")


class PhotosInput(forms.FileInput):
    allow_multiple_selected = True


class PhotosField(forms.FileField):
    """A few files; what they hold is checked by the service."""

    widget = PhotosInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = [super(PhotosField, self).clean(file, initial) for file in data or []]
        if len(files) > MAX_PHOTOS:
            raise forms.ValidationError(gettext("You can add up to %(most)s photos.") % {"most": MAX_PHOTOS})
        if any(file.size > MAX_BYTES for file in files):
            raise forms.ValidationError(gettext("A photo is larger than 5 MB."))
        return files


class ReviewForm(forms.Form):
    """`shown` is a review that is to be changed."""

    stars = forms.TypedChoiceField(
        label=gettext_lazy("How do you rate it?"),
        coerce=int,
        choices=STARS,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose one to five stars."),
            "invalid_choice": gettext_lazy("Choose one to five stars."),
        },
    )
    title = forms.CharField(
        label=gettext_lazy("Sum it up in a few words"),
        max_length=120,
        error_messages={"required": gettext_lazy("Give your review a title.")},
    )
    text = forms.CharField(
        label=gettext_lazy("What did you like or dislike?"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Please don't include names, phone numbers or addresses."),
        error_messages={"required": gettext_lazy("Write a few words about the product.")},
    )
    photos = PhotosField(
        label=gettext_lazy("Photos"),
        required=False,
        widget=PhotosInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=format_lazy(
            gettext_lazy(
                "JPEG, PNG or WebP, 5 MB each, up to {most}. Everyone can see them once we publish your review."
            ),
            most=MAX_PHOTOS,
        ),
    )

    def __init__(self, *args: Any, shown: Review | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if shown:
            self.initial = {"stars": shown.stars, "title": shown.title, "text": shown.text}

    def explain(self, refusal: ShopError) -> None:
        """Say a refusal where it belongs: at its field, a picture's at the photos."""
        if refusal.code in PHOTO_CODES:
            self.add_error("photos", ValidationError(refusal.message, refusal.code))
            return
        for name, words in refusal.fields.items():
            self.add_error(name if name in self.fields else None, words)
        if not refusal.fields:
            self.add_error(None, refusal.message)


class QuestionForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Your question"),
        max_length=600,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy(
            "Please ask about this product only. For advice about your health, ask a doctor or pharmacist."
        ),
        error_messages={"required": gettext_lazy("Write your question.")},
    )


class AnswerForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Your answer"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("Please don't include names, phone numbers or addresses."),
        error_messages={"required": gettext_lazy("Write your answer.")},
    )
