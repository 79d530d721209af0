"""Pages kept by each process as ready answers, until what they show changes (ARCHITECTURE.md, Cached pages).

Only what `caching.public_page` marked is kept: the same for everyone at an address with a market
prefix, in that location's own currency. It is answered before anything else of the shop is asked,
whoever asks, so nothing of a person may ever be in it.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from sys import getsizeof
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from shop.http.middleware import LEAST_COMPRESSED, ShopperMiddleware, compress, expand, preferred_encoding
from shop.http.recompression import recompress
from shop.invalidation.models import Change
from shop.invalidation.subscriptions import InvalidationOrder, catch_up, is_due, subscribe

from ..geography.local_time import next_midnight
from ..middleware import CURRENCY_COOKIE, match_prefix
from ..queries import market_registry
from .cdn_headers import share, shorten

KEPT_STATUSES = (200, 301, 410)
KEPT_SECONDS = 600  # what no change tells of, such as dates of delivery, is never older
ASKED_OFTEN = 3  # answers from one kept page, after which it is worth compressing as small as it gets
OVERHEAD = 2_000  # bytes of one entry besides its key and its bodies, about
MAX_QUERY = 500  # characters: the filters of a listing need less
MAX_TARGET = 60  # of the part of a page that HTMX asks for
FOUND = "shop.kept_page"  # in the environ of a request: its key and its page, where find_page found one

Key = tuple[str, ...]


@dataclass
class KeptPage:
    """An answer with its body as it travels, by Content-Encoding ("" is uncompressed).

    `shows` are the ids of the products on it; None: any product may change it.
    """

    status: int
    headers: dict[str, str]
    etag: str
    shows: frozenset[int] | None
    ends_at: float
    bodies: dict[str, bytes]
    key_size: int = 0
    counted: int = 0  # bytes of it that PageCache.bytes holds
    answers: int = 0
    is_smallest: bool = False  # or will be in a moment

    @property
    def size(self) -> int:
        return OVERHEAD + self.key_size + sum(len(body) for body in self.bodies.values())

    def body(self, encoding: str) -> bytes:
        """The body in an encoding, made from another one where it was not asked for yet."""
        if encoding not in self.bodies:
            known, body = next(iter(self.bodies.items()))
            self.bodies[encoding] = compress(expand(body, known), encoding)
        return self.bodies[encoding]


class PageCache:
    """Pages by key, at most `most` bytes of them; what was used least lately goes first.

    `version` counts invalidations: a page whose making began at another one is not kept.
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, KeptPage] = OrderedDict()
        self._lock = threading.Lock()
        self.bytes = 0
        self.version = 0

    def get(self, key: Key) -> KeptPage | None:
        with self._lock:
            page = self._pages.get(key)
            if page is None:
                return None
            if page.ends_at <= time.monotonic():
                self._remove(key)
                return None
            self._pages.move_to_end(key)
            return page

    def body(self, key: Key, page: KeptPage, encoding: str) -> bytes:
        page.answers += 1
        if encoding == "br" and page.answers > ASKED_OFTEN and not page.is_smallest:
            page.is_smallest = recompress(page.body("br"), lambda smallest: self._replace(key, page, smallest))
        if encoding in page.bodies:
            return page.bodies[encoding]
        body = page.body(encoding)
        with self._lock:
            if self._pages.get(key) is page:
                self._count(page)
        return body

    def _replace(self, key: Key, page: KeptPage, body: bytes) -> None:
        with self._lock:
            page.bodies["br"] = body
            if self._pages.get(key) is page:
                self._count(page)

    def put(self, key: Key, page: KeptPage, *, version: int, max_bytes: int) -> None:
        page.key_size = sum(map(getsizeof, key))
        with self._lock:
            if version != self.version or page.size > max_bytes:
                return
            self._remove(key)
            self._pages[key] = page
            self._count(page)
            while self.bytes > max_bytes:
                self._remove(next(iter(self._pages)))

    def on_changes(self, news: list[Change] | None) -> None:
        with self._lock:
            self.version += 1
            if news is None or any(change.kind == Change.Kind.SHOP for change in news):
                self._pages.clear()
                self.bytes = 0
                return
            changed = {pk for change in news for pk in change.ids}
            in_lists = any(change.kind == Change.Kind.PRODUCT for change in news)
            for key, page in list(self._pages.items()):
                if in_lists if page.shows is None else not changed.isdisjoint(page.shows):
                    self._remove(key)

    def _remove(self, key: Key) -> None:
        if (page := self._pages.pop(key, None)) is not None:
            self.bytes -= page.counted

    def _count(self, page: KeptPage) -> None:
        self.bytes += page.size - page.counted
        page.counted = page.size


pages = PageCache()
subscribe(pages.on_changes, InvalidationOrder.PAGE)


def show_only(response: HttpResponse, product_ids: Iterable[int]) -> None:
    """Tell that a public page depends on no other products than these (a list depends on any)."""
    response.shows = frozenset(product_ids)  # type: ignore[attr-defined]


def show_until(response: HttpResponse, moment: datetime | None) -> None:
    """Tell when a public page changes by itself: what is scheduled on it begins or ends then."""
    response.shows_until = moment  # type: ignore[attr-defined]


def find_page(environ: dict[str, Any]) -> bool:
    """Whether PageCacheMiddleware can answer a request without the database; the page is noted in its environ.

    Not while it is time to ask what changed, nor under a host that is not ours.
    """
    if not settings.PAGE_CACHE_BYTES or is_due():
        return False
    request = WSGIRequest(environ)
    key = _key(request)
    page = pages.get(key) if key else None
    if page is None:
        return False
    try:
        request.get_host()
    except DisallowedHost:
        return False
    environ[FOUND] = key, page
    return True


