"""What the pages of a form share."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from shop.errors import ShopError, TooMany
from shop.markets.requests import MarketRequest

from .auth.forms import EMAIL, MOBILE, explain


def by(request: MarketRequest) -> dict[str, str]:
    """What the toggle says, and the country that a number without country code is read in."""
    chosen = request.POST.get("by") or request.GET.get("by")
    return {
        "by": MOBILE if chosen == MOBILE else EMAIL,
        "country_code": request.market.country_code,
        "phone_code": request.market.phone_code,
    }


def form_page(
    request: HttpRequest, template: str, form: forms.Form, error: ShopError | None = None, **context: Any
) -> HttpResponse:
    """The page of a form: as asked for, or again with what was wrong."""
    if error:
        explain(form, error)
    status = error.status if error else 422 if form.errors else 200
    puzzle = error.extra.get("puzzle") if error else None
    response = render(request, template, {"form": form, "puzzle": puzzle, **context}, status=status)
    if isinstance(error, TooMany):
        response["Retry-After"] = str(error.retry_after)
    return response
