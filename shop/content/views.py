from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from shop.markets.caching import public_answer, public_page
from shop.markets.page_cache import show_only
from shop.markets.requests import MarketRequest

from .home import filled_rows
from .models import Page


@public_page
def home(request: MarketRequest) -> HttpResponse:
    return render(request, "content/home.html", {"rows": filled_rows(request.market)})


@public_page
def page(request: MarketRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Page, slug=slug)
    response = render(request, "content/page.html", {"page": shown, "breadcrumb": [(shown.title, "")]})
    show_only(response, [])
    return response


@public_answer
def not_found(request: MarketRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)
