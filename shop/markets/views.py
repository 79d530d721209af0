from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from shop.http.redirects import safe_path

from .canonical import bare_path, drop_market_state
from .geography.detection import locate
from .market import prefix_of
from .middleware import remember_language, remember_market
from .models import Location
from .queries import languages_of, market_registry
from .requests import MarketRequest
from .services import language_picked


@require_http_methods(["GET", "POST"])
def pick_country(request: MarketRequest) -> HttpResponse:
    """Deliver elsewhere: the same page under the new prefix, its page number and prices left behind.
    Asked with GET: the list to pick from."""
    if request.method == "GET":
        return _list_page(request, "markets/pick_country.html", {"likely": _likely(request)})
    location = market_registry().by_code.get(request.POST.get("country", "").upper())
    if location is None:
        return HttpResponseRedirect(_next_path(request))
    market = market_registry().market(location, language=request.market.language)
    response = HttpResponseRedirect(_under(market.prefix, _next_path(request)))
    remember_market(response, country=location.code, currency=None)
    return response


@require_http_methods(["GET", "POST"])
def pick_currency(request: MarketRequest) -> HttpResponse:
    """Show prices in another currency until the country changes. Asked with GET: the list."""
    if request.method == "GET":
        return _list_page(request, "markets/pick_currency.html")
    market, currency = request.market, request.POST.get("currency", "").upper()
    response = HttpResponseRedirect(_under(market.prefix, _next_path(request)))
    if currency in market_registry().rates:
        remember_market(response, country=market.country_code, currency=currency)
    return response


@require_http_methods(["GET", "POST"])
def pick_language(request: MarketRequest) -> HttpResponse:
    """Read the same page in another language that the location offers. Asked with GET: the list."""
    if request.method == "GET":
        return _list_page(request, "markets/pick_language.html")
    market, language = request.market, request.POST.get("language", "").lower()
    path = bare_path(safe_path(request.POST.get("next")))
    if language not in languages_of(market_registry().locations[market.location_id]):
        return HttpResponseRedirect(_under(market.prefix, path))
    response = HttpResponseRedirect(_under(prefix_of(language, market.country_code), path))
    remember_language(response, language)
    language_picked.send(None, request=request, language=language)
    return response


def _under(prefix: str, path: str) -> str:
    return prefix.rstrip("/") + path


def _likely(request: MarketRequest) -> list[Location]:
    """Where most want delivery: here, where the shopper seems to be, and the locations with pages of their own."""
    markets = market_registry()
    own, source = locate(request, markets)
    first = [markets.locations.get(request.market.location_id), own if source != "default" else None]
    indexed = [location for location in markets.listed() if location.is_indexed]
    return list(dict.fromkeys(location for location in [*first, *indexed] if location))


def _list_page(request: MarketRequest, template: str, context: dict[str, object] | None = None) -> HttpResponse:
    return render(request, template, {"next": request.GET.get("next") or _came_from(request), **(context or {})})


def _came_from(request: MarketRequest) -> str:
    """The page of this site whose link led here: the pickers' links are the same on every page."""
    address = urlsplit(request.headers.get("Referer", ""))
    is_ours = address.netloc == request.get_host() and not bare_path(address.path).startswith(request.path_info)
    return f"{address.path}?{address.query}" if is_ours else "/"


def _next_path(request: MarketRequest) -> str:
    """The page to return to, without prefix, and with the filters that fit every market; only a path
    of this site, else the home page."""
    path, _, query = safe_path(request.POST.get("next")).partition("?")
    kept = QueryDict(query, mutable=True)
    drop_market_state(kept)
    return bare_path(path) + (f"?{kept.urlencode()}" if kept else "")
