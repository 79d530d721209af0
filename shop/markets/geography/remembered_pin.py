"""The PIN code that a shopper asked about last, so that later pages say when things would be there."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from .pincodes import PIN, by_beginning

COOKIE = f"{settings.COOKIE_PREFIX}pin"
COOKIE_SECONDS = 180 * 24 * 3600


def remembered_pin(request: HttpRequest) -> str:
    """Six digits that begin as PIN codes do, or nothing."""
    pin = request.COOKIES.get(COOKIE, "")
    return pin if by_beginning(pin).is_possible else ""


def remember_pin(response: HttpResponse, pin: str) -> None:
    """Only a PIN code of India is kept; anything else leaves the one of before."""
    if PIN.fullmatch(pin):
        response.set_cookie(COOKIE, pin, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS)
