"""Browsers in which a customer signed in before.

Such a browser holds a random secret in a cookie, which outlives the sign-in and names nobody. Codes that
are asked for from there have limits of their own (codes.py): strangers who ask for codes to the same
address neither use them up nor replace them.
"""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from ..models import Customer, KnownBrowser

COOKIE = f"{settings.COOKIE_PREFIX}browser"
KEPT = timedelta(days=365)
MAX_BROWSERS = 10


def leave_secret(response: HttpResponse, secret: str) -> None:
    response.set_cookie(COOKIE, secret, max_age=KEPT, secure=settings.HTTPS, httponly=True, samesite="Lax", path="/")


def browser_of(request: HttpRequest, address: str) -> str:
    """The hash of this browser's secret where the customer with a canonical address signed in before in
    it, else nothing."""
    return _known(request, **{"customer__email" if "@" in address else "customer__phone": address})


def browser_of_customer(request: HttpRequest, customer: Customer) -> str:
    """The same for a customer who is known."""
    return _known(request, customer=customer)


def known_browser(request: HttpRequest) -> str:
    """The same for a browser in which anybody signed in before."""
    return _known(request)


def _known(request: HttpRequest, **whose: Any) -> str:
    secret = _hash(request.COOKIES.get(COOKIE, ""))
    return secret if KnownBrowser.objects.filter(secret_hash=secret, **whose).exists() else ""


@receiver(user_logged_in)
def remember_browser(request: HttpRequest | None, user: Customer, **_: Any) -> None:
    """Keep the secret that this browser has, if it is one of ours, else give it one."""
    session = getattr(request, "session", {})
    if request is None or session.get(SESSION_KEY) != str(user.pk):
        return  # a client with a token is no browser
    secret = request.COOKIES.get(COOKIE, "")
    if not KnownBrowser.objects.filter(secret_hash=_hash(secret)).exists():
        secret = secrets.token_urlsafe(32)
    KnownBrowser.objects.update_or_create(
        customer=user, secret_hash=_hash(secret), defaults={"seen_at": timezone.now()}
    )
    newest = user.known_browsers.order_by("-seen_at", "-id").values_list("pk", flat=True)[:MAX_BROWSERS]
    user.known_browsers.exclude(pk__in=list(newest)).delete()
    request.browser_secret = secret  # type: ignore[attr-defined]


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
