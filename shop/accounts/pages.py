"""What the pages of a form share."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from shop.errors import ShopError, TooMany
from shop.markets.canonical import bare_path
from shop.markets.requests import MarketRequest

from .auth.forms import EMAIL, MOBILE, explain
from .sessions.session import kept_path


def signed_in_from(page: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Of a view that is posted to: send visitors to sign in, and from there to the page that its form stands on (this
    route, with the order `number` if the view has one), for the view's own address cannot be opened. HTMX leaves its
    page for it."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def checked(request: Any, **kwargs: Any) -> HttpResponse:
            if request.user.is_authenticated:
                return view(request, **kwargs)
            number = {name: value for name, value in kwargs.items() if name == "number"}
            answer = redirect_to_login(reverse(page, kwargs=number))
            return HttpResponseClientRedirect(answer["Location"]) if request.htmx else answer

        return checked

    return decorate


def by(request: MarketRequest) -> dict[str, str]:
    """What the toggle says, and the country that a number without country code is read in."""
    chosen = request.POST.get("by") or request.GET.get("by")
    return {
        "by": MOBILE if chosen == MOBILE else EMAIL,
        "country_code": request.market.country_code,
        "phone_code": request.market.phone_code,
    }


def frame(request: HttpRequest) -> dict[str, Any]:
    """The frame of a sign-in page: the checkout's own where somebody is on the way there."""
    is_checkout = bare_path(kept_path(request)).partition("?")[0] == bare_path(reverse("checkout"))
    return {"is_checkout": is_checkout, "frame": "checkout.html" if is_checkout else "private.html"}


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
