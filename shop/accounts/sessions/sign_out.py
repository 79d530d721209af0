"""Whoever signs out leaves nothing behind in the browser."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.contrib.messages.storage.cookie import CookieStorage
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

# Not "cookies": the country and the currency that were picked stay, and the session's cookie goes anyway.
FORGOTTEN = '"cache", "storage"'


def clear_browser(request: HttpRequest, response: HttpResponse) -> None:
    """Tell the browser to forget what it kept of us."""
    response["Clear-Site-Data"] = FORGOTTEN
    _forget_words(request, response)


@receiver(user_logged_out)
def note_sign_out(sender: type, request: Any, **kwargs: Any) -> None:
    if request is not None:
        request.signed_out = True


def _forget_words(request: HttpRequest, response: HttpResponse) -> None:
    """Messages that nobody has read yet; not those that this very answer leaves."""
    name = CookieStorage.cookie_name
    if name in request.COOKIES and name not in response.cookies:
        response.delete_cookie(name, samesite="Lax")