class PageCacheMiddleware(ShopperMiddleware):
    """Answers from the kept pages; keeps, compresses and names (ETag) public pages on their way out."""

    def answer(self, request: HttpRequest) -> HttpResponse:
        if found := request.META.get(FOUND):
            return _answer(request, *found)
        key = _key(request) if settings.PAGE_CACHE_BYTES else None
        if key is None:
            if settings.CDN:  # which is told whether what is shown may be old
                catch_up()
            version = pages.version
            return _finish(request, self.get_response(request), None, version)
        catch_up()
        page = pages.get(key)
        if page is not None:
            request.get_host()  # refuses a host that is not ours
            return _answer(request, key, page)
        version = pages.version
        return _finish(request, self.get_response(request), key, version)


def _key(request: HttpRequest) -> Key | None:
    """Under what the answer to this request may be kept; None where it may not."""
    meta = request.META
    path = request.path_info
    if request.method not in ("GET", "HEAD") or match_prefix(path) is None or not _is_bodiless(meta):
        return None
    if "HTTP_COOKIE" in meta and _asks_another_currency(request):
        return None
    query, target = meta.get("QUERY_STRING", ""), meta.get("HTTP_HX_TARGET", "")
    if len(query) > MAX_QUERY or len(target) > MAX_TARGET:
        return None
    part = ("part", target) if meta.get("HTTP_HX_REQUEST") == "true" else ()
    return (request.scheme or "", path, query, *part)


def _is_bodiless(meta: dict[str, Any]) -> bool:
    return meta.get("CONTENT_LENGTH", "") in ("", "0")


def _asks_another_currency(request: HttpRequest) -> bool:
    picked_for, _, currency = request.COOKIES.get(CURRENCY_COOKIE, "").partition("-")
    prefix = match_prefix(request.path_info) if currency else None
    if prefix is None or prefix["country"].upper() != picked_for:
        return False
    location = market_registry().by_code.get(picked_for)
    return location is None or location.currency_id != currency


def _answer(request: HttpRequest, key: Key, page: KeptPage) -> HttpResponse:
    headers = shorten(page.headers, ends_at=page.ends_at) if settings.CDN else page.headers
    if page.status == 200 and _is_known(request, page.etag):
        return _not_modified(headers)
    encoding = preferred_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    body = pages.body(key, page, encoding)
    response = HttpResponse(body, status=page.status, headers=headers)
    if encoding:
        response.headers["Content-Encoding"] = encoding
    response.headers["Content-Length"] = str(len(body))
    return response


def _finish(request: HttpRequest, response: HttpResponse, key: Key | None, version: int) -> HttpResponse:
    """Leaves alone what is not public: another middleware compresses it."""
    if not hasattr(response, "shows") or response.streaming or response.has_header("Content-Encoding"):
        return response
    content = response.content
    etag = f'W/"{blake2b(content, digest_size=12).hexdigest()}"'
    if response.status_code == 200:
        response.headers["ETag"] = etag
    encoding = preferred_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    if len(content) < LEAST_COMPRESSED:
        encoding = ""
    body = compress(content, encoding)
    may_be_kept = key and request.method == "GET" and _may_be_kept(response)
    ends_at = _ends_at(request, response)
    # The chosen currency is the one cookie that matters (_key): ours knows that, and so does a CDN that the operator
    # set up for it. Other caches in front do not.
    if not settings.CDN:
        patch_vary_headers(response, ("Cookie",))
    elif _is_shared(response):
        is_overtaken = version != pages.version  # by a change: its copies may have been purged already
        share(response, response.shows, ends_at=0.0 if is_overtaken else ends_at)
    if key and may_be_kept:
        headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
        page = KeptPage(response.status_code, headers, etag, response.shows, ends_at, {encoding: body})
        pages.put(key, page, version=version, max_bytes=settings.PAGE_CACHE_BYTES)
    if response.status_code == 200 and _is_known(request, etag):
        return _not_modified(dict(response.headers.items()))
    if encoding:
        response.headers["Content-Encoding"] = encoding
    response.content = body
    response.headers["Content-Length"] = str(len(body))
    return response


def _may_be_kept(response: HttpResponse) -> bool:
    return response.status_code in KEPT_STATUSES and _is_shared(response)


def _is_shared(response: HttpResponse) -> bool:
    """Marked public by its view is not enough: nothing that a cookie had a part in is shared."""
    control, vary = response.get("Cache-Control", ""), response.get("Vary", "")
    return "public" in control and "no-store" not in control and "cookie" not in vary.lower() and not response.cookies


def _ends_at(request: HttpRequest, response: HttpResponse) -> float:
    """When a page of now is too old: after KEPT_SECONDS, at midnight of its market and of the shop, when the dates
    on it change, and when it changes by itself (show_until)."""
    midnights = [next_midnight(getattr(request, "market", None)), next_midnight()]
    ends: list[datetime] = [*midnights, *filter(None, [getattr(response, "shows_until", None)])]
    return time.monotonic() + min(KEPT_SECONDS, (min(ends) - timezone.now()).total_seconds())


def _is_known(request: HttpRequest, etag: str) -> bool:
    """Whether the browser has this very page (RFC 9110: a weak comparison)."""
    sent = request.META.get("HTTP_IF_NONE_MATCH", "")
    return bool(sent) and etag.removeprefix("W/") in [tag.strip().removeprefix("W/") for tag in sent.split(",")]


def _not_modified(headers: dict[str, str]) -> HttpResponse:
    response = HttpResponseNotModified()
    for name, value in headers.items():
        if name not in ("Content-Type", "Content-Encoding", "Content-Length"):
            response.headers[name] = value
    return response
