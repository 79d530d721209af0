from django.http import HttpResponse
from django.shortcuts import render

from shop.markets.caching import public_page
from shop.markets.requests import MarketRequest

from .home import Home


@public_page
def home(request: MarketRequest) -> HttpResponse:
    return render(request, "content/home.html", {"rows": Home(request.market).rows})


@public_page
def not_found(request: MarketRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)
