"""What the session keeps between pages: who is signed in, where to return, which sign-up is pending, which
address is not finished."""

from typing import TypedDict

from django.contrib.auth import login, logout
from django.http import HttpRequest
from django.urls import reverse

from shop.return_path import HOME, safe_path

from .models import Customer

LAST_PATH = "LastPath"
SIGN_UP = "sign_up"
ADDRESS_DRAFT = "address_draft"


class PendingSignUp(TypedDict):
    """A canonical address that waits for its code, and the key of this very sign-up."""

    address: str
    key: str


def remember_path(request: HttpRequest, wanted: str | None) -> None:
    """Keep where to go after sign-in; anything but a path of this site is forgotten."""
    if (path := safe_path(wanted)) != HOME:
        request.session[LAST_PATH] = path


def sign_in(request: HttpRequest, customer: Customer) -> str:
    """Sign in with a new session key and CSRF token; returns where to go."""
    path = safe_path(request.session.get(LAST_PATH))
    login(request, customer, backend="shop.accounts.backends.EmailOrMobileBackend")
    for name in (LAST_PATH, SIGN_UP):
        request.session.pop(name, None)
    return path if path != HOME else reverse("home")


def sign_out(request: HttpRequest) -> None:
    logout(request)


def remember_sign_up(request: HttpRequest, *, address: str, key: str) -> None:
    request.session[SIGN_UP] = PendingSignUp(address=address, key=key)


def pending_sign_up(request: HttpRequest) -> PendingSignUp | None:
    return request.session.get(SIGN_UP)


def keep_address_draft(request: HttpRequest, typed: dict[str, str]) -> None:
    """Remember an address that is not finished while its country is being changed."""
    if typed:
        request.session[ADDRESS_DRAFT] = typed


def address_draft(request: HttpRequest) -> dict[str, str] | None:
    return request.session.get(ADDRESS_DRAFT)


def forget_address_draft(request: HttpRequest) -> None:
    if ADDRESS_DRAFT in request.session:
        del request.session[ADDRESS_DRAFT]
