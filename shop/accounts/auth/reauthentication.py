"""Showing that it is really the customer who asks, before what opens the account is changed or deleted: by the
password, a code to an address that the account has already, or a passkey.

It counts for ten minutes of the session (require_reauthentication). Signing in counts too, except with Google,
which asks nobody who is signed in there.
"""

from datetime import timedelta
from urllib.parse import urlsplit

from django.contrib.auth.hashers import check_password
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice import history
from shop.errors import ShopError, VerificationFailed
from shop.markets.middleware import match_prefix

from ..models import Code, Customer
from ..notices import at_shop
from ..otp.services import CodeMessage, allow_send, check_code, holder_of, key_of, send_code
from .login_attempts import count_own_attempt, reset_attempts

LASTS = timedelta(minutes=10)
PROVEN = "proven_at"


class WrongReauthentication(VerificationFailed):
    code = "wrong_password"

    def __init__(self) -> None:
        problem = gettext("That's not your password.")
        super().__init__(problem, fields={"password": [problem]})


class ReauthenticationNeeded(ShopError):
    """Pages lead to where it is given and back to `back`, a path of theirs
    (reauthentication_views.with_reauthentication)."""

    code = "proof_needed"
    status = 403

    def __init__(self, back: str = "") -> None:
        super().__init__(gettext("Please confirm it's you first."))
        self.back = back


def require_reauthentication(request: HttpRequest, *, back: str = "") -> None:
    """Raises ReauthenticationNeeded unless this session has proven within ten minutes who uses it."""
    proven_at = request.session.get(PROVEN, 0)
    if proven_at <= (timezone.now() - LASTS).timestamp():
        raise ReauthenticationNeeded(back)


def remember_reauthentication(request: HttpRequest) -> None:
    request.session[PROVEN] = timezone.now().timestamp()


def record_reauthentication(customer: Customer, target: str, way: str) -> None:
    """Record how a customer confirmed who it is, and the name of the route that `target` leads to: the path itself is
    in words of their own."""
    history.record_step_up(customer, f"{_route_of(target)}, by {way}")


def _route_of(target: str) -> str:
    path = urlsplit(target).path
    prefixed = match_prefix(path)
    try:
        return resolve((prefixed["rest"] or "/") if prefixed else path).view_name
    except Resolver404:
        return "no page"


def own_address(customer: Customer, *, by_mobile: bool = False) -> str:
    """Where the code goes: to the e-mail unless there is none, or the mobile is asked for."""
    ways = (customer.phone, customer.email) if by_mobile else (customer.email, customer.phone)
    return next(filter(None, ways), "")


def send_reauthentication_code(
    customer: Customer, *, client_address: str, browser: str = "", by_mobile: bool = False
) -> str:
    """Send the code that stands for the password; returns where to. Raises Invalid, TooMany."""
    address = own_address(customer, by_mobile=by_mobile)
    allow_send(address, client_address=client_address, browser=browser, is_signed_in=True)
    message = CodeMessage("confirm_code", at_shop(gettext_lazy("Your code for {shop_name}")))
    send_code(purpose=Code.Purpose.CONFIRM, address=address, message=message, holder=holder_of(key_of(customer)))
    return address


def check_reauthentication(
    customer: Customer,
    *,
    client_address: str,
    browser: str = "",
    password: str = "",
    digits: str = "",
    by_mobile: bool = False,
) -> Code | None:
    """Raises WrongReauthentication or WrongCode, and TooMany: a try counts as one to sign in.

    Returns the code, if it was one, to be spent in the transaction of what it opens.
    """
    if digits or not customer.has_usable_password():
        address, holder = own_address(customer, by_mobile=by_mobile), holder_of(key_of(customer))
        return check_code(purpose=Code.Purpose.CONFIRM, address=address, digits=digits, holder=holder)
    count_own_attempt(customer, client_address=client_address, browser=browser)
    if not check_password(password, customer.password):
        raise WrongReauthentication()
    reset_attempts(customer, client_address=client_address, browser=browser)
    return None
