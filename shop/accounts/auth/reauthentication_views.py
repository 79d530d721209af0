"""Where a customer confirms who it is before a change that opens the account, and comes back from."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from shop.errors import ShopError
from shop.http.redirects import HOME, safe_path
from shop.markets.geography.detection import client_address

from ..otp.services import spend_code
from ..pages import form_page
from ..passkeys.services import passkeys_of
from ..profile.forms import ReauthenticationForm
from ..requests import CustomerRequest
from ..sessions.session import forget_path, kept_path, remember_path
from .known_browsers import browser_of_customer
from .reauthentication import (
    ReauthenticationNeeded,
    check_reauthentication,
    own_address,
    record_reauthentication,
    remember_reauthentication,
    send_reauthentication_code,
)
from .services import sent_words

TYPED = "typed_before_proof"
BY_MOBILE = "proof_by_mobile"  # in the session: the code that is waited for went to the mobile
SECRET = ("csrfmiddlewaretoken", "password", "password_again", "new_password", "current_password")


def with_reauthentication(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect to reauthentication where a view needs it, and keep what was typed (typed_before)."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except ReauthenticationNeeded as needed:
            return ask_to_reauthenticate(request, needed)

    return guarded


def ask_to_reauthenticate(request: HttpRequest, needed: ReauthenticationNeeded) -> HttpResponse:
    if request.method == "POST":
        sent = request.POST.copy()
        for name in SECRET:
            sent.pop(name, None)
        request.session[TYPED] = {"path": request.path, "sent": sent.urlencode()}
    back = needed.back or request.get_full_path()
    return redirect(f"{reverse('proof')}?{urlencode({'next': back})}")


def typed_before(request: HttpRequest) -> dict[str, Any] | None:
    """What was typed into the form of this page before reauthentication, once; of several values the last."""
    sent = sent_before(request)
    return None if sent is None else sent.dict()


def sent_before(request: HttpRequest) -> QueryDict | None:
    """The same with all of its values, as it was sent."""
    if request.session.get(TYPED, {}).get("path") != request.path:
        return None
    return QueryDict(request.session.pop(TYPED).get("sent", ""))


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
@login_required
def reauthenticate(request: CustomerRequest) -> HttpResponse:
    """The password or, with `?way=code`, a code; a passkey signs in anew, which counts too."""
    remember_path(request, request.GET.get("next"))
    customer, by_mobile = request.user, bool(request.session.get(BY_MOBILE))
    form = ReauthenticationForm(request.POST or None, customer=customer, by_code=request.GET.get("way") == "code")
    context: dict[str, Any] = {
        "sent_to": own_address(customer, by_mobile=by_mobile) if BY_MOBILE in request.session else "",
        "has_passkey": passkeys_of(customer).exists(),
    }
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/auth/reauthentication.html", form, **context)
    try:
        code = check_reauthentication(
            customer,
            client_address=client_address(request),
            browser=browser_of_customer(request, customer),
            by_mobile=by_mobile,
            **form.credentials,
        )
        if code:
            spend_code(code)
    except ShopError as error:
        return form_page(request, "accounts/auth/reauthentication.html", form, error, **context)
    return _go_on(request, "code" if code else "password")


def _go_on(request: CustomerRequest, way: str) -> HttpResponse:
    target = kept_path(request)
    target = target if target != reverse("home") else reverse("profile")
    remember_reauthentication(request)
    record_reauthentication(request.user, target, way)
    request.session.pop(BY_MOBILE, None)
    forget_path(request)
    return redirect(target)


@require_POST
@login_required
def own_code(request: CustomerRequest) -> HttpResponse:
    """Send the code that stands for the password, and return to the form that asks."""
    by_mobile = request.POST.get("to") == "mobile"
    try:
        address = send_reauthentication_code(
            request.user,
            client_address=client_address(request),
            browser=browser_of_customer(request, request.user),
            by_mobile=by_mobile,
        )
        request.session[BY_MOBILE] = by_mobile
        messages.success(request, sent_words(address))
    except ShopError as error:
        messages.error(request, error.message)
    back = safe_path(request.POST.get("next"))
    return redirect(back if back != HOME else "profile")
