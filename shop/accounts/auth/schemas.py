"""The account calls, with the field names of the specification."""

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from shop.http.api import Body, Id, text
from shop.markets.schemas import MarketBody

Email = Annotated[str, text(254)]
Mobile = Annotated[str, text(30)]
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
    otp_code: Annotated[str, Field(pattern=r"^[0-9]{6}$")]
    signup_key: Annotated[str, text(100)] | None = None


class Login(MarketBody, TokenBody, PuzzleBody):
    email_id: Email | None = None
    mobile: Mobile | None = None
    password: Password


class Logout(Body):
    user_id: Id | None = None


class AddressBody(Body):
    """`customer` and `user_id` must be the caller's own; `country` the delivery country."""

    user_id: Id | None = None
    customer: Id | None = None
    full_name: Annotated[str, text(100)] | None = None
    email: Email | None = None
    phone_code: Annotated[str, text(5)] | None = None
    phone_number: Annotated[str, text(20)] | None = None
    alt_phone_code: Annotated[str, text(5)] | None = None
    alt_phone_number: Annotated[str, text(20)] | None = None
    address: Annotated[str, text(300)] | None = None
    additional_info: Annotated[str, text(300)] | None = None
    landmark: Annotated[str, text(150)] | None = None
    city: Annotated[str, text(100)] | None = None
    state: Annotated[str, text(100)] | None = None
    pincode: Annotated[str, text(12)] | None = None
    country: Annotated[str, text(80)] | None = None
    address_type: Annotated[str, text(10)] | None = None
    custom_Address_type: Annotated[str, text(40)] | None = None  # noqa: N815 (the specification's spelling)
    is_default: bool | None = None


class AddAddress(AddressBody):
    deliver_to: Id | None = None


class UpdateAddress(AddressBody):
    address_id: Id


class DeleteAddress(Body):
    user_id: Id | None = None
    address_id: Id


class AddressOut(Schema):
    id: int
    customer: int
    full_name: str
    email: str
    phone_number: str
    phone_code: str
    alt_phone_number: str
    alt_phone_code: str
    address: str
    additional_info: str
    landmark: str
    city: str
    state: str
    pincode: str
    country: str
    address_type: str
    custom_Address_type: str  # noqa: N815 (the specification's spelling)
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
    """`token` and when it ends are told to clients that asked for one."""

    message: str
    id: int
    customer: CustomerOut
    cart: SignedInCart = SignedInCart()
    profiles: list[AddressOut]
    token: str | None = None
    token_expires_at: datetime | None = None


class Done(Schema):
    message: str
