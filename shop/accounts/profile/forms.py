"""The forms of the profile."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from ..auth.forms import CodeForm, ReachForm, SignUpForm
from ..auth.services import MAX_NAME_LENGTH
from ..models import Customer


class DetailsForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": gettext_lazy("Name is required")},
    )
    marketing = SignUpForm.base_fields["marketing"]


class ReauthenticationForm(forms.Form):
    """Asks for the password or, where there is none or it is chosen, for a code (auth/reauthentication.py)."""

    def __init__(self, *args: Any, customer: Customer, by_code: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if customer.has_usable_password() and not by_code:
            self.fields["password"] = forms.CharField(
                label=gettext("Your password"),
                max_length=4096,
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
                error_messages={"required": gettext("Password is required")},
            )
        else:
            self.fields["otp_code"] = CodeForm().fields["otp_code"]
            del self.fields["otp_code"].widget.attrs["autofocus"]

    @property
    def credentials(self) -> dict[str, str]:
        """For check_reauthentication."""
        return {
            "password": self.cleaned_data.get("password", ""),
            "digits": self.cleaned_data.get("otp_code", ""),
        }


class NewAddressForm(ReachForm):
    """The e-mail or mobile to sign in with from now on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[self.by].label = gettext("New email") if self.by == "email" else gettext("New mobile number")
