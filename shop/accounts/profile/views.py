"""What customers see of their own account."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from shop.errors import NotFound, ShopError
from shop.markets.geography.detection import client_address

from ..auth.forms import CodeForm
from ..auth.known_browsers import browser_of_customer
from ..auth.reauthentication import own_address, require_reauthentication
from ..auth.reauthentication_views import typed_before, with_reauthentication
from ..auth.services import sent_words
from ..auth.tokens import revoke_token, tokens_of
from ..pages import by, form_page, signed_in_from
from ..points.services import RUPEES_A_POINT, lots_of, sum_of
from ..privacy import account_deletion
from ..privacy.personal_data import data_of
from ..requests import CustomerRequest
from ..sessions.revocation import end_sign_ins
from ..sessions.session import sign_out
from ..sessions.sign_ins import end_sign_in, sign_ins_of
from .forms import DetailsForm, NewAddressForm, ReauthenticationForm
from .services import change_name, choose_newsletter, finish_address_change, start_address_change, wants_newsletter

NEW_ADDRESS = "new_address"  # in the session: waits for its code
ENTRIES_A_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def profile(request: CustomerRequest) -> HttpResponse:
    """All of the account; a form posted here changes the name, and whether news about offers may come."""
    if request.method != "POST":
        known = {"name": request.user.name, "marketing": wants_newsletter(request.user)}
        return _profile_page(request, DetailsForm(initial=known))
    form = DetailsForm(request.POST)
    if not form.is_valid():
        return _profile_page(request, form)
    try:
        change_name(request.user, form.cleaned_data["name"])
        choose_newsletter(request.user, subscribed=form.cleaned_data["marketing"])
    except ShopError as error:
        return _profile_page(request, form, error)
    messages.success(request, gettext("Profile updated"))
    return redirect("profile")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@with_reauthentication
def address_change(request: CustomerRequest) -> HttpResponse:
    """A new e-mail or mobile to sign in with: who asks has proven it, and the address gets a code."""
    form = NewAddressForm(request.POST or None, initial=typed_before(request), **by(request))
    require_reauthentication(request, back=f"{request.path}?by={form.by}")
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/profile/contact_point.html", form)
    address = form.cleaned_data["canonical"]
    try:
        start_address_change(request.user, address=address, client_address=client_address(request))
    except ShopError as error:
        return form_page(request, "accounts/profile/contact_point.html", form, error)
    request.session[NEW_ADDRESS] = address
    messages.success(request, sent_words(address))
    return redirect("address_confirm")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@with_reauthentication
def address_confirm(request: CustomerRequest) -> HttpResponse:
    """The code that was sent to the new address."""
    address = request.session.get(NEW_ADDRESS)
    if not address:
        return redirect("profile")
    form = CodeForm(request.POST or None, initial=typed_before(request))
    require_reauthentication(request)
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/profile/contact_point_confirm.html", form, address=address)
    try:
        finish_address_change(request.user, address=address, digits=form.cleaned_data["otp_code"])
    except ShopError as error:
        return form_page(request, "accounts/profile/contact_point_confirm.html", form, error, address=address)
    del request.session[NEW_ADDRESS]
    changed = gettext("Your email was changed") if "@" in address else gettext("Your mobile number was changed")
    messages.success(request, changed)
    return redirect("profile")


@require_POST
@signed_in_from("profile")
def sign_in_end(request: CustomerRequest, sign_in_id: int) -> HttpResponse:
    try:
        end_sign_in(request.user, sign_in_id)
    except NotFound as error:
        raise Http404 from error
    return _changed_sign_ins(request, gettext("Signed out of that browser"))


@require_POST
@signed_in_from("profile")
def sign_ins_end_others(request: CustomerRequest) -> HttpResponse:
    """Every other browser, and every program."""
    end_sign_ins(request.user, keep_session=request.session.session_key or "")
    return _changed_sign_ins(request, gettext("Signed out everywhere else"))


@require_POST
@signed_in_from("profile")
def token_revoke(request: CustomerRequest, token_id: int) -> HttpResponse:
    try:
        revoke_token(request.user, token_id)
    except NotFound as error:
        raise Http404 from error
    return _changed_sign_ins(request, gettext("App access revoked"))


@require_safe
@login_required
def download(request: CustomerRequest) -> HttpResponse:
    response = JsonResponse(data_of(request.user), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@sensitive_post_parameters("password")
def delete_account(request: CustomerRequest) -> HttpResponse:
    form = ReauthenticationForm(request.POST or None, customer=request.user)
    context: dict[str, Any] = {"own_address": own_address(request.user), "here": request.path}
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/privacy/delete_account.html", form, **context)
    try:
        account_deletion.delete_account(
            request.user,
            client_address=client_address(request),
            browser=browser_of_customer(request, request.user),
            **form.credentials,
        )
    except ShopError as error:
        return form_page(request, "accounts/privacy/delete_account.html", form, error, **context)
    sign_out(request)
    messages.success(request, gettext("Your account has been deleted"))
    return redirect("home")


def _profile_page(request: CustomerRequest, form: DetailsForm, error: ShopError | None = None) -> HttpResponse:
    context = _points_of(request) | _sign_ins_of(request)
    return form_page(request, "accounts/profile/profile.html", form, error, **context)


def _changed_sign_ins(request: CustomerRequest, words: str) -> HttpResponse:
    messages.success(request, words)
    return HttpResponseRedirect(reverse("profile") + "#sign-ins")


def _points_of(request: CustomerRequest) -> dict[str, Any]:
    entries = list(request.user.points_entries.all())
    lots = lots_of(entries)
    return {
        "balance": sum_of(lots),
        "rupees_a_point": RUPEES_A_POINT,
        "next_end": next((lot for lot in lots if lot.entry), None),
        "entries": Paginator(entries[::-1], ENTRIES_A_PAGE).get_page(request.GET.get("page")),
    }


def _sign_ins_of(request: CustomerRequest) -> dict[str, Any]:
    sign_ins, tokens = sign_ins_of(request.user, here=request.session.session_key), tokens_of(request.user)
    return {
        "sign_ins": sign_ins,
        "tokens": tokens,
        "is_elsewhere": bool(tokens) or not all(sign_in.is_here for sign_in in sign_ins),
    }
