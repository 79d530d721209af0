"""What crawlers fetch: robots.txt, sitemaps, merchant feeds. The same for everyone, kept for an hour."""

from typing import TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from shop.http.files import kept_file, open_kept
from shop.markets.caching.cdn_headers import share
from shop.markets.caching.replica_reads import visitors_read
from shop.markets.canonical import whole_address

from .merchant_feed import write_feed
from .sitemaps import SECTIONS, indexed_market, write_index, write_sitemap

Response = TypeVar("Response", bound=HttpResponseBase)
KEPT_SECONDS = 3600
RETRY_SECONDS = 60
XML = "application/xml; charset=utf-8"
# Pages of one person; the rest that is not for an index says so itself and must be read for that.
NOT_CRAWLED = ("/admin/", "/api/", "/cart/", "/checkout/", "/orders/", "/order-detail/", "/address/", "/profile/")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    prefixes = ["", *(f"/{language}-*" for language in settings.SHOP_LANGUAGES)]
    closed = [f"Disallow: {prefix}{path}" for path in NOT_CRAWLED for prefix in prefixes]
    lines = ["User-agent: *", *closed, "", f"Sitemap: {whole_address('/sitemap.xml')}", ""]
    return _kept(HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8"))


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    text = cache.get_or_set("sitemap-index", write_index, KEPT_SECONDS)
    return _kept(HttpResponse(text, content_type=XML))


@require_safe
@visitors_read
def sitemap(request: HttpRequest, country: str, section: str, page: int) -> HttpResponse:
    market = indexed_market(country)
    text = write_sitemap(market, section, page) if market and page and section in SECTIONS else None
    if text is None:
        raise Http404
    return _kept(HttpResponse(text, content_type=XML))


@require_safe
def merchant_feed(request: HttpRequest, country: str) -> HttpResponseBase:
    market = indexed_market(country)
    if market is None:
        raise Http404
    name = f"merchant-{market.language}-{market.country_code}.xml"
    if request.method == "HEAD":  # tells what is there, and has nothing made
        feed = open_kept(name)
        return _kept(FileResponse(feed or (), content_type=XML))
    pieces = (piece.encode() for piece in write_feed(market))
    feed = kept_file(name, lambda file: file.writelines(pieces), seconds=KEPT_SECONDS)
    if feed is None:
        headers = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
        return HttpResponse("The feed is being made.", "text/plain; charset=utf-8", 503, headers=headers)
    return _kept(FileResponse(feed, content_type=XML))


def _kept(response: Response) -> Response:
    patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
    share(response)
    return response
