from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from shop.errors import Invalid

SHORTEST, LONGEST = 8, 128


class LengthValidator:
    """8 to 128 characters."""

    def validate(self, password: str, user: object = None) -> None:
        if not SHORTEST <= len(password) <= LONGEST:
            raise ValidationError(self.get_help_text(), code="password_length")

    def get_help_text(self) -> str:
        return f"Use {SHORTEST} to {LONGEST} characters."


def check_password_rules(password: str) -> None:
    """Raises Invalid for a password that may not be chosen. It is judged as typed, never trimmed."""
    try:
        validate_password(password)
    except ValidationError as error:
        raise Invalid(error.messages[0], fields={"password": error.messages}) from error
