"""The ways in, and the way out."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from shop.errors import ShopError
from shop.markets.detection import client_address
from shop.markets.requests import MarketRequest

from . import services
from .codes import RESEND_SECONDS
from .forms import EMAIL, MOBILE, CodeForm, SignInForm, SignUpForm
from .pages import by, form_page
from .session import pending_sign_up, remember_path, remember_sign_up, sign_in, sign_out


@sensitive_post_parameters("password")
def signin(request: MarketRequest) -> HttpResponse:
    remember_path(request, request.GET.get("next"))
    if request.user.is_authenticated and request.method != "POST":
        return redirect(sign_in(request, request.user))
    form = SignInForm(request.POST or None, **by(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/signin.html", form)
    try:
        customer = services.check_sign_in(
            email=form.cleaned_data.get(EMAIL, ""),
            mobile=form.cleaned_data.get(MOBILE, ""),
            password=form.cleaned_data["password"],
            country_code=form.country_code,
            client_address=client_address(request),
        )
    except ShopError as error:
        return form_page(request, "accounts/signin.html", form, error)
    target = sign_in(request, customer)
    messages.success(request, "Login successful!")
    return redirect(target)


@sensitive_post_parameters("password", "password_again")
def signup(request: MarketRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None, **by(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/signup.html", form)
    address = form.cleaned_data["canonical"]
    try:
        key = services.start_sign_up(
            name=form.cleaned_data["name"],
            address=address,
            password=form.cleaned_data["password"],
            client_address=client_address(request),
        )
    except ShopError as error:
        return form_page(request, "accounts/signup.html", form, error)
    remember_sign_up(request, address=address, key=key)
    messages.success(request, services.sent_words(address))
    return redirect("otp")


def otp(request: HttpRequest) -> HttpResponse:
    pending = pending_sign_up(request)
    if pending is None:
        return render(request, "accounts/otp.html", {"form": None})
    form = CodeForm(request.POST or None)
    context: dict[str, Any] = {"address": pending["address"], "resend_seconds": RESEND_SECONDS}
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/otp.html", form, **context)
    try:
        customer = services.finish_sign_up(
            address=pending["address"], digits=form.cleaned_data["otp_code"], key=pending["key"]
        )
    except ShopError as error:
        return form_page(request, "accounts/otp.html", form, error, **context)
    target = sign_in(request, customer)
    messages.success(request, "Login Successful!")
    return redirect(target)


@require_POST
def resend_otp(request: HttpRequest) -> HttpResponse:
    if pending := pending_sign_up(request):
        try:
            services.resend_sign_up_code(**pending, client_address=client_address(request))
            messages.success(request, "OTP sent successfully")
        except ShopError as error:
            messages.error(request, error.message)
    return redirect("otp")


@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    sign_out(request)
    return redirect("home")
