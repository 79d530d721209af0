"""Which answers may be shared between people."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from ..requests import MarketRequest
from .cdn_headers import share
from .replica_reads import visitors_read

PUBLIC_SECONDS = 60


def public_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For pages that are the same for everyone in a market: they show no person, set no cookie and
    carry no token. A page that came from a cookie or a guess stays private, but for the
    country that a CDN names. Nothing is posted to them."""
    return require_safe(public_answer(view))


def public_answer(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The same for what answers whatever was asked: that there is no such page."""
    from_replica = visitors_read(view)

    @wraps(view)
    def wrapped(request: MarketRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = (from_replica if settings.HAS_REPLICA else view)(request, *args, **kwargs)
        is_read = request.method in ("GET", "HEAD")
        if is_read and request.market_is_public and response.status_code in (200, 301, 404, 410):
            shared = {} if settings.CDN else {"s_maxage": PUBLIC_SECONDS}  # a CDN is told apart (cdn_headers.py)
            patch_cache_control(response, public=True, max_age=0, **shared)
            patch_vary_headers(response, ("Accept-Encoding", "HX-Request", "HX-Target"))
            if request.market_source != "prefix":
                patch_vary_headers(response, (settings.COUNTRY_HEADER,))
            if not hasattr(response, "shows"):
                response.shows = None  # type: ignore[attr-defined]  # any product (page_cache.show_only)
        return response

    return wrapped


def public_api(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For calls whose answer depends on nothing but the catalogue and its language: browsers and CDNs may keep it.
    An error is nobody else's."""
    from_replica = visitors_read(view)

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = (from_replica if settings.HAS_REPLICA else view)(request, *args, **kwargs)
        if response.status_code >= 400:
            return response
        patch_cache_control(response, public=True, max_age=PUBLIC_SECONDS)
        share(response)
        if len(settings.SHOP_LANGUAGES) > 1:
            patch_vary_headers(response, ("Accept-Language",))
        return response

    return wrapped
