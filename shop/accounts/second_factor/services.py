"""The second factor of staff: a code of an app (TOTP), or a passkey, which is both factors in one.

Who has lost it uses one of ten recovery codes, each once.
The session remembers the factor that was shown; it dies with the session, and with the factor.
Customers are never asked for one.
"""

import secrets
import time
from base64 import b32decode, b32encode, b64encode
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt, encrypt
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives import constant_time
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.errors import ShopError, TooMany
from shop.limits.services import consume, reset

from ..auth.reauthentication import require_reauthentication
from ..models import Customer
from ..notices import notify
from ..otp.services import WrongCode
from ..requests import CustomerRequest
from ..sessions.revocation import end_sign_ins

SHOWN = "second_factor"
NEW_SECRET = "mfa.totp.secret"  # key in the session
SECRET_BYTES = 20
STEP_SECONDS, DIGITS = 30, 6
STEPS = range(-settings.MFA_TOTP_TOLERANCE, settings.MFA_TOTP_TOLERANCE + 1)
CODE_COUNTS_FOR = timedelta(seconds=STEP_SECONDS * len(STEPS))
RECOVERY_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
RECOVERY_CODES, RECOVERY_LENGTH = 10, 10
TRIES = (("second_factor", 5, timedelta(minutes=5)), ("second_factor_day", 50, timedelta(days=1)))


class SecondFactorNeeded(ShopError):
    code = "second_factor_needed"
    status = 403

    def __init__(self) -> None:
        super().__init__(gettext("Please complete two-step verification first."))


def ask_for_second_factor(request: HttpRequest) -> HttpResponse | None:
    """The answer to a page for staff whose reader has not yet shown a second factor."""
    if not needs_second_factor(request):
        return None
    if request.method in ("GET", "HEAD"):
        return redirect(f"{reverse('second_factor')}?{urlencode({'next': request.get_full_path()})}")
    return HttpResponseForbidden(SecondFactorNeeded().message, content_type="text/plain")


# --- What was shown ----------------------------------------------------------------


def needs_second_factor(request: HttpRequest) -> bool:
    """Whether a member of staff has signed in and not yet shown the second factor."""
    user: Any = request.user
    return settings.STAFF_SECOND_FACTOR and user.is_staff and user.is_active and not has_shown_factor(request)


def has_shown_factor(request: HttpRequest) -> bool:
    shown = request.session.get(SHOWN)
    return bool(shown) and Authenticator.objects.filter(user_id=request.user.pk, pk=shown).exists()


def has_staff_perm(request: HttpRequest, permission: str) -> bool:
    """For pages outside the back office: whether it is staff with this permission who have shown the second factor."""
    return request.user.has_perm(permission) and not needs_second_factor(request)


def remember_factor(request: HttpRequest, factor: Authenticator) -> None:
    request.session[SHOWN] = factor.pk


def require_step_up(request: HttpRequest) -> None:
    """Before somebody changes their factors: staff show one that they have, and everybody has proven within
    ten minutes who it is. Raises SecondFactorNeeded, ReauthenticationNeeded."""
    if needs_second_factor(request) and factors_of(request.user).exists():
        raise SecondFactorNeeded()
    require_reauthentication(request)


