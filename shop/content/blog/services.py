"""What goes with an article of the blog, and its feed."""

from datetime import datetime

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed

from shop.markets.canonical import bare_path, whole_address

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


class BlogFeed(Feed):  # type: ignore[type-arg]  # takes none while it runs
    """The newest articles as Atom, the same for every market."""

    feed_type = Atom1Feed
    title = f"{settings.SHOP_NAME}: blog"
    subtitle = "What we've learned about herbs, care and everyday health."

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = super().__call__(request, *args, **kwargs)
        patch_cache_control(response, public=True, max_age=FEED_SECONDS)
        return response

    def link(self) -> str:
        return whole_address(bare_path(reverse("blog")))

    def feed_url(self) -> str:
        return whole_address(reverse("blog_feed"))

    def items(self) -> list[Post]:
        return list(Post.objects.shown().prefetch_related("categories")[:POSTS_IN_FEED])

    def item_title(self, item: Post) -> str:
        return item.title

    def item_link(self, item: Post) -> str:
        return post_address(item)

    def item_description(self, item: Post) -> str:
        return fill_in(item.text)

    def item_author_name(self, item: Post) -> str:
        return item.by

    def item_pubdate(self, item: Post) -> datetime:
        return item.published_at

    def item_updateddate(self, item: Post) -> datetime:
        return max(item.published_at, item.changed_at)

    def item_categories(self, item: Post) -> list[str]:
        return [category.name for category in item.categories.all()]
