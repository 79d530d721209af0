"""Addresses for search engines: which spelling counts, which market a page speaks for (PRODUCT.md 3)."""

from collections.abc import Callable

from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse

from .middleware import PREFIX
from .requests import MarketRequest


def bare_path(path: str) -> str:
    """A path of this site without its market prefix."""
    match = PREFIX.match(path)
    return (match[2] or "/") if match else path


def moved(request: MarketRequest, name: str, *args: str) -> HttpResponsePermanentRedirect:
    """To the canonical address for ever, its query kept.

    Only a prefix that was asked for is kept: a browser remembers this answer, and nobody is
    redirected by a guess.
    """
    path = reverse(name, args=args)
    if request.market_source != "prefix":
        path = bare_path(path)
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"{path}?{query}" if query else path)


def moved_to(name: str) -> Callable[[MarketRequest], HttpResponse]:
    """A view for a former address of the page `name`."""
    return lambda request: moved(request, name)
