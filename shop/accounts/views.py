from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from shop.errors import ShopError, TooMany
from shop.markets.detection import client_address
from shop.markets.requests import MarketRequest

from . import services
from .codes import RESEND_SECONDS
from .forms import EMAIL, MOBILE, AddressChangeForm, AddressForm, CodeForm, SignInForm, SignUpForm, explain
from .requests import CustomerRequest
from .session import pending_sign_up, remember_path, remember_sign_up, sign_in, sign_out


@sensitive_post_parameters("password")
def signin(request: MarketRequest) -> HttpResponse:
    remember_path(request, request.GET.get("next"))
    if request.user.is_authenticated and request.method != "POST":
        return redirect(sign_in(request, request.user))
    form = SignInForm(request.POST or None, **_by(request))
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, "accounts/signin.html", form)
    try:
        customer = services.check_sign_in(
            email=form.cleaned_data.get(EMAIL, ""),
            mobile=form.cleaned_data.get(MOBILE, ""),
            password=form.cleaned_data["password"],
            country_code=form.country_code,
            client_address=client_address(request),
        )
    except ShopError as error:
        return _form_page(request, "accounts/signin.html", form, error)
    target = sign_in(request, customer)
    messages.success(request, "Login successful!")
    return redirect(target)


@sensitive_post_parameters("password", "password_again")
def signup(request: MarketRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None, **_by(request))
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, "accounts/signup.html", form)
    address = form.cleaned_data["canonical"]
    try:
        key = services.start_sign_up(
            name=form.cleaned_data["name"],
            address=address,
            password=form.cleaned_data["password"],
            client_address=client_address(request),
        )
    except ShopError as error:
        return _form_page(request, "accounts/signup.html", form, error)
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
        return _form_page(request, "accounts/otp.html", form, **context)
    try:
        customer = services.finish_sign_up(
            address=pending["address"], digits=form.cleaned_data["otp_code"], key=pending["key"]
        )
    except ShopError as error:
        return _form_page(request, "accounts/otp.html", form, error, **context)
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


@require_safe
@login_required
def profile(request: CustomerRequest) -> HttpResponse:
    return render(request, "accounts/profile.html")


@login_required
def address(request: CustomerRequest) -> HttpResponse:
    """The address book; a form posted here adds to it."""
    form = AddressForm(request.POST or None, country_code=request.market.country_code)
    if request.method != "POST" or not form.is_valid():
        return _address_page(request, form)
    try:
        services.add_address(
            request.user, request.market, form.address_fields(), is_default=form.cleaned_data["is_default"]
        )
    except ShopError as error:
        return _address_page(request, form, error)
    messages.success(request, "Address Added Successfully")
    return redirect("address")


@login_required
def address_edit(request: CustomerRequest, address_id: int) -> HttpResponse:
    own = get_object_or_404(request.user.addresses, pk=address_id)
    form = AddressChangeForm(request.POST or None, address=own)
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, "accounts/address_edit.html", form, own=own)
    try:
        services.update_address(request.user, own.pk, form.address_fields())
    except ShopError as error:
        return _form_page(request, "accounts/address_edit.html", form, error, own=own)
    messages.success(request, "Address Updated Successfully")
    return redirect("address")


@require_POST
@login_required
def address_choose(request: CustomerRequest, address_id: int) -> HttpResponse:
    own = get_object_or_404(request.user.addresses, pk=address_id)
    services.choose_address(request.user, own.pk)
    messages.success(request, "Address Updated Successfully")
    return redirect("address")


@require_POST
@login_required
def address_delete(request: CustomerRequest, address_id: int) -> HttpResponse:
    own = get_object_or_404(request.user.addresses, pk=address_id)
    services.delete_address(request.user, own.pk)
    messages.success(request, "Address deleted successfully")
    return redirect("address")


def _by(request: MarketRequest) -> dict[str, str]:
    """What the toggle says, and the country that a number without country code is read in."""
    chosen = request.POST.get("by") or request.GET.get("by")
    return {
        "by": MOBILE if chosen == MOBILE else EMAIL,
        "country_code": request.market.country_code,
        "phone_code": request.market.phone_code,
    }


def _address_page(request: CustomerRequest, form: AddressForm, error: ShopError | None = None) -> HttpResponse:
    own = list(request.user.addresses.default_first())
    can_add = len(own) < services.MOST_ADDRESSES
    return _form_page(request, "accounts/address.html", form, error, addresses=own, can_add=can_add)


def _form_page(
    request: HttpRequest, template: str, form: forms.Form, error: ShopError | None = None, **context: Any
) -> HttpResponse:
    """The page of a form: as asked for, or again with what was wrong."""
    if error:
        explain(form, error)
    status = error.status if error else 422 if form.errors else 200
    response = render(request, template, {"form": form, **context}, status=status)
    if isinstance(error, TooMany):
        response["Retry-After"] = str(error.retry_after)
    return response
