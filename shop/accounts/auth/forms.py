from collections.abc import Mapping, Sequence
from typing import Any

import phonenumbers
from allauth.mfa import app_settings
from django import forms
from django.forms.utils import flatatt
from django.http import QueryDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from shop.errors import Invalid, ShopError
from shop.markets.queries import market_registry

from ..addresses.fields import (
    ADDRESS_FIELDS,
    FIELD_NAMES,
    FORM_FIELDS,
    STREET_FIELDS,
    AddressField,
    Input,
)
from ..addresses.rules import MAX_LENGTHS, address_rules, clean_address, place_of_pincode
from ..calling_codes import phone_codes
from ..contact_points import canonical_email, canonical_mobile
from ..models import Address, Customer
from ..otp.services import OTP_DIGITS, WRONG_OTP

EMAIL, MOBILE = "email", "mobile"
OPTION = '<option value="{}">{}</option>'
MAX_TYPED_LENGTH = 300
MAX_STATES_INSTEAD = 4
CHOSEN_OPTION = '<option value="{}" selected>{}</option>'


def explain(form: forms.Form, error: ShopError) -> None:
    """Say a refusal at the fields it names, or above the form."""
    if not error.fields:
        form.add_error(None, error.message)
    for name, messages in error.fields.items():
        form.add_error(name if name in form.fields else None, messages)


