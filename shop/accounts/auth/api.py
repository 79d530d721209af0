from functools import partial
from typing import Any, cast

from django.http import HttpRequest
from django.utils.translation import gettext
from ninja import Router

from shop.errors import Invalid, NotFound
from shop.http.api import ERRORS, repeat_message, signed_in
from shop.markets.geography.detection import client_address
from shop.markets.market import Market
from shop.markets.requests import MarketRequest
from shop.markets.services import market_named

from ..addresses.fields import ADDRESS_FIELDS
from ..contact_points import canonical_of, require_one
from ..models import Address, Customer
from ..otp.services import WrongCode
from ..requests import CustomerRequest
from ..sessions.session import pending_sign_up, remember_sign_up, sign_in, sign_out
from ..signals import describing_customer
from . import services
from .bearer import sign_in_by_token, token_in
from .known_browsers import browser_of
from .schemas import (
    AddAddress,
    AddressBody,
    AddressOut,
    DeleteAddress,
    Done,
    Login,
    Logout,
    Register,
    Registered,
    SignedInOut,
    UpdateAddress,
    VerifyOtp,
)

router = Router(tags=["accounts"])
repeat_message("/user-register/", "error")
repeat_message("/verify-otp/", "msg")


@router.post("/user-register/", response={200: Registered, **ERRORS}, operation_id="register")
def register(request: MarketRequest, body: Register) -> dict[str, Any]:
    """Sends a code. The answer is the same for an address that has an account. /verify-otp/ requires its
    `signup_key`, which a browser's session keeps by itself: each sign-up has a code of its own."""
    address = _canonical(request, body)
    key = services.start_sign_up(
        name=body.user_name,
        address=address,
        password=body.password,
        client_address=client_address(request),
        puzzle=body.puzzle or "",
    )
    remember_sign_up(request, address=address, key=key)
    is_email = "@" in address
    return {
        "message": services.sent_words(address),
        "signup_key": key,
        "customer": {
            "user_name": body.user_name,
            "email_id": address if is_email else None,
            "mobile": None if is_email else address,
        },
    }


@router.post("/verify-otp/", response={200: SignedInOut, **ERRORS}, operation_id="verify_otp")
def verify_otp(request: MarketRequest, body: VerifyOtp) -> dict[str, Any]:
    """Opens the account of the sign-up that `signup_key` names and signs in, by a session cookie or, with
    `token: true`, by a bearer token (see /user-login/). The code must be that sign-up's own. Without the
    field the session's last sign-up with this address is meant."""
    address = _canonical(request, body)
    key = body.signup_key or _key_in_session(request, address)
    if not key:
        raise WrongCode(signup_key="Send the signup_key returned by /user-register/.")
    customer = services.finish_sign_up(address=address, digits=body.otp_code, key=key)
    return _signed_in(request, customer, gettext("Login Successful!"), by_token=body.token)


@router.post("/user-login/", response={200: SignedInOut, **ERRORS}, operation_id="login")
def login(request: MarketRequest, body: Login) -> dict[str, Any]:
    """Signs in by a session cookie. With `token: true` no session begins and no cookie is set: the answer
    adds a bearer token, for non-browser clients. They send it as `Authorization: Bearer …` until
    `token_expires_at`; no origin check applies to calls with the token and no cookies. The profile lists the tokens.

    A 429 of this call and of those that send a code may hold a `puzzle`: the body's `puzzle` is then its
    `ticket`, a blank and a number whose SHA-256 with the nonce ("nonce:number") begins with `bits` zero bits,
    or the ticket alone after `wait_seconds`. It allows one more attempt."""
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    require_one(body.email_id, body.mobile)
    customer = services.check_sign_in(
        email=body.email_id or "",
        mobile=body.mobile or "",
        password=body.password,
        country_code=market.country_code,
        client_address=client_address(request),
        browser=partial(browser_of, request),
        puzzle=body.puzzle or "",
    )
    return _signed_in(request, customer, gettext("Login successful!"), by_token=body.token)


