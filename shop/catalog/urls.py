from django.urls import path

from .categories.views import categories
from .products import views
from .stock import views as alert_views

urlpatterns = [
    path("product/<slug:slug>/", views.product, name="product"),
    path("product/<slug:slug>/delivery/", views.product_delivery, name="product_delivery"),
    path("product/<slug:slug>/options/", views.product_options, name="product_options"),
    path("product/<slug:slug>/alert/", alert_views.stock_alert, name="stock_alert"),
    path("recently-viewed/", views.recently_viewed, name="recently_viewed"),
    path("styles-<slug:digest>.css", views.styles, name="styles"),
    path("categories/", categories, name="categories"),
    path("brands/", views.brands, name="brands"),
]
