"""Who asks, and what an answer leaves in their browser."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth import middleware
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from shop.http.middleware import bearer_key

from .auth.bearer import enter_by_token
from .auth.known_browsers import leave_secret
from .second_factor.services import ask_for_second_factor
from .sessions.sign_out import clear_browser
from .staff.sessions import user_of

STAFF_PATHS = ("/admin/", "/api/docs", "/api/openapi.json")


class AuthenticationMiddleware(middleware.AuthenticationMiddleware):
    """Django's, with the rules of the shop.

    A session of staff that has lasted too long ends before anybody learns whose it was. In API calls the owner of a
    bearer token stands in the place of the session's customer. Staff reach their pages once they have shown a second
    factor. A browser in which somebody signs in gets a secret; one that signs out forgets what it kept of us.
    """

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: user_of(request))  # type: ignore[assignment]

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        key = bearer_key(request)
        if key is not None and (refusal := enter_by_token(request, key)):
            return refusal
        return ask_for_second_factor(request) if request.path_info.startswith(STAFF_PATHS) else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if secret := getattr(request, "browser_secret", ""):
            leave_secret(response, secret)
        if getattr(request, "signed_out", False):
            clear_browser(request, response)
        return response
