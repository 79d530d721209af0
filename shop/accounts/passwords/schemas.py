"""The password calls, with the field names of the specification."""

from ninja import Schema

from shop.http.api import Body

from ..auth.schemas import Email, Mobile, OtpCode, Password, PuzzleBody


class ForgotPassword(PuzzleBody):
    """One of email_id and mobile."""

    email_id: Email | None = None
    mobile: Mobile | None = None


class VerifyForgotPassword(Body):
    """One of email_id and mobile."""

    email_id: Email | None = None
    mobile: Mobile | None = None
    otp_code: OtpCode
    new_password: Password


class ChangePassword(Body):
    """`email_id` must be the caller's own."""

    email_id: Email | None = None
    current_password: Password
    new_password: Password


class Detail(Schema):
    detail: str
