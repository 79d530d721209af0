"""Keeping passkeys, in the profile; they are added by shop/accounts/passkeys/api.py."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from shop.errors import NotFound, ShopError

from ..auth.reauthentication import ReauthenticationNeeded
from ..auth.reauthentication_views import with_reauthentication
from ..pages import signed_in_from
from ..requests import CustomerRequest
from . import services as passkeys


@require_POST
@signed_in_from("profile")
def passkey_rename(request: CustomerRequest, passkey_id: int) -> HttpResponse:
    name = request.POST.get("name", "")
    return _change(request, gettext("Passkey renamed"), lambda: passkeys.rename(request.user, passkey_id, name))


@require_POST
@signed_in_from("profile")
@with_reauthentication
def passkey_remove(request: CustomerRequest, passkey_id: int) -> HttpResponse:
    return _change(request, gettext("Passkey removed"), lambda: passkeys.remove(request, request.user, passkey_id))


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
