from django.urls import path
from django.views.decorators.http import require_safe

from shop.markets.canonical import moved_to

from . import views
from .blog.services import BlogFeed
from .pages.initial import STARTING_PAGES
from .seo import views as crawler_views

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", crawler_views.robots),
    path("sitemap.xml", crawler_views.sitemap_index),
    path("sitemaps/<slug:country>/<slug:section>-<int:page>.xml", crawler_views.sitemap),
    path("feeds/merchant-<slug:country>.xml", crawler_views.merchant_feed),
    path("feeds/blog.xml", require_safe(BlogFeed()), name="blog_feed"),
    path("feeds/blog-<slug:language>.xml", require_safe(BlogFeed()), name="blog_feed_in"),
    path("faq/", views.faq, name="faq"),
    path("blog/", views.blog, name="blog"),
    path("blog/category/<slug:slug>/", views.blog_category, name="blog_category"),
    path("blog/<slug:slug>/", views.post, name="post"),
    path("blogs/", moved_to("blog")),
    path("blogdetail/", moved_to("blog")),
    path("ayurvedic/", moved_to("home")),
    *[path(f"{slug}/", views.page, {"slug": slug}, name=slug) for slug in STARTING_PAGES],
]
