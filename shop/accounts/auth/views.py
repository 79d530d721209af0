"""The ways in, and the way out."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from shop.errors import ShopError
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from ..models import Code, Customer
from ..otp.services import seconds_until_resend, why_closed
from ..otp.sign_in import finish_code_sign_in, send_sign_in_code
from ..pages import by, form_page, frame
from ..passwords.services import start_reset
from ..sessions.session import (
    Pending,
    code_key,
    forget_path,
    kept_path,
    pending_code,
    remember_code,
    remember_path,
    remember_sign_up,
    sign_in,
    sign_out,
)
from . import services
from .forms import EMAIL, MOBILE, CodeForm, ContactForm, ReachForm, SignInForm, SignUpForm
from .known_browsers import browser_of

SIGN_UP, SIGN_IN, RESET = Code.Purpose.SIGN_UP, Code.Purpose.SIGN_IN, Code.Purpose.RESET


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def signin(request: MarketRequest) -> HttpResponse:
    remember_path(request, request.GET.get("next"))
    if request.user.is_authenticated and request.method != "POST":
        target = kept_path(request)
        forget_path(request)
        return redirect(target)
    around = frame(request)
    if around["is_checkout"] and request.method != "POST" and "by" not in request.GET:
        return form_page(request, "accounts/auth/reach.html", _contact_form(request), **around)
    if "contact" in request.POST:  # a password after all: what was typed comes along
        return form_page(request, "accounts/auth/signin.html", _password_form(request), **around)
    form = SignInForm(request.POST or None, **by(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/auth/signin.html", form, **around)
    try:
        customer = services.check_sign_in(
            email=form.cleaned_data.get(EMAIL, ""),
            mobile=form.cleaned_data.get(MOBILE, ""),
            password=form.cleaned_data["password"],
            country_code=form.country_code,
            client_address=client_address(request),
            browser=partial(browser_of, request),
            puzzle=request.POST.get("puzzle", ""),
        )
    except ShopError as error:
        return form_page(request, "accounts/auth/signin.html", form, error, **around)
    target = sign_in(request, customer)
    messages.success(request, gettext("Login successful!"))
    return redirect(target)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password", "password_again")
def signup(request: MarketRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None, **by(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/auth/signup.html", form)
    address = form.cleaned_data["canonical"]
    try:
        key = services.start_sign_up(
            name=form.cleaned_data["name"],
            address=address,
            password=form.cleaned_data["password"],
            client_address=client_address(request),
            wants_newsletter=form.cleaned_data["marketing"],
            puzzle=request.POST.get("puzzle", ""),
        )
    except ShopError as error:
        return form_page(request, "accounts/auth/signup.html", form, error)
    remember_sign_up(request, address=address, key=key)
    messages.success(request, services.sent_words(address))
    return redirect("otp")


@require_http_methods(["GET", "HEAD", "POST"])
def signin_code(request: MarketRequest) -> HttpResponse:
    """Ask for a code to sign in with; whoever has no account gets one with it. At the checkout one field takes
    mobile number and email."""
    is_one_field = "contact" in request.POST
    template = "accounts/auth/reach.html" if is_one_field else "accounts/auth/signin_code.html"
    around = frame(request)
    form = _contact_form(request) if is_one_field else ReachForm(request.POST or None, **by(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, template, form, **around)
    address = form.cleaned_data["canonical"]
    key = code_key(request, SIGN_IN, address)
    try:
        send_sign_in_code(
            address=address,
            client_address=client_address(request),
            browser=browser_of(request, address),
            key=key,
            puzzle=request.POST.get("puzzle", ""),
        )
    except ShopError as error:
        return form_page(request, template, form, error, **around)
    remember_code(request, SIGN_IN, address, key)
    messages.success(request, services.sent_words(address))
    return redirect("otp")


@require_http_methods(["GET", "HEAD", "POST"])
def otp(request: HttpRequest) -> HttpResponse:
    """The code that opens an account or signs in."""
    pending = pending_code(request, SIGN_UP, SIGN_IN)
    context: dict[str, Any] = frame(request)
    if pending is None:
        return render(request, "accounts/auth/otp.html", {"form": None} | context)
    form = CodeForm(request.POST or None)
    context |= {
        "pending": pending,
        "resend_seconds": _seconds_until_resend(request, pending),
        "closed": lambda: why_closed(purpose=pending["purpose"], address=pending["address"], key=pending["key"]),
    }
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/auth/otp.html", form, **context)
    try:
        customer = _let_in(pending, form.cleaned_data["otp_code"])
    except ShopError as error:
        return form_page(request, "accounts/auth/otp.html", form, error, **context)
    target = sign_in(request, customer)
    messages.success(request, gettext("Login Successful!"))
    return redirect(target)


@require_POST
def resend_otp(request: HttpRequest) -> HttpResponse:
    """Another code to the address that waits for one."""
    pending = pending_code(request, SIGN_UP, SIGN_IN, RESET)
    if pending:
        try:
            _send_again(request, pending)
            messages.success(request, gettext("OTP sent successfully"))
        except ShopError as error:
            messages.error(request, error.message)
    is_reset = pending is not None and pending["purpose"] == RESET
    return redirect(reverse("forgot_password", query={"step": "reset"}) if is_reset else "otp")


def _contact_form(request: MarketRequest) -> ContactForm:
    """With the address that waits for its code already, for whoever comes back to change it."""
    pending = pending_code(request, SIGN_IN)
    around = by(request)
    return ContactForm(
        request.POST or None,
        initial={"contact": pending["address"] if pending else ""},
        country_code=around["country_code"],
        phone_code=around["phone_code"],
    )


def _password_form(request: MarketRequest) -> SignInForm:
    typed = request.POST["contact"].strip()
    way = MOBILE if typed and "@" not in typed else EMAIL
    return SignInForm(initial={way: typed}, **by(request) | {"by": way})


def _let_in(pending: Pending, digits: str) -> Customer:
    finish = services.finish_sign_up if pending["purpose"] == SIGN_UP else finish_code_sign_in
    return finish(address=pending["address"], digits=digits, key=pending["key"])


def _send_again(request: HttpRequest, pending: Pending) -> None:
    address, key, client = pending["address"], pending["key"], client_address(request)
    if pending["purpose"] == SIGN_UP:
        services.resend_sign_up_code(address=address, key=key, client_address=client)
    else:
        send = start_reset if pending["purpose"] == RESET else send_sign_in_code
        send(address=address, client_address=client, browser=browser_of(request, address), key=key)


def _seconds_until_resend(request: HttpRequest, pending: Pending) -> int:
    """A sign-up has no customer yet whose browser this could be."""
    address = pending["address"]
    browser = "" if pending["purpose"] == SIGN_UP else browser_of(request, address)
    return seconds_until_resend(address, browser=browser)


@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    sign_out(request)
    return redirect("home")
