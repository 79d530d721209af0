import sys
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import translation
from django.utils.translation import get_language, gettext

from shop.catalog.stylesheet import styles_url
from shop.http.api import error_body, failure
from shop.http.middleware import is_api
from shop.http.request_log import request_id
from shop.markets.caching.headers import public_answer, public_page
from shop.markets.caching.page_cache import show_only, show_until
from shop.markets.canonical import bare_path
from shop.markets.market import prefix_of
from shop.markets.middleware import match_prefix
from shop.markets.queries import ENGLISH
from shop.markets.requests import MarketRequest
from shop.search.text.normalization import MAX_QUERY_LENGTH

from .blog.services import feed_path, related_posts
from .faq.queries import find_answers
from .home.services import filled_rows, next_home_change
from .models import Page, Post, PostCategory

POSTS_A_PAGE = 9


@public_page
def home(request: MarketRequest) -> HttpResponse:
    until = next_home_change()
    response = render(request, "content/home/home.html", {"rows": filled_rows(request.market)})
    show_until(response, until)
    return response


@public_page
def page(request: MarketRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Page, slug=slug)
    response = render(request, "content/pages/page.html", {"page": shown, "breadcrumb": [(shown.translated.title, "")]})
    show_only(response, [])
    return response


@public_page
def faq(request: MarketRequest) -> HttpResponse:
    """All questions, or those that `q` is found in; for HTMX only these."""
    query = request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    sections = find_answers(query)
    context = {
        "query": query,
        "sections": sections,
        "found": sum(len(section.answers) for section in sections),
        "breadcrumb": [(gettext("FAQ"), "")],
    }
    is_part = request.htmx and (request.htmx.target or "").endswith("#answers")
    response = render(request, "content/faq/faq.html#answers" if is_part else "content/faq/faq.html", context)
    show_only(response, [])
    return response


@public_page
def blog(request: MarketRequest) -> HttpResponse:
    return _posts_page(request, Post.objects.shown(), [(gettext("Blog"), "")])


@public_page
def blog_category(request: MarketRequest, slug: str) -> HttpResponse:
    category = get_object_or_404(PostCategory, slug=slug)
    trail = [(gettext("Blog"), reverse("blog")), (category.translated.name, "")]
    return _posts_page(request, Post.objects.shown().filter(categories=category), trail, category)


def _posts_page(
    request: MarketRequest,
    posts: QuerySet[Post],
    trail: list[tuple[str, str]],
    category: PostCategory | None = None,
) -> HttpResponse:
    next_moment = Post.objects.next_moment()  # before the articles are read, so that none falls in between
    paginator = Paginator(posts.select_related("picture").prefetch_related("categories"), POSTS_A_PAGE)
    number = request.GET.get("page", "1")
    if not number.isascii() or not number.isdigit() or not 1 <= int(number[:6]) <= paginator.num_pages:
        raise Http404
    context = {
        "posts": paginator.page(int(number[:6])),
        "category": category,
        "categories": PostCategory.objects.filter(posts__in=Post.objects.shown()).distinct(),
        "feed_url": bare_path(feed_path(get_language())),
        "breadcrumb": trail,
    }
    response = render(request, "content/blog/blog.html", context)
    show_only(response, [])
    show_until(response, next_moment)
    return response


@public_page
def post(request: MarketRequest, slug: str) -> HttpResponse:
    next_moment = Post.objects.next_moment()
    shown = get_object_or_404(Post.objects.shown().select_related("picture"), slug=slug)
    response = render(request, "content/blog/post.html", post_context(shown))
    show_only(response, [])
    show_until(response, next_moment)
    return response


def post_context(shown: Post) -> dict[str, Any]:
    """What the page of an article needs, be it shown or a draft."""
    categories = list(shown.categories.all())
    way = [(row.translated.name, reverse("blog_category", args=[row.slug])) for row in categories[:1]]
    return {
        "post": shown,
        "categories": categories,
        "related": related_posts(shown),
        "breadcrumb": [(gettext("Blog"), reverse("blog")), *way, (shown.translated.title, "")],
    }


@public_answer
def not_found(request: MarketRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """What failed outside a call's own answers; whatever failed, this page needs none of it."""
    request.resolver_match = request.resolver_match or _match_of(request.path_info)
    status, said = failure(sys.exception())
    if is_api(request):
        return JsonResponse(error_body(status, said), status=status)
    prefix = match_prefix(request.path)
    language = prefix["language"].lower() if prefix else ENGLISH
    words = {
        "shop_name": settings.SHOP_NAME,
        "home": prefix_of(language, prefix["country"]) if prefix else "/",
        "request_id": request_id.get(),
        "styles": _styles_if_any(),
        "is_passing": status == 503,
    }
    with translation.override(language):
        page = render_to_string("500.html", words)
    return HttpResponse(page, status=status, headers={"Cache-Control": "no-store"})


def _match_of(path: str) -> ResolverMatch | None:
    """Who would have answered, where it failed before the market's prefix was taken off the path."""
    try:
        return resolve(bare_path(path))
    except Resolver404:
        return None


def _styles_if_any() -> str:
    """The style sheet knows the categories' tints, and what failed may be where they come from."""
    try:
        return styles_url()
    except Exception:
        return ""