def factors_of(customer: Any) -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(
        user_id=customer.pk, type__in=[Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    )


# --- Codes of an app -----------------------------------------------------------------


@dataclass(frozen=True)
class NewApp:
    """What an authenticator app needs: a picture to scan, or the secret to type."""

    secret: str
    picture: str  # as an address

    @property
    def secret_in_groups(self) -> str:
        return " ".join(self.secret[start : start + 4] for start in range(0, len(self.secret), 4))


def new_app(request: CustomerRequest) -> NewApp:
    """The app that is being set up; its secret waits in the session until it has shown a code."""
    secret = _new_secret(request)
    drawing = get_adapter().build_totp_svg(get_adapter().build_totp_url(request.user, secret))
    return NewApp(secret, f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}")


def set_up_app(request: CustomerRequest, digits: str) -> None:
    """Keep the app in the place of the one before, once it shows a right code.

    Raises WrongCode, TooMany, SecondFactorNeeded, ReauthenticationNeeded.
    """
    require_step_up(request)
    customer, secret = request.user, _new_secret(request)
    _check(customer, secret, digits)
    with transaction.atomic():
        Customer.objects.select_for_update().get(pk=customer.pk)
        Authenticator.objects.filter(user=customer, type=Authenticator.Type.TOTP).delete()
        kept = {"secret": encrypt(secret)}
        app = Authenticator.objects.create(user=customer, type=Authenticator.Type.TOTP, data=kept)
        notify(customer, "second_factor_added", gettext_lazy("Two-step verification is on at {shop_name}"))
    request.session.pop(NEW_SECRET, None)
    remember_factor(request, app)


def show_code(request: CustomerRequest, digits: str) -> None:
    """Raises WrongCode, TooMany."""
    app = Authenticator.objects.filter(user=request.user, type=Authenticator.Type.TOTP).first()
    _check(request.user, _secret_of(app) if app else "", digits)
    if app:
        app.record_usage()
        remember_factor(request, app)


def _secret_of(app: Authenticator) -> str:
    try:
        return decrypt(app.data["secret"])
    except InvalidToken:  # kept under another SECRET_KEY
        return ""


def _check(customer: Customer, secret: str, digits: str) -> None:
    """Each try counts before it is looked at, and a right code counts once."""
    for purpose, limit, period in TRIES:
        consume(purpose, str(customer.pk), limit=limit, period=period)
    if not secret or not _is_code_of_now(secret, digits):
        raise WrongCode()
    try:
        consume("second_factor_code", f"{customer.pk}|{digits}", limit=1, period=CODE_COUNTS_FOR)
    except TooMany:
        raise WrongCode() from None
    for purpose, _, _ in TRIES:
        reset(purpose, str(customer.pk))


def _new_secret(request: HttpRequest) -> str:
    """Base32, as apps take it."""
    return str(request.session.setdefault(NEW_SECRET, b32encode(secrets.token_bytes(SECRET_BYTES)).decode()))


def _is_code_of_now(secret: str, digits: str) -> bool:
    codes = TOTP(b32decode(secret), DIGITS, SHA1(), STEP_SECONDS)  # nosec B303 (RFC 6238 says so)
    now = time.time()
    return any(
        constant_time.bytes_eq(codes.generate(now + step * STEP_SECONDS), digits.encode("ascii", "replace"))
        for step in STEPS
    )


# --- Recovery codes -------------------------------------------------------------------


def make_recovery_codes(request: CustomerRequest) -> list[str]:
    """Ten new codes in the place of those before; only their hashes are kept, so they are shown this once. Other
    sessions that a code of before opened show a factor anew.

    They stand in for a factor: who has none sets one up first, so that whoever has found out a password makes no
    codes that outlast it. Raises SecondFactorNeeded, ReauthenticationNeeded.
    """
    require_step_up(request)
    customer = request.user
    if not factors_of(customer).exists():
        raise SecondFactorNeeded()
    codes = ["".join(secrets.choice(RECOVERY_ALPHABET) for _ in range(RECOVERY_LENGTH)) for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        Customer.objects.select_for_update(no_key=True).get(pk=customer.pk)
        data = {"hashes": [_hash(customer, code) for code in codes]}
        Authenticator.objects.filter(user=customer, type=Authenticator.Type.RECOVERY_CODES).delete()
        row = Authenticator.objects.create(user=customer, type=Authenticator.Type.RECOVERY_CODES, data=data)
        notify(customer, "recovery_codes", gettext_lazy("Your recovery codes at {shop_name}"), left=RECOVERY_CODES)
    if not has_shown_factor(request):  # it was a code of those before
        remember_factor(request, row)
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def recovery_codes_left(customer: Customer) -> int:
    kept = Authenticator.objects.filter(user=customer, type=Authenticator.Type.RECOVERY_CODES).first()
    return len(kept.data["hashes"]) if kept else 0


def use_recovery_code(request: CustomerRequest, typed: str) -> None:
    """Show a recovery code in the place of the app or passkey, once; its owner is told. Locks the row of the codes.

    Raises WrongCode, TooMany.
    """
    customer = request.user
    for purpose, limit, period in TRIES:
        consume(purpose, str(customer.pk), limit=limit, period=period)
    hashed = _hash(customer, "".join(typed.upper().split()).replace("-", ""))
    with transaction.atomic():
        own = Authenticator.objects.select_for_update(no_key=True).filter(user=customer)
        kept = own.filter(type=Authenticator.Type.RECOVERY_CODES).first()
        if kept is None or hashed not in kept.data["hashes"]:
            raise WrongCode()
        left = [other for other in kept.data["hashes"] if other != hashed]
        own.filter(pk=kept.pk).update(data={"hashes": left}, last_used_at=timezone.now())
        notify(customer, "recovery_codes", gettext_lazy("A recovery code was used at {shop_name}"), left=len(left))
    for purpose, _, _ in TRIES:
        reset(purpose, str(customer.pk))
    remember_factor(request, kept)


def _hash(customer: Customer, code: str) -> str:
    """A code has fifty random bits and ten tries a day find none; the hash needs no salt but its owner."""
    return sha256(f"recovery|{customer.pk}|{code}".encode()).hexdigest()


# --- When it is lost -------------------------------------------------------------------


def reset_second_factor(customer: Customer) -> None:
    """Forget every factor of a customer, end every sign-in, and say so."""
    with transaction.atomic():
        Authenticator.objects.filter(user=customer).delete()
        end_sign_ins(customer)
        notify(customer, "second_factor_reset", gettext_lazy("Two-step verification was reset at {shop_name}"))
