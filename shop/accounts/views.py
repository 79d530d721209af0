from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from shop.errors import NotFound, ShopError, TooMany
from shop.markets.detection import client_address
from shop.markets.requests import MarketRequest
from shop.return_path import HOME, safe_path

from . import services
from .address_book import address_book
from .codes import RESEND_SECONDS
from .forms import (
    EMAIL,
    MOBILE,
    AddressChangeForm,
    AddressForm,
    CodeForm,
    SignInForm,
    SignUpForm,
    explain,
    new_address_form,
    typed_address,
)
from .points import lots_of, sum_of
from .requests import CustomerRequest
from .session import (
    address_draft,
    forget_address_draft,
    keep_address_draft,
    pending_sign_up,
    remember_path,
    remember_sign_up,
    sign_in,
    sign_out,
)

ENTRIES_A_PAGE = 20


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
    entries = list(request.user.points_entries.all())
    lots = lots_of(entries)
    context = {
        "balance": sum_of(lots),
        "next_end": next((lot for lot in lots if lot.entry), None),
        "entries": Paginator(entries[::-1], ENTRIES_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "accounts/profile.html", context)


@login_required
def address(request: CustomerRequest) -> HttpResponse:
    """The address book; a form posted here adds to it."""
    if request.method != "POST":
        draft = address_draft(request)
        form = new_address_form(request.user, country_code=request.market.country_code, draft=draft)
        return _address_page(request, form, is_open=bool(draft))
    form = AddressForm(request.POST, country_code=request.market.country_code)
    if not form.is_valid():
        return _address_page(request, form)
    try:
        services.add_address(
            request.user, request.market, form.address_fields(), is_default=form.cleaned_data["is_default"]
        )
    except ShopError as error:
        return _address_page(request, form, error)
    forget_address_draft(request)
    messages.success(request, "Address Added Successfully")
    return redirect("address")


@login_required
def address_edit(request: CustomerRequest, address_id: int) -> HttpResponse:
    """Change an address and return to the page whose link led here."""
    own = get_object_or_404(request.user.addresses.select_related("country"), pk=address_id)
    back = _back_to(request)
    form = AddressChangeForm(request.POST or None, address=own)
    if request.method != "POST" or not form.is_valid():
        return _form_page(request, "accounts/address_edit.html", form, own=own, back=back)
    try:
        services.update_address(request.user, own.pk, form.address_fields())
    except ShopError as error:
        return _form_page(request, "accounts/address_edit.html", form, error, own=own, back=back)
    messages.success(request, "Address Updated Successfully")
    return HttpResponseRedirect(back)


@require_POST
@login_required
def address_choose(request: CustomerRequest) -> HttpResponse:
    """The radio of an address makes it the default."""
    try:
        services.choose_address(request.user, _address_id(request))
    except NotFound as error:
        raise Http404 from error
    return _changed_book(request, "Address Updated Successfully")


@require_POST
@login_required
def address_delete(request: CustomerRequest, address_id: int) -> HttpResponse:
    own = get_object_or_404(request.user.addresses, pk=address_id)
    services.delete_address(request.user, own.pk)
    return _changed_book(request, "Address deleted successfully")


@require_POST
@login_required
def address_country(request: CustomerRequest) -> HttpResponse:
    """To the choice of countries; what was typed of an address waits for the return."""
    keep_address_draft(request, typed_address(request.POST))
    return redirect(f"{reverse('pick_country')}?{urlencode({'next': _back_to(request)})}")


def _changed_book(request: CustomerRequest, words: str) -> HttpResponse:
    """The list alone where a script asked for it, so that a half-filled form beside it stays."""
    if not request.htmx:
        messages.success(request, words)
        return redirect("address")
    response = render(request, "accounts/_addresses.html", {"book": address_book(request.user)})
    return trigger_client_event(response, "shop:toast", {"kind": "success", "message": words})


def _back_to(request: CustomerRequest) -> str:
    """The page of this site that a form or link names, else the address page."""
    path = safe_path(request.POST.get("next") or request.GET.get("next"))
    return path if path != HOME else reverse("address")


def _address_id(request: CustomerRequest) -> int:
    """The chosen radio; nonsense is an address that does not exist."""
    text = request.POST.get("address", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _by(request: MarketRequest) -> dict[str, str]:
    """What the toggle says, and the country that a number without country code is read in."""
    chosen = request.POST.get("by") or request.GET.get("by")
    return {
        "by": MOBILE if chosen == MOBILE else EMAIL,
        "country_code": request.market.country_code,
        "phone_code": request.market.phone_code,
    }


def _address_page(
    request: CustomerRequest, form: AddressForm, error: ShopError | None = None, *, is_open: bool = False
) -> HttpResponse:
    """The add form is open where somebody is at it, and where there is nothing else to do."""
    book = address_book(request.user)
    context = {
        "book": book,
        "can_add": len(book) < services.MOST_ADDRESSES,
        "is_open": is_open or form.is_bound or not book,
    }
    return _form_page(request, "accounts/address.html", form, error, **context)


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
