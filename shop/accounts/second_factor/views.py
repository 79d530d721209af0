"""The second factor of staff: showing it, and setting it up."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from shop.errors import ShopError
from shop.http.redirects import HOME, safe_path

from ..auth.forms import AppCodeForm, RecoveryCodeForm
from ..auth.reauthentication import record_reauthentication
from ..auth.reauthentication_views import with_reauthentication
from ..pages import form_page
from ..requests import CustomerRequest
from ..sessions.session import LAST_PATH, remember_path
from .services import (
    SecondFactorNeeded,
    factors_of,
    has_shown_factor,
    make_recovery_codes,
    new_app,
    recovery_codes_left,
    require_step_up,
    set_up_app,
    show_code,
    use_recovery_code,
)

STAFF_HOME = "/admin/"  # it has no market's prefix
CODES = "accounts/second_factor/recovery_codes.html"
SHOW, SET_UP = "accounts/second_factor/second_factor.html", "accounts/second_factor/second_factor_set_up.html"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def second_factor(request: CustomerRequest) -> HttpResponse:
    _require_staff(request)
    remember_path(request, request.GET.get("next"))
    if has_shown_factor(request):
        return redirect(_way_on(request))
    kinds = set(factors_of(request.user).values_list("type", flat=True))
    if not kinds:
        return redirect("second_factor_set_up")
    is_recovery = "recovery_code" in request.POST
    form = AppCodeForm(request.POST if request.method == "POST" and not is_recovery else None)
    recovery = RecoveryCodeForm(request.POST if is_recovery else None)
    context: dict[str, Any] = {
        "has_app": Authenticator.Type.TOTP in kinds,
        "has_passkey": Authenticator.Type.WEBAUTHN in kinds,
        "recovery": recovery,
        "codes_left": recovery_codes_left(request.user),
        "is_recovery": is_recovery,
    }
    sent = recovery if is_recovery else form
    if request.method != "POST" or not sent.is_valid():
        return form_page(request, SHOW, form, **context)
    try:
        if is_recovery:
            use_recovery_code(request, recovery.cleaned_data["recovery_code"])
        else:
            show_code(request, form.cleaned_data["otp_code"])
    except ShopError as error:
        if is_recovery:
            recovery.add_error("recovery_code", error.message)
            response = form_page(request, SHOW, form, **context)
            response.status_code = error.status
            return response
        return form_page(request, SHOW, form, error, **context)
    target = _way_on(request)
    record_reauthentication(request.user, target, "recovery code" if is_recovery else "second factor")
    return redirect("second_factor_set_up" if is_recovery else target)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@with_reauthentication
def recovery_codes(request: CustomerRequest) -> HttpResponse:
    """How many are left; a POST makes new ones and shows them, once."""
    _require_staff(request)
    try:
        require_step_up(request)
        codes = make_recovery_codes(request) if request.method == "POST" else []
    except SecondFactorNeeded:
        return redirect(f"{reverse('second_factor')}?next={reverse('recovery_codes')}")
    context = {"codes": codes, "left": recovery_codes_left(request.user), "way_on": STAFF_HOME}
    return render(request, CODES, context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@with_reauthentication
def second_factor_set_up(request: CustomerRequest) -> HttpResponse:
    _require_staff(request)
    try:
        require_step_up(request)
    except SecondFactorNeeded:
        return redirect(f"{reverse('second_factor')}?next={reverse('second_factor_set_up')}")
    app = new_app(request)
    form = AppCodeForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return form_page(request, SET_UP, form, app=app)
    try:
        set_up_app(request, form.cleaned_data["otp_code"])
    except ShopError as error:
        return form_page(request, SET_UP, form, error, app=app)
    messages.success(request, gettext("Two-step verification is on."))
    if not recovery_codes_left(request.user):
        return redirect("recovery_codes")
    return redirect(_way_on(request))


def _require_staff(request: CustomerRequest) -> None:
    if not request.user.is_staff:
        raise Http404


def _way_on(request: CustomerRequest) -> str:
    path = safe_path(request.session.pop(LAST_PATH, None))
    return path if path != HOME else STAFF_HOME
