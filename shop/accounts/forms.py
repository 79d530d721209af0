from typing import Any

from django import forms
from django.http import QueryDict

from shop.errors import Invalid, ShopError
from shop.markets.queries import atlas

from .address_rules import REQUIRED, address_rules, clean_address
from .addresses import canonical_email, canonical_mobile
from .models import ADDRESS_FIELDS, Address

EMAIL, MOBILE = "email", "mobile"


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
                label="Mobile number",
                max_length=30,
                widget=forms.TelInput(attrs={"autocomplete": "tel"}),
                error_messages={"required": "Mobile number is required"},
                help_text=f"Without a country code it is read as {phone_code}.",
            )
        else:
            self.fields[EMAIL] = forms.CharField(
                label="Email",
                max_length=254,
                widget=forms.EmailInput(attrs={"autocomplete": "email"}),
                error_messages={"required": "Email is required"},
            )


class SignInForm(_ByEmailOrMobile):
    password = forms.CharField(
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": "Password is required"},
    )
    field_order = [EMAIL, MOBILE, "password"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(self.field_order)


class SignUpForm(_ByEmailOrMobile):
    name = forms.CharField(
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": "Name is required"},
    )
    password = forms.CharField(
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": "Password is required"},
        help_text="Use 8 to 128 characters.",
    )
    password_again = forms.CharField(
        label="Re-enter password",
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": "Password is required"},
    )
    field_order = ["name", EMAIL, MOBILE, "password", "password_again"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        """Adds `canonical`, the one form of the address."""
        cleaned = self.cleaned_data
        if "password" in cleaned and "password_again" in cleaned and cleaned["password"] != cleaned["password_again"]:
            self.add_error("password_again", "Passwords do not match")
        try:
            if cleaned.get(EMAIL):
                cleaned["canonical"] = canonical_email(cleaned[EMAIL])
            elif cleaned.get(MOBILE):
                cleaned["canonical"] = canonical_mobile(cleaned[MOBILE], country_code=self.country_code)
        except Invalid as error:
            explain(self, error)
        return cleaned


class CodeForm(forms.Form):
    otp_code = forms.RegexField(
        r"^[0-9]{6}\Z",
        label="OTP",
        widget=forms.TextInput(
            attrs={
                "inputmode": "numeric",
                "autocomplete": "one-time-code",
                "maxlength": 6,
                "pattern": "[0-9]{6}",
                "data-otp": True,
                "autofocus": True,
            }
        ),
        error_messages={"required": "Please enter a valid OTP", "invalid": "Please enter a valid OTP"},
    )


class AddressForm(forms.Form):
    """An address in one country, for the address page and the checkout.

    `cleaned_data` holds the address fields (`address_fields()`) for services.add_address and
    update_address, and `is_default`. The country is shown and never read.
    """

    full_name = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = forms.CharField(max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    phone_code = forms.CharField(
        max_length=5, label="Code", widget=forms.Select(attrs={"autocomplete": "tel-country-code"})
    )
    phone_number = forms.CharField(
        max_length=20, label="Phone number", widget=forms.TelInput(attrs={"autocomplete": "tel-national"})
    )
    alt_phone_code = forms.CharField(max_length=5, label="Code", widget=forms.Select)
    alt_phone_number = forms.CharField(max_length=20, label="Alternative phone", widget=forms.TelInput)
    address = forms.CharField(max_length=300, widget=forms.TextInput(attrs={"autocomplete": "street-address"}))
    landmark = forms.CharField(max_length=150)
    city = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "address-level2"}))
    state = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "address-level1"}))
    pincode = forms.CharField(max_length=12, widget=forms.TextInput(attrs={"autocomplete": "postal-code"}))
    country = forms.CharField(disabled=True, required=False)
    address_type = forms.ChoiceField(
        choices=[(kind, kind.capitalize()) for kind in Address.Type.values], widget=forms.RadioSelect, initial="Home"
    )
    custom_address_type = forms.CharField(max_length=40, label="Name of this address")
    is_default = forms.BooleanField(label="Deliver here by default", initial=True)

    def __init__(self, *args: Any, country_code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.country_code = country_code
        self.rules = rules = address_rules(country_code)
        location = atlas().by_code[country_code]
        self.fields["country"].initial = location.name
        for name, field in self.fields.items():
            field.required = name in rules.required
            field.error_messages["required"] = REQUIRED.get(name, "")
        codes = sorted({place.phone_code for place in atlas().locations.values()}, key=lambda code: (len(code), code))
        for name in ("phone_code", "alt_phone_code"):
            self.fields[name].widget.choices = [(code, code) for code in codes]
            self.fields[name].initial = location.phone_code
        if rules.states and rules.needs_state:
            choices = [("", "Choose"), *((state, state) for state in rules.states)]
            self.fields["state"].widget = forms.Select(choices=choices, attrs=self.fields["state"].widget.attrs)
        if country_code == "IN":
            self.fields["pincode"].widget.attrs["inputmode"] = "numeric"

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        try:
            cleaned |= clean_address(self.address_fields(), country_code=self.country_code)
        except Invalid as error:
            for name, messages in error.fields.items():
                if name not in self.errors:
                    self.add_error(name, messages)
        return cleaned

    def address_fields(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in ADDRESS_FIELDS if name in self.cleaned_data}


class AddressChangeForm(AddressForm):
    """The same for an address that exists: a required field left blank keeps what it was."""

    def __init__(self, data: QueryDict | None = None, *, address: Address) -> None:
        country_code, kept = address.country.code, address.as_fields()
        if data is not None:
            data = data.copy()
            for name in address_rules(country_code).required:
                data[name] = data.get(name, "").strip() or kept[name]
        super().__init__(data, initial=kept, country_code=country_code)
        del self.fields["is_default"]
