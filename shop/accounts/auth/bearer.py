"""Clients that sign in with a token instead of a session."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext

from shop.http.api import error_body
from shop.http.middleware import is_api

from ..models import ApiToken, Customer
from .tokens import issue_token, token_of

# Pages about the calls. They are the staff's, and staff sign in with a session.
ABOUT_CALLS = {"openapi-json", "openapi-view", "api-root"}


def sign_in_by_token(request: HttpRequest, customer: Customer) -> tuple[str, ApiToken]:
    """Sign in without a session, so that no cookie stands for the client beside its token."""
    issued = issue_token(customer, name=request.headers.get("User-Agent", ""))
    user_logged_in.send(sender=Customer, request=request, user=customer)
    return issued


def token_in(request: HttpRequest) -> ApiToken | None:
    """The token that a call came with."""
    return getattr(request, "api_token", None)


def enter_by_token(request: Any, key: str) -> HttpResponse | None:
    """Put the owner of a token in the place of the session's customer, in calls only; the refusal of an unknown one.

    A session cookie beside it counts instead (bearer_key): that is what a browser sends by itself, and what has to
    prove its origin (SameOriginMiddleware).
    """
    if not is_api(request) or _name(request) in ABOUT_CALLS:
        return None
    if token := token_of(key):
        request.user, request.api_token = token.customer, token
    elif _name(request) != "logout":  # signing out twice is no mistake
        return _refusal()
    return None


def _name(request: HttpRequest) -> str | None:
    return request.resolver_match.url_name if request.resolver_match else None


def _refusal() -> HttpResponse:
    response = JsonResponse(error_body(401, gettext("Please sign in.")), status=401)
    response["WWW-Authenticate"] = "Bearer"
    return response
