from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from .canonical import bare_path
from .middleware import remember_market
from .queries import atlas
from .requests import MarketRequest


@require_http_methods(["GET", "POST"])
def pick_country(request: MarketRequest) -> HttpResponse:
    """Deliver elsewhere: the same page under the new prefix, its page number and prices left behind.
    Asked with GET: the list to pick from."""
    if request.method == "GET":
        return _list_page(request, "markets/pick_country.html")
    location = atlas().by_code.get(request.POST.get("country", "").upper())
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
    if currency in atlas().rates:
        remember_market(response, country=market.country_code, currency=currency)
    return response


def _list_page(request: MarketRequest, template: str) -> HttpResponse:
    return render(request, template, {"next": request.GET.get("next", "/")})


def _next_path(request: MarketRequest) -> str:
    """The page to return to, without prefix and query; only a path of this site, else the home page."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None) or not target.startswith("/"):
        return "/"
    return bare_path(target.partition("?")[0])
