"""What every request passes on its way in and out, whichever room it is for."""

import gzip
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache
from hashlib import sha256
from secrets import randbelow, token_hex
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import brotli
from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    JsonResponse,
    UnreadablePostError,
)  # fmt: skip
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.encoding import iri_to_uri
from django_prose_editor.widgets import importmap

from .api import content_type_of, error_body

Handler = Callable[[HttpRequest], HttpResponse]
View = Callable[..., HttpResponseBase]
MARKET_PREFIX = re.compile(r"/[a-z]{2,3}-([a-z]{2})(?=/|\Z)")
CRAWLER = re.compile("bot|crawl|spider|slurp|headless|lighthouse", re.IGNORECASE)  # in the name of a browser
VISITED = {  # the first part of an address, behind its market: what kind of page it is
    "": "home", "product": "product", "products": "list", "search": "list", "brand": "list", "cart": "cart",
    "checkout": "checkout",
}  # fmt: skip
SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
GOOGLE_PAGES = {"signin", "signup", "signin_code"}
FORGOTTEN_BYTES = 1024 * 1024
# Of a first answer, measured on our pages: level 5 is 6 % smaller and takes half as long again. What is kept is
# compressed again into its fewest bytes (recompression.py).
BROTLI_LEVEL = 4
GZIP_LEVEL = 4
LEAST_COMPRESSED = 200
MAX_ACCEPTED = 200  # characters of an Accept-Encoding header
MAX_PATH = 2_048  # characters; the longest address of a page has three names of 250
# Programs and staff, who shop nowhere: no market is detected for them, and no page kept.
WITHOUT_SHOPPER = ("/admin/", "/media/", settings.STATIC_URL, "/payments/webhook/")
# After these, capitals count: words that were searched for, and signatures.
KEPT_AFTER = (
    "/search/", "/track/", "/newsletter/confirm/", "/newsletter/leave/", "/staff/join/", "/review/",
    "/review-invitations/", "/refill/", "/wishlist/shared/",
)  # fmt: skip
ORDER_NUMBER = re.compile(r"(?<=/)ord-[0-9a-z]{9}(?=/)")


class CompressionMiddleware(GZipMiddleware):
    """Pages and calls travel compressed; pictures already are, and public pages where they are kept
    (shop/markets/caching/page_cache.py)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.get("Content-Type", "")
        if hasattr(response, "shows") or not kind.startswith(("text/html", "application/json")):
            return response
        if isinstance(response, HttpResponse) and self._is_page(response) and _takes_brotli(request):
            comment = token_hex(self.max_random_bytes)[: randbelow(self.max_random_bytes) + 1]
            return _in_brotli(response, comment)
        return super().process_response(request, response)

    def _is_page(self, response: HttpResponse) -> bool:
        """Whole, and not a part that a script puts into one: there a comment might be in the way."""
        return response.content.startswith(b"<!doctype html>") and not response.has_header("Content-Encoding")


def _takes_brotli(request: HttpRequest) -> bool:
    return preferred_encoding(request.META.get("HTTP_ACCEPT_ENCODING", "")) == "br"


def _in_brotli(page: HttpResponse, comment: str) -> HttpResponse:
    """With a comment of random length: how long a body is must not tell what is in it (BREACH), as in Django's gzip."""
    patch_vary_headers(page, ("Accept-Encoding",))
    page.content = compress(page.content + f"<!--{comment}-->".encode(), "br")
    page.headers["Content-Length"] = str(len(page.content))
    page.headers["Content-Encoding"] = "br"
    if (etag := page.get("ETag", "")).startswith('"'):
        page.headers["ETag"] = f"W/{etag}"
    return page


def preferred_encoding(accepted: str) -> str:
    """The best of what an Accept-Encoding header takes: br, gzip or "" (as it is)."""
    return _preferred_encoding(accepted[:MAX_ACCEPTED])


