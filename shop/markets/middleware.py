"""Tells each request where its shopper is and in which language it is answered: request.market."""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import get_script_prefix, set_script_prefix
from django.utils import translation
from django.utils.encoding import iri_to_uri
from django.utils.functional import SimpleLazyObject

from shop.http.api import parse_json
from shop.http.middleware import WITHOUT_SHOPPER, canonical_path, is_api

from .geography.detection import COUNTRY_COOKIE, accepted_languages, country_of_cdn, locate
from .market import prefix_of
from .queries import ENGLISH, MarketRegistry, default_market, market_registry, offered_language
from .requests import MarketRequest

PREFIX = re.compile(
    r"/(?P<language>[a-z]{2,3})-(?P<country>[a-z]{2})(?P<rest>/.*|)\Z", re.ASCII | re.DOTALL | re.IGNORECASE
)
LITERAL = ("/admin/", "/api/", "/static/", "/media/", "/robots.txt", "/sitemap", "/feeds/")
DEFAULT_ONLY = (*LITERAL, *WITHOUT_SHOPPER)
CURRENCY_COOKIE = "currency"
LANGUAGE_COOKIE = "language"
COOKIE_SECONDS = 365 * 24 * 3600


def match_prefix(path: str) -> re.Match[str] | None:
    """The language, country and rest of a path that begins with the prefix of a market, in any spelling."""
    match = PREFIX.match(path)
    return match if match and match["language"].lower() in settings.SHOP_LANGUAGES else None


class MarketMiddleware:
    """Takes the /en-cc/ prefix off the path, sets `request.market` and activates its language; in the back office
    that of the member of staff.

    The prefix rules; without it the shopper's cookies, then detection, then the default decide. A language is
    never guessed: without prefix and cookie it is English. Once the location is known, links keep its prefix:
    reversing uses it as the script prefix, so that the route table itself is written without.
    """

    def __init__(self, get_response: Callable[[MarketRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: MarketRequest) -> HttpResponse:
        if request.path_info.startswith(DEFAULT_ONLY):
            return self._with_default(request)
        markets = market_registry()
        if not markets.locations:
            return self._with_default(request)
        if redirect := _in_offered_language(request, markets):
            return redirect
        self._locate(request, markets)
        outer = get_script_prefix()
        if request.market_source != "default":
            set_script_prefix(request.market.prefix)
        try:
            with translation.override(request.market.language):
                return self.get_response(request)
        finally:
            set_script_prefix(outer)

    def _with_default(self, request: MarketRequest) -> HttpResponse:
        """Read when something shows it, such as the page of an address that does not exist."""
        request.market_is_public = False
        request.market_source = "default"
        language = _language_of_staff(request)  # what refuses them a page says in which one it is
        request.market = SimpleLazyObject(lambda: default_market().in_language(language))  # type: ignore[assignment]
        with translation.override(language):
            return self.get_response(request)

    def process_view(
        self, request: MarketRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Answer a call in its own language: `__call__` restores the one from before."""
        if len(settings.SHOP_LANGUAGES) > 1 and is_api(request):
            language = _language_of_call(request)
            market = request.market
            request.market = SimpleLazyObject(lambda: market.in_language(language))  # type: ignore[assignment]
            translation.activate(language)

    def _locate(self, request: MarketRequest, markets: MarketRegistry) -> None:
        match = match_prefix(request.path_info)
        prefixed = markets.by_code.get(match["country"].upper()) if match else None
        rest = (match["rest"] or "/") if match else ""
        if match and prefixed and not rest.startswith(LITERAL):
            request.path_info = rest
            location, source, language = prefixed, "prefix", match["language"].lower()
        else:
            location, source = locate(request, markets)
            language = request.COOKIES.get(LANGUAGE_COOKIE, ENGLISH)
        # A currency picked by hand goes with the location it was picked for.
        picked_for, _, currency = request.COOKIES.get(CURRENCY_COOKIE, "").partition("-")
        request.market = markets.market(location, currency if picked_for == location.code else None, language)
        request.market_source = source
        is_shared = source == "prefix" or _depends_on_country_alone(request)
        request.market_is_public = is_shared and request.market.in_home_currency


def _depends_on_country_alone(request: HttpRequest) -> bool:
    """Whether a CDN may show the same page, of an address without prefix, to everybody from a country that it names."""
    if not settings.CDN or country_of_cdn(request) is None:
        return False
    return not {COUNTRY_COOKIE, CURRENCY_COOKIE, LANGUAGE_COOKIE} & request.COOKIES.keys()


def remember_market(response: HttpResponse, *, country: str, currency: str | None) -> None:
    """Write the shopper's own choice; only the pickers call this."""
    _keep(response, COUNTRY_COOKIE, country)
    if currency:
        _keep(response, CURRENCY_COOKIE, f"{country}-{currency}")
    else:
        response.delete_cookie(CURRENCY_COOKIE)


def remember_language(response: HttpResponse, language: str) -> None:
    """Write the shopper's own choice; only the picker calls this."""
    _keep(response, LANGUAGE_COOKIE, language)


def _in_offered_language(request: MarketRequest, markets: MarketRegistry) -> HttpResponse | None:
    """From a language that the location does not offer to one that it does: for now, since staff may switch it on."""
    match = PREFIX.match(request.path_info)
    location = markets.by_code.get(match["country"].upper()) if match else None
    if not match or not location or match["language"].lower() not in LANG_INFO:
        return None
    language = offered_language(location, match["language"].lower())
    if language == match["language"].lower():
        return None
    target = prefix_of(language, location.code) + canonical_path(match["rest"] or "/").lstrip("/")
    query = request.META.get("QUERY_STRING", "")
    keeps_form = request.method not in ("GET", "HEAD")
    return HttpResponseRedirect(iri_to_uri(target) + (f"?{query}" if query else ""), preserve_request=keeps_form)


def _language_of_call(request: MarketRequest) -> str:
    """What its `language` says, in the query or the posted JSON body, else its Accept-Language header, else English."""
    wanted = [request.GET.get("language", ""), _language_of_body(request)]
    wanted += accepted_languages(request)
    return next((code for code in wanted if code in settings.SHOP_LANGUAGES), ENGLISH)


def _language_of_body(request: MarketRequest) -> str:
    if request.method in ("GET", "HEAD"):  # whose answer may be shared, by its address
        return ""
    if request.content_type != "application/json" or b'"language"' not in request.body:
        return ""
    try:
        body = parse_json(request.body)
    except ValueError:  # the call itself refuses it
        return ""
    return str(body.get("language", "")) if isinstance(body, dict) else ""


def _keep(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS)


def _language_of_staff(request: HttpRequest) -> str:
    """What a member of staff picked in this browser (Django's own cookie, which is sent to the back office alone)."""
    picked = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    is_theirs = request.path_info.startswith(settings.LANGUAGE_COOKIE_PATH)
    return picked if is_theirs and picked in settings.STAFF_LANGUAGES else ENGLISH
