from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from shop.http.redirects import safe_path

from .canonical import bare_path, drop_market_state
from .middleware import remember_market
from .queries import market_registry
from .requests import MarketRequest


@require_http_methods(["GET", "POST"])
def pick_country(request: MarketRequest) -> HttpResponse:
    """Deliver elsewhere: the same page under the new prefix, its page number and prices left behind.
    Asked with GET: the list to pick from."""
    if request.method == "GET":
        return _list_page(request, "markets/pick_country.html")
    location = market_registry().by_code.get(request.POST.get("country", "").upper())
    if location is None:
        return HttpResponseRedirect(_next_path(request))
    response = HttpResponseRedirect(f"/en-{location.code.lower()}{_next_path(request)}")
    remember_market(response, country=location.code, currency=None)
    return response


@require_http_methods(["GET", "POST"])
def pick_currency(request: MarketRequest) -> HttpResponse:
    """Show prices in another currency until the country changes. Asked with GET: the list."""
    if request.method == "GET":
        return _list_page(request, "markets/pick_currency.html")
    market, currency = request.market, request.POST.get("currency", "").upper()
    response = HttpResponseRedirect(f"/en-{market.country_code.lower()}{_next_path(request)}")
    if currency in market_registry().rates:
        remember_market(response, country=market.country_code, currency=currency)
    return response


def _list_page(request: MarketRequest, template: str) -> HttpResponse:
    return render(request, template, {"next": request.GET.get("next") or _came_from(request)})


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