@lru_cache(maxsize=500)
def _preferred_encoding(accepted: str) -> str:
    taken = set()
    for part in accepted.lower().split(","):
        name, _, quality = part.strip().partition(";")
        if quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            taken.add(name.strip())
    return "br" if "br" in taken else "gzip" if "gzip" in taken else ""


def compress(body: bytes, encoding: str) -> bytes:
    if encoding == "br":
        return bytes(brotli.compress(body, quality=BROTLI_LEVEL, mode=brotli.MODE_TEXT))
    return gzip.compress(body, GZIP_LEVEL, mtime=0) if encoding == "gzip" else body


def expand(body: bytes, encoding: str) -> bytes:
    if encoding == "br":
        return bytes(brotli.decompress(body))
    return gzip.decompress(body) if encoding == "gzip" else body


class ShopperMiddleware:
    """Base of middleware that is there for shoppers alone: subclasses `answer`, routes of WITHOUT_SHOPPER pass by."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(WITHOUT_SHOPPER):
            return self.get_response(request)
        return self.answer(request)

    def answer(self, request: HttpRequest) -> HttpResponse:
        raise NotImplementedError


class VisitMiddleware(ShopperMiddleware):
    """Count opened pages by day, kind and country, kept ones too: no cookie, no address, nothing of a person.

    A page counts where a browser says that somebody went to it (Sec-Fetch-Mode) and does not call itself a program, as
    crawlers do that read with a browser; a visit is a page that was not come to from the shop itself. What was counted
    stands in `counted` until shop/reports writes it down.
    """

    counted: Counter[tuple[date, str, str]] = Counter()
    lock = Lock()

    def answer(self, request: HttpRequest) -> HttpResponse:
        meta, path = request.META, request.path_info  # later on the market's prefix is taken off
        response = self.get_response(request)
        is_seen = response.status_code in (200, 304) and "HTTP_SEC_PURPOSE" not in meta
        is_seen = is_seen and not CRAWLER.search(meta.get("HTTP_USER_AGENT", ""))
        if is_seen and meta.get("HTTP_SEC_FETCH_MODE") == "navigate" and request.method == "GET":
            self._count(path, is_visit=meta.get("HTTP_SEC_FETCH_SITE") != "same-origin")
        return response

    def _count(self, path: str, *, is_visit: bool) -> None:
        prefix = MARKET_PREFIX.match(path)
        country, rest = (prefix[1].upper(), path[prefix.end() :]) if prefix else ("", path)
        page = rest.strip("/").partition("/")[0]
        today = timezone.localdate()
        with self.lock:
            self.counted[today, VISITED.get(page, "other"), country] += 1
            if is_visit:
                self.counted[today, "visit", country] += 1

    @classmethod
    def take(cls) -> dict[tuple[date, str, str], int]:
        """What was counted since the last time, by day, kind and country (empty without a prefix)."""
        with cls.lock:
            taken = dict(cls.counted)
            cls.counted.clear()
        return taken

    @classmethod
    def release(cls, taken: dict[tuple[date, str, str], int]) -> None:
        """What was taken and could not be written down."""
        with cls.lock:
            cls.counted.update(taken)


class PathLimitMiddleware:
    """Refuse a path that no page can have, before anything is matched with it or kept by it."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if len(request.path_info) > MAX_PATH:
            return JsonResponse(error_body(414, "This address is too long."), status=414)
        return self.get_response(request)


