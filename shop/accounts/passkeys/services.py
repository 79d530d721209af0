"""Passkeys: keys that a customer's device or password manager holds, used behind a fingerprint or a PIN.

The challenge of a ceremony lies in the session and is good for one answer.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from allauth.mfa.models import Authenticator
from cryptography.exceptions import UnsupportedAlgorithm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from shop.errors import Invalid, NotFound, ShopError, VerificationFailed
from shop.limits.services import client_of, consume
from shop.text import one_line

from ..models import Customer
from ..notices import notify
from ..second_factor.services import require_step_up
from . import ceremonies

MAX_PASSKEYS = 10
MAX_NAME_LENGTH = 60
# What the parsers of a key and of its signature raise over bytes that are neither.
MALFORMED = (
    ValidationError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, AssertionError,
    RecursionError, NotImplementedError, UnsupportedAlgorithm,
)  # fmt: skip
Found = TypeVar("Found")


class BadPasskey(VerificationFailed):
    """Unknown, altered, too late, or of an account that is closed: always the same answer."""

    code = "bad_passkey"

    def __init__(self) -> None:
        super().__init__(gettext("This passkey didn't work. Please try again or sign in another way."))


class TooManyPasskeys(ShopError):
    code = "too_many_passkeys"

    def __init__(self) -> None:
        words = gettext("You can have up to %(most)s passkeys. Remove one you no longer need.")
        super().__init__(words % {"most": MAX_PASSKEYS})


def passkeys_of(customer: Customer) -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(user=customer, type=Authenticator.Type.WEBAUTHN).order_by("id")


# --- Signing in -----------------------------------------------------------------


def start_sign_in(*, client_address: str, browser: str = "") -> dict[str, Any]:
    """What the browser asks its passkeys; the same for everybody. Raises TooMany.

    A `browser` in which somebody signed in before (browsers.known_browser) is counted by itself.
    """
    _count(client_address, browser)
    return ceremonies.start_authentication()


def finish_sign_in(credential: dict[str, Any], *, client_address: str, browser: str = "") -> Authenticator:
    """The passkey that signed the challenge; its `user` may sign in. Raises BadPasskey, TooMany."""
    _count(client_address, browser)
    passkey = _verified(ceremonies.finish_authentication, credential)
    if not passkey.user.is_active:
        raise BadPasskey()
    passkey.record_usage()
    return passkey


# --- Keeping them ---------------------------------------------------------------


def start_adding(request: HttpRequest, customer: Customer) -> dict[str, Any]:
    """What the browser makes a new passkey of. Raises TooManyPasskeys, SecondFactorNeeded, ReauthenticationNeeded."""
    require_step_up(request)
    _require_capacity(customer)
    return ceremonies.start_registration(customer)


def finish_adding(request: HttpRequest, customer: Customer, *, name: str, credential: dict[str, Any]) -> Authenticator:
    """Keep a passkey that the browser has made. Raises Invalid, BadPasskey, TooManyPasskeys, SecondFactorNeeded,
    ReauthenticationNeeded."""
    require_step_up(request)
    name = _clean_name(name)
    made = _verified(ceremonies.finish_registration, credential)
    if not made.is_user_verified():
        raise BadPasskey()
    with transaction.atomic():
        _lock(customer)
        _require_capacity(customer)
        kept = {"name": name, "credential": credential}
        passkey = Authenticator.objects.create(user=customer, type=Authenticator.Type.WEBAUTHN, data=kept)
        notify(customer, "passkey_added", gettext_lazy("New passkey at {shop_name}"), name=name)
    return passkey


def rename(customer: Customer, passkey_id: int, name: str) -> None:
    """Raises NotFound for a missing or foreign passkey, Invalid."""
    passkey = _own(customer, passkey_id)
    passkey.data["name"] = _clean_name(name)
    passkey.save(update_fields=["data"])


def remove(request: HttpRequest, customer: Customer, passkey_id: int) -> None:
    """Raises NotFound for a missing or foreign passkey, SecondFactorNeeded, ReauthenticationNeeded."""
    require_step_up(request)
    _own(customer, passkey_id).delete()


def _count(client_address: str, browser: str) -> None:
    consume("passkey_client", browser or client_of(client_address), limit=30, period=timedelta(minutes=1))


def _verified(finish: Callable[[dict[str, Any]], Found], credential: dict[str, Any]) -> Found:
    """What the browser answered, once it proves true."""
    try:
        return finish(credential)
    except MALFORMED as error:
        raise BadPasskey() from error


def _own(customer: Customer, passkey_id: int) -> Authenticator:
    passkey = passkeys_of(customer).filter(pk=passkey_id).first()
    if passkey is None:
        raise NotFound()
    return passkey


def _lock(customer: Customer) -> None:
    """One at a time adds a passkey, so that their count stays true."""
    Customer.objects.select_for_update().get(pk=customer.pk)


def _require_capacity(customer: Customer) -> None:
    if passkeys_of(customer).count() >= MAX_PASSKEYS:
        raise TooManyPasskeys()


def _clean_name(name: str) -> str:
    name = one_line(name)
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        problem = gettext("Give the passkey a name of up to %(most)s characters.") % {"most": MAX_NAME_LENGTH}
        raise Invalid(problem, fields={"name": [problem]})
    return name
