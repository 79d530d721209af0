"""The pages of the forgotten and of the changed password; calls share their addresses (shop/urls.py)."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from shop.errors import ShopError
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from ..auth.known_browsers import browser_of, browser_of_customer
from ..auth.login_attempts import count_own_attempt
from ..auth.services import sent_words
from ..models import Code
from ..otp.services import seconds_until_resend
from ..pages import by, form_page
from ..requests import CustomerRequest
from ..sessions.session import Pending, code_key, forget_code, pending_code, remember_code, sign_out
from . import services as passwords
from .forms import ChangePasswordForm, ForgotPasswordForm, ResetPasswordForm

RESET = Code.Purpose.RESET


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("new_password", "password_again")
def forgot_password(request: MarketRequest) -> HttpResponse:
    """Two steps at one address: whose password it is; with `?step=reset` the code and the new password."""
    pending = pending_code(request, RESET) if request.GET.get("step") == "reset" else None
    return _set_password(request, pending) if pending else _ask_for_code(request)


def _ask_for_code(request: MarketRequest) -> HttpResponse:
    form = ForgotPasswordForm(request.POST or None, **by(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/passwords/forgot_password.html", form)
    address = form.cleaned_data["canonical"]
    key = code_key(request, RESET, address)
    try:
        passwords.start_reset(
            address=address,
            client_address=client_address(request),
            browser=browser_of(request, address),
            key=key,
            puzzle=request.POST.get("puzzle", ""),
        )
    except ShopError as error:
        return form_page(request, "accounts/passwords/forgot_password.html", form, error)
    remember_code(request, RESET, address, key)
    messages.success(request, sent_words(address))
    return redirect(reverse("forgot_password", query={"step": "reset"}))


def _set_password(request: MarketRequest, pending: Pending) -> HttpResponse:
    address = pending["address"]
    browser = browser_of(request, address)
    form = ResetPasswordForm(request.POST or None)
    context: dict[str, Any] = {"pending": pending, "resend_seconds": seconds_until_resend(address, browser=browser)}
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/passwords/reset_password.html", form, **context)
    typed = form.cleaned_data
    try:
        passwords.finish_reset(
            address=address, digits=typed["otp_code"], password=typed["new_password"], key=pending["key"]
        )
    except ShopError as error:
        return form_page(request, "accounts/passwords/reset_password.html", form, error, **context)
    forget_code(request)
    messages.success(request, gettext("Password reset successful"))
    return HttpResponseClientRedirect(reverse("signin")) if request.htmx else redirect("signin")


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("current_password", "new_password", "password_again")
@login_required
def change_password(request: CustomerRequest) -> HttpResponse:
    """It ends every sign-in, this one too, and leads home."""
    form = ChangePasswordForm(request.POST or None)
    if request.method != "POST":
        return form_page(request, "accounts/passwords/change_password.html", form)
    try:
        if not form.is_valid():
            _count_password(request)
            return form_page(request, "accounts/passwords/change_password.html", form)
        typed = form.cleaned_data
        passwords.change_password(
            request.user,
            current=typed["current_password"],
            new=typed["new_password"],
            client_address=client_address(request),
            browser=browser_of_customer(request, request.user),
        )
    except ShopError as error:
        return form_page(request, "accounts/passwords/change_password.html", form, error)
    sign_out(request)
    messages.success(request, gettext("Password changed. Please sign in with the new one."))
    return redirect("home")


def _count_password(request: CustomerRequest) -> None:
    """Whatever else is wrong with a form, a password that came with it is a try; raises TooMany."""
    if request.POST.get("current_password"):
        browser = browser_of_customer(request, request.user)
        count_own_attempt(request.user, client_address=client_address(request), browser=browser)
