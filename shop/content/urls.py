from django.urls import path

from shop.markets.canonical import moved_to

from . import crawler_views, views
from .starting_pages import STARTING_PAGES

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", crawler_views.robots),
    path("sitemap.xml", crawler_views.sitemap_index),
    path("sitemaps/<slug:country>/<slug:section>-<int:page>.xml", crawler_views.sitemap),
    path("feeds/merchant-<slug:country>.xml", crawler_views.merchant_feed),
    path("ayurvedic/", moved_to("home")),
    *[path(f"{slug}/", views.page, {"slug": slug}, name=slug) for slug in STARTING_PAGES],
]
