"""The pages of the address book."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from shop.errors import NotFound, ShopError
from shop.http.redirects import HOME, safe_path

from ..auth import services
from ..auth.forms import AddressChangeForm, AddressForm, new_address_form, typed_address
from ..pages import form_page, signed_in_from
from ..requests import CustomerRequest
from ..sessions.session import (
    address_draft,
    forget_address_draft,
    has_deleted_address,
    keep_address_draft,
    remember_deleted_address,
)
from .address_book import address_book


@require_http_methods(["GET", "HEAD", "POST"])
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
    messages.success(request, gettext("Address Added Successfully"))
    return redirect("address")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def address_edit(request: CustomerRequest, address_id: int) -> HttpResponse:
    """Change an address and return to the page whose link led here."""
    own = get_object_or_404(request.user.addresses.select_related("country"), pk=address_id)
    back = _back_to(request)
    form = AddressChangeForm(request.POST or None, address=own)
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "accounts/addresses/address_edit.html", form, own=own, back=back)
    try:
        services.update_address(request.user, own.pk, form.address_fields())
    except ShopError as error:
        return form_page(request, "accounts/addresses/address_edit.html", form, error, own=own, back=back)
    messages.success(request, gettext("Address Updated Successfully"))
    return HttpResponseRedirect(back)


@require_POST
@signed_in_from("address")
def address_choose(request: CustomerRequest) -> HttpResponse:
    """The radio of an address makes it the default."""
    try:
        services.choose_address(request.user, _address_id(request))
    except NotFound as error:
        raise Http404 from error
    return _changed_book(request, gettext("Address Updated Successfully"))


@require_POST
@signed_in_from("address")
def address_delete(request: CustomerRequest, address_id: int) -> HttpResponse:
    """Delete an own address; once more, as by a second press, is as good as done."""
    try:
        services.delete_address(request.user, address_id)
    except NotFound as error:
        if not has_deleted_address(request, address_id):
            raise Http404 from error
    remember_deleted_address(request, address_id)
    return _changed_book(request, gettext("Address deleted successfully"))


@require_POST
@signed_in_from("address")
def address_country(request: CustomerRequest) -> HttpResponse:
    """To the choice of countries; what was typed of an address waits for the return."""
    keep_address_draft(request, typed_address(request.POST))
    return redirect(f"{reverse('pick_country')}?{urlencode({'next': _back_to(request)})}")


def _changed_book(request: CustomerRequest, words: str) -> HttpResponse:
    """The list alone where a script asked for it, so that a half-filled form beside it stays."""
    if not request.htmx:
        messages.success(request, words)
        return redirect("address")
    response = render(request, "accounts/addresses/_addresses.html", {"book": address_book(request.user)})
    return trigger_client_event(response, "shop:toast", {"kind": "success", "message": words})


def _back_to(request: CustomerRequest) -> str:
    """The page of this site that a form or link names, else the address page."""
    path = safe_path(request.POST.get("next") or request.GET.get("next"))
    return path if path != HOME else reverse("address")


def _address_id(request: CustomerRequest) -> int:
    """The chosen radio; nonsense is an address that does not exist."""
    text = request.POST.get("address", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _address_page(
    request: CustomerRequest, form: AddressForm, error: ShopError | None = None, *, is_open: bool = False
) -> HttpResponse:
    """The add form is open where somebody is at it, and where there is nothing else to do."""
    book = address_book(request.user)
    context = {
        "book": book,
        "can_add": len(book) < services.MAX_ADDRESSES,
        "is_open": is_open or form.is_bound or not book,
    }
    return form_page(request, "accounts/addresses/address.html", form, error, **context)
