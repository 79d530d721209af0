"""Browsers in which a customer signed in before."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class KnownBrowserMiddleware:
    """Leaves the secret of a browser behind in which somebody has just signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