class BodyLimitMiddleware:
    """Refuse a body that is too large by its announced length. Of what is far too large no byte is read; the
    rest is read and forgotten, because whoever still sends would see a cut connection and not the refusal."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > max_bytes(request.content_type or "", request.path_info):
            if length.isdigit() and int(length) <= FORGOTTEN_BYTES:
                _forget_body(request)
            return JsonResponse(error_body(413, "This is too large."), status=413)
        return self.get_response(request)


def max_bytes(content_type: str, path: str) -> int:
    """Of a body."""
    if content_type != "multipart/form-data":
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return settings.IMPORT_MAX_BYTES if path.startswith("/admin/") else settings.MULTIPART_MAX_BYTES


def _forget_body(request: HttpRequest) -> None:
    with suppress(UnreadablePostError):
        while request.read(64 * 1024):
            pass


class CanonicalPathMiddleware:
    """An address that matches nothing gets one permanent redirect to its canonical spelling, if that
    matches: lower case with a trailing slash. What a shopper searched for keeps its capitals.

    The canonical spelling is asked first: where it is a former address itself (an old slug, a brand's
    name) its own redirect is the answer, so that there is never more than one.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise Http404  # no address of ours holds one, and no database can be asked for it
        response = self.get_response(request)
        prefix = request.path.removesuffix(request.path_info).lower()
        if response.status_code != 404 and request.path == prefix + request.path_info:
            return response
        target = canonical_path(request.path_info)
        canonical = prefix + target
        if request.method not in ("GET", "HEAD") or canonical == request.path:
            return response
        answer = response if target == request.path_info else self._ask(request, canonical, target)
        if answer is None or answer.status_code in (404, 405):
            return response
        if answer.status_code == 301:
            return answer
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(iri_to_uri(canonical) + (f"?{query}" if query else ""))

    def _ask(self, request: HttpRequest, path: str, path_info: str) -> HttpResponse | None:
        """What another spelling answers; None where the route table does not know it."""
        try:
            resolve(path_info)
        except Resolver404:
            return None
        request.path, request.path_info = path, path_info
        return self.get_response(request)


def canonical_path(path: str) -> str:
    """`/Products/Ayurveda` as `/products/ayurveda/`; words and signatures stay as typed, and order numbers are in
    capitals."""
    path = re.sub(r"/{2,}", "/", path)
    if not path.endswith("/"):
        path += "/"
    kept = next((len(head) for head in KEPT_AFTER if path.lower().startswith(head)), len(path))
    head = ORDER_NUMBER.sub(lambda number: number[0].upper(), path[:kept].lower())
    return head + path[kept:]


