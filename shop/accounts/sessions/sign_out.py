"""Whoever signs out leaves nothing behind in the browser."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.contrib.messages.storage.cookie import CookieStorage
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

# Not "cookies": the country and the currency that were picked stay, and the session's cookie goes anyway.
FORGOTTEN = '"cache", "storage"'


class SignOutMiddleware:
    """Tells the browser to forget what it kept of us, on every answer that signs somebody out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if getattr(request, "signed_out", False):
            response["Clear-Site-Data"] = FORGOTTEN
            _forget_words(request, response)
        return response


@receiver(user_logged_out)
def note_sign_out(sender: type, request: Any, **kwargs: Any) -> None:
    if request is not None:
        request.signed_out = True


def _forget_words(request: HttpRequest, response: HttpResponse) -> None:
    """Messages that nobody has read yet; not those that this very answer leaves."""
    name = CookieStorage.cookie_name
    if name in request.COOKIES and name not in response.cookies:
        response.delete_cookie(name, samesite="Lax")
