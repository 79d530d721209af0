"""The account calls, with the field names of the specification."""

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from shop.http.api import Body, Id, text
from shop.markets.schemas import MarketBody

from ..addresses.fields import ADDRESS_FIELDS
from ..addresses.schemas import with_shown_address, with_typed_address
from ..otp.services import OTP_DIGITS

Email = Annotated[str, text(254)]
Mobile = Annotated[str, text(30)]
OtpCode = Annotated[str, Field(pattern=rf"^[0-9]{{{OTP_DIGITS}}}$")]
Password = Annotated[str, text(4096, min_length=1)]


class PuzzleBody(Body):
    """`puzzle` is the solution of what a 429 held (see /user-login/)."""

    puzzle: Annotated[str, text(300)] | None = None


class Register(PuzzleBody):
    """One of email_id and mobile."""

    user_name: Annotated[str, text(100, min_length=1)]
    email_id: Email | None = None
    mobile: Mobile | None = None
    password: Password


class TokenBody(Body):
    """`token: true` signs in without a cookie: the answer holds a bearer token instead."""

    token: bool = False


class VerifyOtp(TokenBody):
    email_id: Email | None = None
    mobile: Mobile | None = None
    otp_code: OtpCode
    signup_key: Annotated[str, text(100)] | None = None


class Login(MarketBody, TokenBody, PuzzleBody):
    email_id: Email | None = None
    mobile: Mobile | None = None
    password: Password


class Logout(Body):
    user_id: Id | None = None


@with_typed_address
class AddressBody(Body):
    """`customer` and `user_id` must be the caller's own; `country` the delivery country."""

    user_id: Id | None = None
    customer: Id | None = None
    country: Annotated[str, text(80)] | None = None
    is_default: bool | None = None


class AddAddress(AddressBody):
    deliver_to: Id | None = None


class UpdateAddress(AddressBody):
    address_id: Id


class DeleteAddress(Body):
    user_id: Id | None = None
    address_id: Id


@with_shown_address(ADDRESS_FIELDS)
class AddressOut(Schema):
    id: int
    customer: int
    country: str
    is_default: bool


class PendingCustomer(Schema):
    user_name: str
    email_id: str | None
    mobile: str | None


class Registered(Schema):
    """`signup_key` goes with the code to /verify-otp/; nobody else learns it."""

    message: str
    signup_key: str
    customer: PendingCustomer


class CustomerOut(PendingCustomer):
    id: int


class SignedInCart(Schema):
    id: str | None = None


class SignedInOut(Schema):
    """`token` and when it ends, for clients that asked for one."""

    message: str
    id: int
    customer: CustomerOut
    cart: SignedInCart = SignedInCart()
    profiles: list[AddressOut]
    token: str | None = None
    token_expires_at: datetime | None = None


class Done(Schema):
    message: str