class SameOriginMiddleware(CsrfViewMiddleware):
    """Accept a state-changing request with a same-origin proof, or with Django's token.

    Forms on cached pages carry no token: a browser's Sec-Fetch-Site or Origin is the proof
    (ARCHITECTURE.md, Cached pages). It covers the JSON calls too, which their library would exempt;
    only the provider's own calls are exempt (`accepts_foreign_posts`). What a browser says comes from another
    site is refused whatever its Origin; what no browser sends by itself needs no proof: a bearer token without
    a session cookie, and posts of programs (`accepts_posts_of_programs`).
    """

    def process_view(  # type: ignore[override]  # its own refusals are HttpResponseForbidden
        self, request: HttpRequest, callback: View, callback_args: tuple[Any, ...], callback_kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if getattr(callback, "accepts_foreign_posts", False) or request.method in SAFE_METHODS:
            return None
        if is_cross_site(request):
            return confirm_submission(request)
        if getattr(callback, "accepts_posts_of_programs", False) or bearer_key(request) is not None:
            return None
        if self._is_same_origin(request):
            request.csrf_processing_done = True  # type: ignore[attr-defined]
            return None
        if request.headers.get("Sec-Fetch-Site") == "same-site":
            return confirm_submission(request)
        callback = _without_exemption(callback)
        return super().process_view(request, callback, callback_args, callback_kwargs)

    def _is_same_origin(self, request: HttpRequest) -> bool:
        if request.headers.get("Sec-Fetch-Site") == "same-origin":
            return True
        return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def is_cross_site(request: HttpRequest) -> bool:
    """Also where several proxies or an odd client wrote the header more than once."""
    return "cross-site" in request.headers.get("Sec-Fetch-Site", "").lower()


def accepts_foreign_posts(view: View) -> View:
    """Mark a view whose proof is a signature in the request itself (the provider's calls)."""
    view.accepts_foreign_posts = True  # type: ignore[attr-defined]
    view.csrf_exempt = True  # type: ignore[attr-defined]
    return view


def accepts_posts_of_programs(view: View) -> View:
    """Mark a view that programs post to without an origin: its proof is in its address, or nothing is changed."""
    view.accepts_posts_of_programs = True  # type: ignore[attr-defined]
    view.csrf_exempt = True  # type: ignore[attr-defined]
    return view


def _without_exemption(callback: View) -> View:
    return (lambda *args, **kwargs: callback(*args, **kwargs)) if getattr(callback, "csrf_exempt", False) else callback


def confirm_submission(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form arrived without any proof of where it came from: change nothing, repeat the choice
    with a token and one button. Calls and foreign sites get a plain refusal."""
    foreign = is_cross_site(request) or (
        "Origin" in request.headers and urlsplit(request.headers["Origin"]).netloc != request.get_host()
    )
    is_form = request.content_type in ("application/x-www-form-urlencoded", "multipart/form-data")
    if foreign or not is_form or request.FILES:
        return JsonResponse(error_body(403, "We couldn't verify where this request came from."), status=403)
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken" and "password" not in name.lower()
    ]
    response = render(request, "confirm_submission.html", {"fields": fields}, status=403)
    patch_cache_control(response, private=True, no_store=True)
    return response


class ApiMiddleware:
    """Calls take application/json only, besides those that take files; another method is refused as JSON too."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and is_api(request):
            refusal = JsonResponse(error_body(405, "Method not allowed."), status=405)
            refusal["Allow"] = response["Allow"]
            return refusal
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if request.method != "POST" or not is_api(request):
            return None
        takes = content_type_of(request.path_info)
        if request.content_type == takes:
            return None
        return JsonResponse(error_body(415, f"Send the body as {takes}."), status=415)


def is_api(request: HttpRequest) -> bool:
    """Including a JSON body at an address that a call shares with a page (urls.page_or_api)."""
    match = request.resolver_match
    if match is None:
        return False
    is_shared = getattr(match.func, "is_page_or_api", False) and request.content_type == "application/json"
    return match.namespace == "api" or is_shared


def bearer_key(request: HttpRequest) -> str | None:
    """The token that a request comes with, None where there is none or a session cookie counts instead."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    has_cookie = settings.SESSION_COOKIE_NAME in request.COOKIES
    return key.strip() if scheme.lower() == "bearer" and not has_cookie else None


class ContentPolicyMiddleware(CSPMiddleware):
    """Content-Security-Policy: strict everywhere; under /admin/, on the pay page and where a button leads to
    Google what these need besides. And Permissions-Policy: no page uses what it denies, but for the provider's
    window."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_pay_page = request.resolver_match is not None and request.resolver_match.url_name == "pay"
        denied = settings.PAY_PAGE_PERMISSIONS if is_pay_page else settings.PERMISSIONS_POLICY
        response.headers.setdefault("Permissions-Policy", denied)
        return super().process_response(request, response)

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        page = request.resolver_match.url_name if request.resolver_match else ""
        if request.path_info.startswith("/admin/"):
            parts.update = {
                "script-src": [SELF, UNSAFE_EVAL, _editor_map_hash()],
                "style-src": [SELF, UNSAFE_INLINE],
            }
        elif page == "pay":
            parts.update = settings.PAY_PAGE_SOURCES
        elif page in GOOGLE_PAGES and settings.GOOGLE_CLIENT_ID:
            parts.update = settings.GOOGLE_PAGE_SOURCES
        return parts


@cache
def _editor_map_hash() -> str:
    """The text editor's map of its modules, the one script that stands inside a staff page."""
    inside = str(importmap.render()).partition(">")[2].rpartition("</script>")[0]
    return f"'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'"


class PrivateByDefaultMiddleware:
    """Whatever did not say that it is public is private, no-store (`shop.markets.caching.headers.public_page`)."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_store=True)
        return response
