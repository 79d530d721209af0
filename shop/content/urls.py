from django.urls import path

from shop.markets.canonical import moved_to

from . import views
from .starting_pages import STARTING_PAGES

urlpatterns = [
    path("", views.home, name="home"),
    path("ayurvedic/", moved_to("home")),
    *[path(f"{slug}/", views.page, {"slug": slug}, name=slug) for slug in STARTING_PAGES],
]
