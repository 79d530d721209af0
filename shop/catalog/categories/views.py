from django.http import HttpResponse
from django.shortcuts import render

from shop.markets.caching.headers import public_page
from shop.markets.requests import MarketRequest


@public_page
def categories(request: MarketRequest) -> HttpResponse:
    """Everything that the menus lead to; their islands take its sections in."""
    return render(request, "catalog/categories/categories.html")