class _ByEmailOrMobile(forms.Form):
    """Has a field `email` or a field `mobile`, as the toggle says."""

    def __init__(self, *args: Any, by: str, country_code: str, phone_code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by = by
        self.country_code = country_code
        if by == MOBILE:
            self.fields[MOBILE] = forms.CharField(
                label=gettext("Mobile number"),
                max_length=30,
                widget=forms.TelInput(attrs={"autocomplete": "tel"}),
                error_messages={"required": gettext("Mobile number is required")},
                help_text=gettext("Without a country code, we'll use %(code)s.") % {"code": phone_code},
            )
        else:
            self.fields[EMAIL] = forms.CharField(
                label=gettext("Email"),
                max_length=254,
                widget=forms.EmailInput(attrs={"autocomplete": "email"}),
                error_messages={"required": gettext("Email is required")},
            )


class SignInForm(_ByEmailOrMobile):
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": gettext_lazy("Password is required")},
    )
    field_order = [EMAIL, MOBILE, "password"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(self.field_order)


class ReachForm(_ByEmailOrMobile):
    """Where a code goes to; `cleaned_data` holds it as `canonical`, in its one form."""

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        try:
            if cleaned.get(EMAIL):
                cleaned["canonical"] = canonical_email(cleaned[EMAIL])
            elif cleaned.get(MOBILE):
                cleaned["canonical"] = canonical_mobile(cleaned[MOBILE], country_code=self.country_code)
        except Invalid as error:
            explain(self, error)
        return cleaned


class ContactForm(forms.Form):
    """One field for both ways to reach a person; `cleaned_data` holds it as `canonical`, in its one form."""

    contact = forms.CharField(
        label=gettext_lazy("Mobile number or email"),
        max_length=254,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "inputmode": "email", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={"required": gettext_lazy("Enter your mobile number or email")},
    )

    def __init__(self, *args: Any, country_code: str, phone_code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.country_code = country_code
        self.fields["contact"].help_text = gettext("Without a country code, we'll use %(code)s.") % {"code": phone_code}

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        typed = cleaned.get("contact", "")
        try:
            if "@" in typed:
                cleaned["canonical"] = canonical_email(typed)
            elif typed:
                cleaned["canonical"] = canonical_mobile(typed, country_code=self.country_code)
        except Invalid as error:
            self.add_error("contact", error.message)
        return cleaned


def require_same(form: forms.Form, first: str, again: str) -> None:
    """Two passwords that were typed must be one."""
    typed = form.cleaned_data
    if first in typed and again in typed and typed[first] != typed[again]:
        form.add_error(again, gettext("Passwords do not match"))


class SignUpForm(ReachForm):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": gettext_lazy("Name is required")},
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": gettext_lazy("Password is required")},
        help_text=gettext_lazy("Use 8 to 128 characters."),
    )
    password_again = forms.CharField(
        label=gettext_lazy("Re-enter password"),
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": gettext_lazy("Password is required")},
    )
    marketing = forms.BooleanField(label=gettext_lazy("Send me news and offers"), required=False)
    field_order = ["name", EMAIL, MOBILE, "password", "password_again", "marketing"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        require_same(self, "password", "password_again")
        return cleaned

    @property
    def typed_fields(self) -> list[forms.BoundField]:
        """All but the newsletter checkbox, which stands below them."""
        return [field for field in self if field.name != "marketing"]


class CodeField(forms.RegexField):
    """A code of `digits` digits, sent by the shop or shown by an app."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        attrs = {
            "inputmode": "numeric",
            "autocomplete": "one-time-code",
            "maxlength": digits,
            "pattern": f"[0-9]{{{digits}}}",
            "data-otp": True,
            "autofocus": True,
        }
        super().__init__(
            rf"^[0-9]{{{digits}}}\Z",
            label=gettext_lazy("OTP"),
            widget=forms.TextInput(attrs=attrs),
            error_messages={"required": gettext_lazy(WRONG_OTP), "invalid": gettext_lazy(WRONG_OTP)},
        )


class CodeForm(forms.Form):
    otp_code = CodeField(OTP_DIGITS)


class AppCodeForm(forms.Form):
    """The code of an authenticator app."""

    otp_code = CodeField(app_settings.TOTP_DIGITS)


class RecoveryCodeForm(forms.Form):
    """One of the codes that stand in for a lost app or passkey."""

    recovery_code = forms.CharField(
        label=gettext_lazy("Recovery code"),
        max_length=20,
        error_messages={"required": gettext_lazy("Enter a recovery code.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )


class PhoneCodeSelect(forms.Widget):
    """The calling codes of all countries, written without a template for each of the two hundred."""

    country_code = ""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        options = format_html_join(
            "",
            "{}",
            (
                (format_html(CHOSEN_OPTION if code == value else OPTION, code, label),)
                for code, label in phone_codes(self.country_code)
            ),
        )
        return format_html(
            "<select{}>{}</select>", flatatt(self.build_attrs(self.attrs, {"name": name} | (attrs or {}))), options
        )


WIDGETS = {
    Input.TEXT: forms.TextInput,
    Input.EMAIL: forms.EmailInput,
    Input.PHONE: forms.TelInput,
    Input.PHONE_CODE: PhoneCodeSelect,
}


def _form_field(field: AddressField) -> forms.CharField:
    attrs = {"autocomplete": field.autocomplete} if field.autocomplete else {}
    if field.input == Input.TEXT:
        attrs["dir"] = "auto"  # 12 Temple Road, typed on a page from right to left
    label = gettext(field.label) if field.label else None
    return forms.CharField(max_length=MAX_LENGTHS[field.name], label=label, widget=WIDGETS[field.input](attrs=attrs))


class AddressForm(forms.Form):
    """An address in one country, for the address page and the checkout.

    `cleaned_data` holds the address fields (`address_fields()`) for services.add_address and
    update_address, and `is_default`. The country is shown and never read.
    """

    country = forms.CharField(disabled=True, required=False)
    address_type = forms.ChoiceField(
        label=gettext_lazy("Address type"), choices=Address.Type.choices, widget=forms.RadioSelect, initial="Home"
    )
    is_default = forms.BooleanField(label=gettext_lazy("Deliver here by default"), initial=True)
    states_instead: Sequence[str] = ()  # where the pincode may lie, when it does not lie in the state

    def __init__(self, data: Mapping[str, Any] | None = None, *, country_code: str, **kwargs: Any) -> None:
        if data is not None:
            names = [*self.base_fields, *(field.name for field in FORM_FIELDS)]
            typed = {name: data[name] for name in names if name in data}
            typed |= {"state": data["use_state"]} if data.get("use_state") else {}
            data = typed | place_of_pincode(typed, country_code=country_code)
        super().__init__(data, **kwargs)
        self.fields |= {field.name: _form_field(field) for field in FORM_FIELDS if field.name not in self.fields}
        self.order_fields([field.name for field in FORM_FIELDS])
        self.country_code = country_code
        self.rules = rules = address_rules(country_code)
        location = market_registry().by_code[country_code]
        self.fields["country"].initial = location.local_name
        for name, field in self.fields.items():
            field.required = name in rules.required
            field.error_messages["required"] = rules.refusal_of_blank(name)
            field.label = rules.label_of(name) or field.label
        for name in ("phone_code", "alt_phone_code"):
            self.fields[name].widget.country_code = country_code
            self.fields[name].initial = location.phone_code
        if rules.states and rules.needs_state:
            named = sorted(((state, gettext(state)) for state in rules.states), key=lambda pair: pair[1])
            choices = [("", gettext("Choose")), *named]
            self.fields["state"].widget = forms.Select(choices=choices, attrs=self.fields["state"].widget.attrs)
        if country_code == "IN":
            self.fields["pincode"].widget.attrs |= {"inputmode": "numeric", "data-pincode": True}
            self.fields["pincode"].help_text = gettext("We'll fill in the city and state.")

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        try:
            cleaned |= clean_address(self.address_fields(), country_code=self.country_code)
        except Invalid as error:
            self.states_instead = error.extra.get("states", [])[:MAX_STATES_INSTEAD]
            for name, messages in error.fields.items():
                if name not in self.errors:
                    self.add_error(name, messages)
        return cleaned

    @property
    def street(self) -> list[forms.BoundField]:
        return [self[field.name] for field in STREET_FIELDS if field in FORM_FIELDS]

    @property
    def begins_with_pincode(self) -> bool:
        """Whether it tells city and state, so that they need not be typed."""
        return self.country_code == "IN"

    def address_fields(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in FIELD_NAMES if name in self.cleaned_data}


class AddressChangeForm(AddressForm):
    """The same for an address that exists: a required field left blank keeps what it was, or follows a
    new PIN code."""

    def __init__(self, data: QueryDict | None = None, *, address: Address) -> None:
        country_code, kept = address.country.code, address.as_fields()
        if data is not None:
            data = data.copy()
            moved = data.get("pincode", "").strip() not in ("", kept["pincode"])
            found = place_of_pincode(data, country_code=country_code) if moved else {}
            for name in address_rules(country_code).required:
                data[name] = data.get(name, "").strip() or found.get(name, kept[name])
        super().__init__(data, initial=kept, country_code=country_code)
        del self.fields["is_default"]


def new_address_form(
    customer: Customer, *, country_code: str, draft: Mapping[str, str] | None = None, pincode: str = ""
) -> AddressForm:
    """An empty form with what is known already: what was typed before the country changed, else the
    customer's own name, e-mail and phone, and the place of a PIN code of India that they asked about."""
    if draft:
        initial = dict(draft)
        for prefix in ("", "alt_"):
            if not initial.get(f"{prefix}phone_number"):
                initial.pop(f"{prefix}phone_code", None)  # the new country's
        return AddressForm(initial=initial, country_code=country_code)
    initial = {"full_name": customer.name, "email": customer.email or ""}
    if pincode and country_code == "IN":
        initial |= {"pincode": pincode} | place_of_pincode({"pincode": pincode}, country_code=country_code)
    if customer.phone:
        number = phonenumbers.parse(customer.phone)
        initial["phone_code"] = f"+{number.country_code}"
        initial["phone_number"] = phonenumbers.national_significant_number(number)
    return AddressForm(initial=initial, country_code=country_code)


def typed_address(data: Mapping[str, str]) -> dict[str, str]:
    """What was typed into an address form so far, empty when nothing was but what it suggests."""
    typed = {name: data[name][:MAX_TYPED_LENGTH] for name in FIELD_NAMES if data.get(name, "").strip()}
    return typed if any(field.name in typed and not field.is_prefilled for field in ADDRESS_FIELDS) else {}
