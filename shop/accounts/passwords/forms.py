from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from ..auth.forms import EMAIL, MOBILE, CodeForm, ReachForm, require_same

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise as Words


def _password(label: "Words", autocomplete: str, required: "Words", help_text: "Words" = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
        error_messages={"required": required},
        help_text=help_text,
    )


LENGTHS = gettext_lazy("Use 8 to 128 characters.")
ALL_REQUIRED = gettext_lazy("All fields are required")


class ForgotPasswordForm(ReachForm):
    """Step 1: whose password it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_mobile, by_email = gettext("Please enter your mobile number"), gettext("Please enter your email")
        field = self.fields[MOBILE if self.by == MOBILE else EMAIL]
        field.error_messages["required"] = by_mobile if self.by == MOBILE else by_email


class ResetPasswordForm(CodeForm):
    """Step 2: the code and the new password."""

    new_password = _password(gettext_lazy("New password"), "new-password", ALL_REQUIRED, LENGTHS)
    password_again = _password(gettext_lazy("Confirm password"), "new-password", ALL_REQUIRED)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["otp_code"].error_messages["required"] = ALL_REQUIRED

    def clean(self) -> dict[str, Any]:
        require_same(self, "new_password", "password_again")
        return self.cleaned_data


class NewPasswordForm(forms.Form):
    """Where a link was the proof."""

    new_password = _password(gettext_lazy("New password"), "new-password", ALL_REQUIRED, LENGTHS)
    password_again = _password(gettext_lazy("Confirm password"), "new-password", ALL_REQUIRED)

    def clean(self) -> dict[str, Any]:
        require_same(self, "new_password", "password_again")
        return self.cleaned_data


class ChangePasswordForm(forms.Form):
    current_password = _password(
        gettext_lazy("Current password"), "current-password", gettext_lazy("Password is required")
    )
    new_password = _password(
        gettext_lazy("New password"), "new-password", gettext_lazy("Password is required"), LENGTHS
    )
    password_again = _password(
        gettext_lazy("Re-enter new password"), "new-password", gettext_lazy("Password is required")
    )

    def clean(self) -> dict[str, Any]:
        require_same(self, "new_password", "password_again")
        return self.cleaned_data
