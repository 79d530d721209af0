"""Calls that change a password."""

from typing import Any

from django.utils.translation import gettext
from ninja import Router

from shop.errors import NotFound
from shop.http.api import ERRORS, repeat_message, signed_in
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from ..auth.known_browsers import browser_of, browser_of_customer
from ..auth.services import sent_words
from ..contact_points import canonical_of
from ..requests import CustomerRequest
from ..sessions.session import sign_out
from . import services as passwords
from .schemas import ChangePassword, Detail, ForgotPassword, VerifyForgotPassword

router = Router(tags=["accounts"])
repeat_message("/forgot-password/", "error")


@router.post("/forgot-password/", response={200: Detail, **ERRORS}, operation_id="forgot_password")
def forgot_password(request: MarketRequest, body: ForgotPassword) -> dict[str, Any]:
    """Sends a code. The answer is the same for an address that has no account."""
    address = canonical_of(body.email_id, body.mobile, country_code=request.market.country_code)
    passwords.start_reset(
        address=address,
        client_address=client_address(request),
        browser=browser_of(request, address),
        puzzle=body.puzzle or "",
    )
    return {"detail": sent_words(address)}


@router.post("/verify-forgot-password/", response={200: Detail, **ERRORS}, operation_id="verify_forgot_password")
def verify_forgot_password(request: MarketRequest, body: VerifyForgotPassword) -> dict[str, Any]:
    """Sets the new password; every sign-in and token of the customer ends, and nobody is signed in."""
    address = canonical_of(body.email_id, body.mobile, country_code=request.market.country_code)
    passwords.finish_reset(
        address=address, digits=body.otp_code, password=body.new_password, browser=browser_of(request, address)
    )
    return {"detail": gettext("Password reset successful")}


@router.post("/change-password/", response={200: Detail, **ERRORS}, auth=signed_in, operation_id="change_password")
def change_password(request: CustomerRequest, body: ChangePassword) -> dict[str, Any]:
    """Replaces the caller's own password; every sign-in and token ends, the caller's included."""
    if body.email_id and body.email_id.strip().lower() != request.user.email:
        raise NotFound()
    passwords.change_password(
        request.user,
        current=body.current_password,
        new=body.new_password,
        client_address=client_address(request),
        browser=browser_of_customer(request, request.user),
    )
    sign_out(request)
    return {"detail": gettext("Password changed")}
