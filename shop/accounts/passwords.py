from django.core.exceptions import ValidationError

SHORTEST, LONGEST = 8, 128


class LengthValidator:
    """8 to 128 characters."""

    def validate(self, password: str, user=None) -> None:
        if not SHORTEST <= len(password) <= LONGEST:
            raise ValidationError(self.get_help_text(), code="password_length")

    def get_help_text(self) -> str:
        return f"Use {SHORTEST} to {LONGEST} characters."
