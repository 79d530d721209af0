"""Calls about passkeys: each ceremony is begun with what the browser needs for it, and ended with what it answers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext
from ninja import Router

from shop.http.api import ERRORS, signed_in
from shop.markets.geography.detection import client_address

from ..auth.known_browsers import known_browser
from ..auth.reauthentication import record_reauthentication
from ..auth.schemas import Done
from ..requests import CustomerRequest
from ..second_factor.services import remember_factor
from ..sessions.session import sign_in
from . import services as passkeys
from .schemas import AddPasskey, Begin, PasskeyOptions, PasskeySignedIn, PasskeySignIn

router = Router(tags=["accounts"])


@router.post("/api/passkeys/options/", response={200: PasskeyOptions, **ERRORS}, operation_id="passkey_options")
def passkey_options(request: HttpRequest, body: Begin) -> dict[str, Any]:
    return passkeys.start_sign_in(client_address=client_address(request), browser=known_browser(request))


@router.post("/api/passkeys/sign-in/", response={200: PasskeySignedIn, **ERRORS}, operation_id="passkey_sign_in")
def passkey_sign_in(request: HttpRequest, body: PasskeySignIn) -> dict[str, Any]:
    """Signs in whose passkey it is; `next` is where to go."""
    passkey = passkeys.finish_sign_in(
        body.credential.dict(), client_address=client_address(request), browser=known_browser(request)
    )
    is_step_up = request.user == passkey.user
    target = sign_in(request, passkey.user)
    remember_factor(request, passkey)
    if is_step_up:
        record_reauthentication(passkey.user, target, "passkey")
    messages.success(request, gettext("Login successful!"))
    return {"next": target}


@router.post(
    "/api/passkeys/register-options/",
    response={200: PasskeyOptions, **ERRORS},
    auth=signed_in,
    operation_id="passkey_register_options",
)
def passkey_register_options(request: CustomerRequest, body: Begin) -> dict[str, Any]:
    return passkeys.start_adding(request, request.user)


@router.post("/api/passkeys/add/", response={200: Done, **ERRORS}, auth=signed_in, operation_id="add_passkey")
def add_passkey(request: CustomerRequest, body: AddPasskey) -> dict[str, Any]:
    passkey = passkeys.finish_adding(request, request.user, name=body.name, credential=body.credential.dict())
    remember_factor(request, passkey)
    messages.success(request, gettext("Passkey added"))
    return {"message": gettext("Passkey added")}
