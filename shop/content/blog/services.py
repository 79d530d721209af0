"""What goes with an article of the blog, and its feed."""

from datetime import datetime

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext

from shop.markets.caching.cdn_headers import share
from shop.markets.canonical import bare_path, whole_address
from shop.translated import ENGLISH

from ..models import Post
from ..pages.placeholders import fill_in

MAX_RELATED = 3
POSTS_IN_FEED = 20
FEED_SECONDS = 600


def related_posts(post: Post) -> list[Post]:
    """Other articles to read next: those that share most categories first, then the newest."""
    shared = Count("categories", filter=Q(categories__in=post.categories.all()))
    others = Post.objects.shown().exclude(pk=post.pk).annotate(shared=shared)
    return list(others.order_by("-shared", "-published_at").select_related("picture")[:MAX_RELATED])


def post_address(post: Post) -> str:
    return whole_address(bare_path(reverse("post", args=[post.slug])))


def feed_path(language: str | None) -> str:
    return reverse("blog_feed") if language in (None, ENGLISH) else reverse("blog_feed_in", args=[language])


class BlogFeed(Feed):  # type: ignore[type-arg]  # takes none while it runs
    """The newest articles as Atom in one language, the same for every market."""

    feed_type = Atom1Feed

    def __call__(self, request: HttpRequest, language: str = ENGLISH) -> HttpResponse:
        if language not in settings.SHOP_LANGUAGES:
            raise Http404
        with translation.override(language):
            response = super().__call__(request)
        patch_cache_control(response, public=True, max_age=FEED_SECONDS)
        share(response, [])
        return response

    def title(self) -> str:
        return f"{settings.SHOP_NAME}: {gettext('Blog')}"

    def subtitle(self) -> str:
        return gettext("Simple guides to herbs, self-care and everyday health.")

    def link(self) -> str:
        return whole_address(bare_path(reverse("blog")))

    def feed_url(self) -> str:
        return whole_address(feed_path(get_language()))

    def items(self) -> list[Post]:
        return list(Post.objects.shown().prefetch_related("categories")[:POSTS_IN_FEED])

    def item_title(self, item: Post) -> str:
        return item.translated.title

    def item_link(self, item: Post) -> str:
        return post_address(item)

    def item_description(self, item: Post) -> str:
        return fill_in(item.translated.text)

    def item_author_name(self, item: Post) -> str:
        return item.by

    def item_pubdate(self, item: Post) -> datetime:
        return item.published_at

    def item_updateddate(self, item: Post) -> datetime:
        return max(item.published_at, item.changed_at)

    def item_categories(self, item: Post) -> list[str]:
        return [category.translated.name for category in item.categories.all()]
