"""What the session keeps between pages: who is signed in, where to return, which code is waited for, which
address is not finished."""

from typing import TypedDict

from django.contrib.auth import login, logout
from django.http import HttpRequest
from django.urls import reverse

from shop.http.redirects import HOME, safe_path

from ..auth.reauthentication import remember_reauthentication
from ..models import Code, Customer
from ..otp.services import new_key

LAST_PATH = "LastPath"
PENDING = "pending_code"
ADDRESS_DRAFT = "address_draft"
DELETED_ADDRESS = "deleted_address"


class Pending(TypedDict):
    """A canonical address that waits for its code, what for, and the key that the code was asked for with."""

    purpose: str
    address: str
    key: str


def remember_path(request: HttpRequest, given: str | None) -> None:
    """Keep where to go after sign-in; anything but a path of this site is forgotten."""
    if (path := safe_path(given)) != HOME:
        request.session[LAST_PATH] = path


def sign_in(request: HttpRequest, customer: Customer, *, is_reauthentication: bool = True) -> str:
    """Sign in with a new session key and CSRF token; returns where to go.

    `is_reauthentication` says that password, code or passkey has just shown who it is (auth/reauthentication.py).
    """
    path = kept_path(request)
    login(request, customer, backend="shop.accounts.backends.EmailOrMobileBackend")
    if is_reauthentication:
        remember_reauthentication(request)
    for name in (LAST_PATH, PENDING):
        request.session.pop(name, None)
    return path


def kept_path(request: HttpRequest) -> str:
    """Where to go after sign-in."""
    path = safe_path(request.session.get(LAST_PATH))
    return path if path != HOME else reverse("home")


def forget_path(request: HttpRequest) -> None:
    if LAST_PATH in request.session:
        del request.session[LAST_PATH]


def sign_out(request: HttpRequest) -> None:
    logout(request)


def code_key(request: HttpRequest, purpose: Code.Purpose, address: str) -> str:
    """The key that this session asks for codes to an address with: a second code replaces the first."""
    pending = pending_code(request, purpose)
    return pending["key"] if pending and pending["address"] == address else new_key()


def remember_code(request: HttpRequest, purpose: Code.Purpose, address: str, key: str) -> None:
    """A code is on its way to an address; the one that was waited for before is not any more."""
    request.session[PENDING] = Pending(purpose=purpose, address=address, key=key)


def pending_code(request: HttpRequest, *purposes: Code.Purpose) -> Pending | None:
    """The code that is waited for, if it is for one of these purposes."""
    pending: Pending | None = request.session.get(PENDING)
    return pending if pending and pending["purpose"] in purposes else None


def forget_code(request: HttpRequest) -> None:
    if PENDING in request.session:
        del request.session[PENDING]


def remember_sign_up(request: HttpRequest, *, address: str, key: str) -> None:
    remember_code(request, Code.Purpose.SIGN_UP, address, key)


def pending_sign_up(request: HttpRequest) -> Pending | None:
    return pending_code(request, Code.Purpose.SIGN_UP)


def keep_address_draft(request: HttpRequest, typed: dict[str, str]) -> None:
    """Remember an address that is not finished while its country is being changed."""
    if typed:
        request.session[ADDRESS_DRAFT] = typed


def address_draft(request: HttpRequest) -> dict[str, str] | None:
    return request.session.get(ADDRESS_DRAFT)


def forget_address_draft(request: HttpRequest) -> None:
    if ADDRESS_DRAFT in request.session:
        del request.session[ADDRESS_DRAFT]


def remember_deleted_address(request: HttpRequest, address_id: int) -> None:
    """So that pressing twice is no error: only who deleted it is told that it is gone."""
    request.session[DELETED_ADDRESS] = address_id


def has_deleted_address(request: HttpRequest, address_id: int) -> bool:
    return bool(request.session.get(DELETED_ADDRESS) == address_id)
