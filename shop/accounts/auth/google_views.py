"""Sign-in with Google: the way there, and the way back. Both exist where its keys are set."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from .google import GoogleAdapter

come_back = OAuth2CallbackView.adapter_view(GoogleAdapter)


def where_keys_are_set(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.GOOGLE_CLIENT_ID:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@require_POST
@where_keys_are_set
def google_login(request: HttpRequest) -> HttpResponse:
    return get_adapter().get_provider(request, GoogleAdapter.provider_id).redirect(request, AuthProcess.LOGIN)


@require_safe
@where_keys_are_set
def google_callback(request: HttpRequest) -> HttpResponse:
    return come_back(request)
