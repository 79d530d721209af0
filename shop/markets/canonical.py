"""Addresses for search engines: which spelling counts, which market a page speaks for (PRODUCT.md 3).

As the template library `canonical`: {% canonical_links %}, and {{ banner.link|in_market }} for a path that staff wrote,
under the prefix that this page's links keep.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django import template
from django.conf import settings
from django.http import HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.template.context import RequestContext
from django.urls import get_script_prefix, reverse
from django.utils.encoding import iri_to_uri
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from .market import prefix_of
from .middleware import match_prefix
from .models import Location
from .queries import languages_of, market_registry, offered_language
from .requests import MarketRequest

register = template.Library()
# What an address says about the state of a listing; the search adds its facets.
_listing_state = {"q", "sort", "page"}
_of_one_market = {"q", "page"}


@dataclass(frozen=True)
class Indexing:
    """What a page tells search engines about its address; empty where it says nothing."""

    canonical: str = ""
    alternates: tuple[tuple[str, str], ...] = ()  # (hreflang, whole address)
    robots: str = ""


def indexing_of(request: MarketRequest, path: str = "", *, noindex: bool = False) -> Indexing:
    """How search engines shall treat this page, whose canonical path is `path` (default: its own).

    A location marked indexed speaks for itself, every other prefix points to the address without
    one, which is x-default. A page number, sort order or filter is the same listing in another
    state: not indexed, its links followed. Other parameters (a variant, a campaign) are left out.
    """
    bare = bare_path(path or request.path)
    if noindex or _is_listing_state(request):
        return Indexing(robots="noindex, follow")
    without = whole_address(bare)
    if request.market_source == "prefix" and not request.market.is_indexed:
        return Indexing(without, robots="noindex, follow")
    indexed = sorted((code, location) for code, location in market_registry().by_code.items() if location.is_indexed)
    spoken = [(language, code) for code, location in indexed for language in languages_of(location)]
    alternates = [(f"{language}-{code}", whole_address(bare, prefix_of(language, code))) for language, code in spoken]
    own = whole_address(bare, request.market.prefix) if request.market_source == "prefix" else without
    return Indexing(own, (*alternates, ("x-default", without)))


def whole_address(path: str, prefix: str = "") -> str:
    """The address of a path without prefix, under that of a market or for all."""
    return iri_to_uri(f"{settings.SHOP_URL}{prefix.rstrip('/')}{path}")


def register_listing_parameters(*names: str, is_money: bool = False) -> None:
    """Parameters of an address that narrow a listing; one that ends with a dot begins longer ones. Those of money
    are left behind when the market changes."""
    _listing_state.update(names)
    if is_money:
        _of_one_market.update(names)


def drop_market_state(query: QueryDict) -> None:
    """Drop from a query what means something else in another market."""
    for name in _of_one_market:
        query.pop(name, None)


def _is_listing_state(request: MarketRequest) -> bool:
    parameters = {name for name, value in request.GET.items() if (name, value) != ("page", "1")}
    return any(name in _listing_state or f"{name.partition('.')[0]}." in _listing_state for name in parameters)


def address_in(location: Location, language: str, path: str) -> str:
    """The whole address of a page for messages: in the country's prices, and in the language where it is offered."""
    prefix = prefix_of(offered_language(location, language), location.code)
    return f"{settings.SHOP_URL}{prefix.rstrip('/')}{bare_path(path)}"


def bare_path(path: str) -> str:
    """A path of this site without its market prefix."""
    match = match_prefix(path)
    return (match["rest"] or "/") if match else path


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
    return require_safe(lambda request: moved(request, name))


@register.simple_tag(takes_context=True)
def canonical_links(context: RequestContext, path: str = "", noindex: bool = False) -> SafeString:
    found = indexing_of(context["request"], path, noindex=noindex)
    return format_html(
        "{}{}{}",
        format_html('<meta name="robots" content="{}">', found.robots) if found.robots else "",
        format_html('<link rel="canonical" href="{}">', found.canonical) if found.canonical else "",
        format_html_join("", '<link rel="alternate" hreflang="{}" href="{}">', found.alternates),
    )


@register.filter
def in_market(path: str) -> str:
    return get_script_prefix().rstrip("/") + bare_path(path) if path.startswith("/") else path
