import re
import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.contact_points import canonical_email, parse_phone
from shop.errors import Invalid
from shop.orders.shipping.tracking import NUMBER, canonical_number
from shop.text import one_line

MAX_TEXT_LENGTH = 4000
# Of the specification: ten digits, before them a country code of one to three if one likes.
TEN_DIGITS = re.compile(r"(\+\d{1,3})?\d{10}", re.ASCII)
BETWEEN_DIGITS = re.compile(r"[\s().-]+")


class ReachField(forms.CharField):
    """Where a message is answered; the cleaned value is the address in its one form."""

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        try:
            return canonical_email(typed) if typed else ""
        except Invalid as error:
            raise forms.ValidationError(gettext("Invalid Email Id")) from error


class PhoneField(forms.CharField):
    """A telephone number without what one writes between its digits. Countries where numbers have
    another length than ten are written with their code."""

    def clean(self, value: Any) -> str:
        typed = BETWEEN_DIGITS.sub("", super().clean(value))
        if (
            not typed
            or TEN_DIGITS.fullmatch(typed)
            or (typed.startswith("+") and parse_phone(typed, country_code="ZZ"))
        ):
            return typed
        raise forms.ValidationError(gettext("Invalid Mobile Number"))


class OrderNumberField(forms.CharField):
    """An order's number in its one form, however it was typed."""

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        if not typed:
            return ""
        number = canonical_number(typed)
        if not NUMBER.fullmatch(number):
            raise forms.ValidationError(gettext("An order number is ORD- followed by nine letters or digits."))
        return number


class MessageForm(forms.Form):
    """Who writes; `once` names this form, so that what is sent twice is kept once."""

    username = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": gettext_lazy("Name is mandatory")},
    )
    mobile = PhoneField(
        label=gettext_lazy("Phone No"),
        max_length=40,
        widget=forms.TelInput(attrs={"autocomplete": "tel"}),
        error_messages={"required": gettext_lazy("Phone no. is mandatory")},
        help_text=gettext_lazy("Ten digits. From abroad, add the country code, such as +44."),
    )
    email = ReachField(
        label=gettext_lazy("Email"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": gettext_lazy("Email is mandatory")},
    )
    order_number = OrderNumberField(
        label=gettext_lazy("Order number"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "ORD-"}),
        help_text=gettext_lazy("If it's about an order."),
    )
    quote = forms.CharField(
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
        error_messages={"required": gettext_lazy("Quote is mandatory")},
    )
    once = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput, initial=lambda: uuid.uuid4().hex)

    def clean_username(self) -> str:
        name = one_line(self.cleaned_data["username"])
        if not name:
            raise forms.ValidationError(gettext("Name is mandatory"))
        return name

    def message(self) -> dict[str, str]:
        """What was typed, as the services name it."""
        typed = self.cleaned_data
        return {
            "name": typed["username"],
            "phone": typed["mobile"],
            "email": typed["email"],
            "order_number": typed["order_number"],
            "text": typed["quote"],
            "once": typed["once"],
        }


class ContactForm(MessageForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["quote"].label = gettext_lazy("Write a quote")


class ComplaintForm(MessageForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["quote"].label = gettext("What went wrong, and what should we do?")
        self.fields["quote"].error_messages["required"] = gettext("Tell us what went wrong")


class TicketForm(forms.Form):
    """Asks after a complaint."""

    number = forms.CharField(
        label=gettext_lazy("Complaint number"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "GRV-"}),
        error_messages={"required": gettext_lazy("Enter the complaint number")},
        help_text=gettext_lazy("You'll find it in our email: GRV- followed by nine letters or digits."),
    )
    email = ReachField(
        label=gettext_lazy("Email"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": gettext_lazy("Email is mandatory")},
    )


class NewsletterForm(forms.Form):
    email = ReachField(
        label=gettext_lazy("Your email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": gettext_lazy("Email is mandatory")},
    )
