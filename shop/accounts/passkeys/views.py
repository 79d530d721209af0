"""Keeping passkeys, in the profile; they are added by shop/accounts/passkeys/api.py."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from shop.errors import NotFound, ShopError

from ..auth.reauthentication import ReauthenticationNeeded
from ..auth.reauthentication_views import with_reauthentication
from ..requests import CustomerRequest
from . import services as passkeys


@require_POST
@login_required
def passkey_rename(request: CustomerRequest, passkey_id: int) -> HttpResponse:
    name = request.POST.get("name", "")
    return _change(request, "Passkey renamed", lambda: passkeys.rename(request.user, passkey_id, name))


@require_POST
@login_required
@with_reauthentication
def passkey_remove(request: CustomerRequest, passkey_id: int) -> HttpResponse:
    return _change(request, "Passkey removed", lambda: passkeys.remove(request, request.user, passkey_id))


def _change(request: CustomerRequest, done: str, change: Callable[[], None]) -> HttpResponse:
    try:
        change()
    except NotFound as error:
        raise Http404 from error
    except ReauthenticationNeeded as needed:
        raise ReauthenticationNeeded(back=f"{reverse('profile')}#passkeys") from needed
    except ShopError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, done)
    return redirect(f"{reverse('profile')}#passkeys")
