"""Tells each request where its shopper is: request.market."""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpResponse
from django.urls import get_script_prefix, set_script_prefix
from django.utils.functional import SimpleLazyObject

from shop.http.middleware import WITHOUT_SHOPPER

from .geography.detection import COUNTRY_COOKIE, locate
from .queries import MarketRegistry, default_market, market_registry
from .requests import MarketRequest

PREFIX = re.compile(r"/en-([a-z]{2})(/.*|)\Z", re.ASCII | re.DOTALL | re.IGNORECASE)
LITERAL = ("/admin/", "/api/", "/static/", "/media/", "/robots.txt", "/sitemap", "/feeds/")
DEFAULT_ONLY = (*LITERAL, *WITHOUT_SHOPPER)
CURRENCY_COOKIE = "currency"
COOKIE_SECONDS = 365 * 24 * 3600


class MarketMiddleware:
    """Takes the /en-cc/ prefix off the path and sets `request.market`.

    The prefix rules; without it the shopper's cookie, then detection, then the default decide.
    Once the location is known, links keep its prefix: reversing uses it as the script prefix, so
    that the route table itself is written without.
    """

    def __init__(self, get_response: Callable[[MarketRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: MarketRequest) -> HttpResponse:
        if request.path_info.startswith(DEFAULT_ONLY):
            return self._with_default(request)
        markets = market_registry()
        if not markets.locations:
            return self._with_default(request)
        self._locate(request, markets)
        outer = get_script_prefix()
        if request.market_source != "default":
            set_script_prefix(request.market.prefix)
        try:
            return self.get_response(request)
        finally:
            set_script_prefix(outer)

    def _with_default(self, request: MarketRequest) -> HttpResponse:
        """Read when something shows it, such as the page of an address that does not exist."""
        request.market_is_public = False
        request.market_source = "default"
        request.market = SimpleLazyObject(default_market)  # type: ignore[assignment]
        return self.get_response(request)

    def _locate(self, request: MarketRequest, markets: MarketRegistry) -> None:
        match = PREFIX.match(request.path_info)
        prefixed = markets.by_code.get(match[1].upper()) if match else None
        rest = (match[2] or "/") if match else ""
        if prefixed and not rest.startswith(LITERAL):
            request.path_info = rest
            location, source = prefixed, "prefix"
        else:
            location, source = locate(request, markets)
        # A currency picked by hand goes with the location it was picked for.
        picked_for, _, currency = request.COOKIES.get(CURRENCY_COOKIE, "").partition("-")
        request.market = markets.market(location, currency if picked_for == location.code else None)
        request.market_source = source
        request.market_is_public = source == "prefix" and request.market.in_home_currency


def remember_market(response: HttpResponse, *, country: str, currency: str | None) -> None:
    """Write the shopper's own choice; only the pickers call this."""
    _keep(response, COUNTRY_COOKIE, country)
    if currency:
        _keep(response, CURRENCY_COOKIE, f"{country}-{currency}")
    else:
        response.delete_cookie(CURRENCY_COOKIE)


def _keep(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS)