@router.post("/user-logout/", response={200: Done, **ERRORS}, operation_id="logout")
def logout(request: HttpRequest, body: Logout) -> dict[str, Any]:
    """Ends the caller's own sign-in, or the token it comes with; `user_id` is ignored."""
    if token := token_in(request):
        token.delete()
    sign_out(request)
    return {"message": gettext("Logged out")}


@router.post("/add-address/", response={200: list[AddressOut], **ERRORS}, auth=signed_in, operation_id="add_address")
def add_address(request: CustomerRequest, body: AddAddress) -> list[dict[str, Any]]:
    _require_own(request, body.user_id, body.customer)
    market = market_named(body.deliver_to, None, fallback=request.market)
    _require_country(body, market)
    services.add_address(request.user, market, _fields(body), is_default=body.is_default is not False)
    return _address_list(request.user)


@router.post(
    "/update-address/", response={200: list[AddressOut], **ERRORS}, auth=signed_in, operation_id="update_address"
)
def update_address(request: CustomerRequest, body: UpdateAddress) -> list[dict[str, Any]]:
    """Blank fields change nothing; `is_default: true` makes the address the default."""
    _require_own(request, body.user_id, body.customer)
    services.update_address(request.user, body.address_id, _fields(body), is_default=body.is_default is True)
    return _address_list(request.user)


@router.post(
    "/delete-address/", response={200: list[AddressOut], **ERRORS}, auth=signed_in, operation_id="delete_address"
)
def delete_address(request: CustomerRequest, body: DeleteAddress) -> list[dict[str, Any]]:
    _require_own(request, body.user_id)
    services.delete_address(request.user, body.address_id)
    return _address_list(request.user)


def _key_in_session(request: HttpRequest, address: str) -> str:
    pending = pending_sign_up(request)
    return pending["key"] if pending and pending["address"] == address else ""


def _canonical(request: MarketRequest, body: Register | VerifyOtp) -> str:
    return canonical_of(body.email_id, body.mobile, country_code=request.market.country_code)


def _require_own(request: CustomerRequest, *ids: int | None) -> None:
    if any(named is not None and named != request.user.pk for named in ids):
        raise NotFound()


def _require_country(body: AddAddress, market: Market) -> None:
    names = {
        market.country_name.casefold(),
        market.country.casefold(),
        market.country_code.casefold(),
        str(market.location_id),
    }
    if body.country and body.country.strip().casefold() not in names:
        problem = gettext("Your delivery country is %(country)s. Change it first.") % {"country": market.country}
        raise Invalid(problem, fields={"country": [problem]})


def _fields(body: AddressBody) -> dict[str, str]:
    """The address fields that say something."""
    said = {field.name: getattr(body, field.api_name) for field in ADDRESS_FIELDS}
    return {name: value for name, value in said.items() if value and value.strip()}


def _address_list(customer: Customer) -> list[dict[str, Any]]:
    return [_present(address) for address in customer.addresses.default_first()]


def _present(address: Address) -> dict[str, Any]:
    values = address.as_fields()
    fields: dict[str, Any] = {field.api_name: values[field.name] for field in ADDRESS_FIELDS}
    return fields | {
        "id": address.pk,
        "customer": address.customer_id,
        "country": address.country.local_name,
        "is_default": address.is_default,
    }


def _signed_in(request: MarketRequest, customer: Customer, message: str, *, by_token: bool) -> dict[str, Any]:
    if not by_token:
        sign_in(request, customer)
        return _signed_in_answer(customer, message)
    key, token = sign_in_by_token(request, customer)
    return _signed_in_answer(customer, message) | {"token": key, "token_expires_at": token.expires_at}


def _signed_in_answer(customer: Customer, message: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "message": message,
        "id": customer.pk,
        "customer": {
            "id": customer.pk,
            "user_name": customer.name,
            "email_id": customer.email,
            "mobile": customer.phone,
        },
        "profiles": _address_list(customer),
    }
    for _, members in describing_customer.send(sender=Customer, customer=customer):
        answer |= cast(dict[str, Any], members)
    return answer
