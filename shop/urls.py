"""The whole route table. Pages come before calls; the market prefix (/en-in/…) is taken off by
shop/markets/middleware.py, other spellings are redirected by shop/doors.py."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from shop.api import api

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("shop.content.urls")),
    path("", include("shop.markets.urls")),
    path("", include("shop.catalog.urls")),
    path("", include("shop.search.urls")),
    path("", include("shop.accounts.urls")),
    path("", include("shop.cart.urls")),
    path("", include("shop.orders.urls")),
    path("", include("shop.payments.urls")),
    path("", api.urls),
]

handler404 = "shop.content.views.not_found"
