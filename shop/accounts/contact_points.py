"""One canonical form for each way to reach a person, so that one person has one account.

All functions take what was typed and raise Invalid with the message for its field.
"""

import re
import unicodedata

import phonenumbers
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.encoding import punycode
from django.utils.translation import gettext

from shop.errors import Invalid
from shop.text import without_invisibles

MOBILE_TYPES = {phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE}
MAX_EMAIL_LENGTH = 254
_PHONE_CHARACTERS = re.compile(r"[0-9+()./ -]{4,30}")


def canonical_email(typed: str) -> str:
    """Lower case, compatibility characters folded, the domain as mail servers know it.

    A local part outside ASCII is refused: some of its letters turn into others when a database or
    a mail server changes their case.
    """
    email = unicodedata.normalize("NFKC", without_invisibles(typed).strip(" "))
    local, at, domain = email.rpartition("@")
    try:
        email = f"{local}@{punycode(domain)}".lower() if at else email
        validate_email(email)
    except (ValidationError, UnicodeError) as error:
        raise Invalid(gettext("Enter a valid email"), fields={"email": [gettext("Enter a valid email")]}) from error
    if len(email) > MAX_EMAIL_LENGTH or not email.isascii():
        raise Invalid(gettext("Enter a valid email"), fields={"email": [gettext("Enter a valid email")]})
    return email


def canonical_mobile(typed: str, *, country_code: str) -> str:
    """E.164 (+919876543210); a number without country code is read as one of `country_code`."""
    number = parse_phone(typed, country_code=country_code)
    if number is None or phonenumbers.number_type(number) not in MOBILE_TYPES:
        raise Invalid(
            gettext("Enter a valid mobile number"), fields={"mobile": [gettext("Enter a valid mobile number")]}
        )
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def parse_phone(typed: str, *, country_code: str) -> phonenumbers.PhoneNumber | None:
    """The number that was typed, or None when it is none that could be called."""
    folded = unicodedata.normalize("NFKC", without_invisibles(typed).strip(" "))
    if not _PHONE_CHARACTERS.fullmatch(folded):
        return None
    try:
        number = phonenumbers.parse(folded, country_code)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_valid_number(number) else None


def require_one(email: str | None, mobile: str | None) -> None:
    """A call names an e-mail or a mobile number; Invalid names the call's field."""
    if not email and not mobile:
        raise Invalid(gettext("Email is required"), fields={"email_id": [gettext("Email is required")]})
    if email and mobile:
        problem = gettext("Enter an email or a mobile number, not both.")
        raise Invalid(problem, fields={"mobile": [problem]})


def canonical_of(email: str | None, mobile: str | None, *, country_code: str) -> str:
    """The one form of the one address that a call names; Invalid names the call's field."""
    require_one(email, mobile)
    try:
        return canonical_email(email) if email else canonical_mobile(mobile or "", country_code=country_code)
    except Invalid as error:
        raise Invalid(error.message, fields={"email_id" if email else "mobile": [error.message]}) from error
