from typing import Any

from django import forms

from ..auth.forms import EMAIL, MOBILE, CodeForm, ReachForm, require_same


def _password(label: str, autocomplete: str, required: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
        error_messages={"required": required},
        help_text=help_text,
    )


LENGTHS = "Use 8 to 128 characters."
ALL_REQUIRED = "All fields are required"


class ForgotPasswordForm(ReachForm):
    """Step 1: whose password it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        contact = "mobile number" if self.by == MOBILE else "email"
        self.fields[MOBILE if self.by == MOBILE else EMAIL].error_messages["required"] = f"Please enter your {contact}"


class ResetPasswordForm(CodeForm):
    """Step 2: the code and the new password."""

    new_password = _password("New password", "new-password", ALL_REQUIRED, LENGTHS)
    password_again = _password("Confirm password", "new-password", ALL_REQUIRED)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["otp_code"].error_messages["required"] = ALL_REQUIRED

    def clean(self) -> dict[str, Any]:
        require_same(self, "new_password", "password_again")
        return self.cleaned_data


class ChangePasswordForm(forms.Form):
    current_password = _password("Current password", "current-password", "Password is required")
    new_password = _password("New password", "new-password", "Password is required", LENGTHS)
    password_again = _password("Re-enter new password", "new-password", "Password is required")

    def clean(self) -> dict[str, Any]:
        require_same(self, "new_password", "password_again")
        return self.cleaned_data
