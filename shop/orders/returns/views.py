"""Asking for a return, and the photos that came with it: the customer's own only."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from shop.accounts.pages import form_page
from shop.accounts.requests import CustomerRequest
from shop.backoffice.actors import customer_actor
from shop.errors import ShopError

from ..models import Order, OrderLine, ReturnPhoto
from .cancellation import cancel_units, may_cancel_units, refusal_words
from .forms import CancelItemsForm, ReturnForm
from .services import LEAKAGE, choices_of, is_liquid, request_return


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def return_line(request: CustomerRequest, number: str, pk: int) -> HttpResponse:
    """Return or replace: the form of one line."""
    order = get_object_or_404(request.user.orders.with_lines().with_returns(), number=number)
    line = next((line for line in order.lines.all() if line.pk == pk), None)
    choices = choices_of(line) if line else []
    if line is None or not choices:
        return _closed(request, order, line)
    form = ReturnForm(request.POST or None, request.FILES or None, line=line, choices=choices)
    if request.method == "POST" and form.is_valid():
        try:
            _ask(request, line, form)
        except ShopError as refusal:
            _explain(form, refusal)
        else:
            messages.success(request, gettext("We've received your request and will get back to you."))
            return redirect(reverse("order_detail", args=[order.number]) + "#returns")
    context = {
        "order": order,
        "line": line,
        "form": form,
        "choices": choices,
        "leakage": gettext(LEAKAGE) if is_liquid(line) else "",
        "lost_files": bool(request.FILES),
    }
    return render(request, "orders/returns/return.html", context, status=_status(form))


def _closed(request: CustomerRequest, order: Order, line: OrderLine | None) -> HttpResponse:
    """A line of another order is as missing as one that never was."""
    if line is None:
        raise Http404
    messages.warning(request, gettext("This item can no longer be returned."))
    return redirect(reverse("order_detail", args=[order.number]))


def _ask(request: CustomerRequest, line: OrderLine, form: ReturnForm) -> None:
    said = form.cleaned_data
    request_return(
        line,
        customer=request.user,
        kind=said["kind"],
        reason=said["reason"],
        quantity=said["quantity"],
        note=said["note"],
        pickup=said["pickup"],
        photos=said["photos"],
        after=said["seen"],
    )


def _status(form: ReturnForm) -> int:
    if form.has_error("photos", "busy"):
        return 503
    return 422 if form.errors else 200


def _explain(form: ReturnForm, refusal: ShopError) -> None:
    """Say a refusal where it belongs: at its field, a picture's at the photos."""
    if refusal.code in ("not_a_picture", "picture_too_large", "busy"):
        form.add_error("photos", ValidationError(refusal.message, refusal.code))
        return
    for name, words in refusal.fields.items():
        form.add_error(name if name in form.fields else None, words)
    if not refusal.fields:
        form.add_error(None, refusal.message)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def cancel_items(request: CustomerRequest, number: str) -> HttpResponse:
    """Units of single lines, while the order is placed and not yet packed."""
    order = get_object_or_404(request.user.orders.with_lines(), number=number)
    form = CancelItemsForm(request.POST or None, order=order)
    error = None
    if request.method == "POST" and form.is_valid():
        try:
            if cancel_units(order, form.totals(), actor=customer_actor(request.user.pk)):
                messages.success(request, gettext("Items cancelled"))
        except ShopError as refusal:
            error = refusal
        else:
            return redirect("order_detail", number)
    if not may_cancel_units(order):
        messages.warning(request, error.message if error else refusal_words(order))
        return redirect("order_detail", number)
    return form_page(request, "orders/returns/cancel_items.html", form, error, order=order)


@require_safe
@login_required
def return_photo(request: CustomerRequest, number: str, pk: int) -> FileResponse:
    own = ReturnPhoto.objects.filter(request__line__order__customer=request.user, request__line__order__number=number)
    return photo_answer(get_object_or_404(own, pk=pk))


def photo_answer(photo: ReturnPhoto) -> FileResponse:
    response = FileResponse(photo.file.open("rb"), content_type="image/jpeg", filename=f"return-{photo.pk}.jpg")
    response["Cache-Control"] = "private, no-store"
    return response
