from django.urls import path

from .listing import views

urlpatterns = [
    path("products/<path:path>/", views.category, name="category"),
    path("health-concerns/<slug:slug>/", views.concern, name="concern"),
    path("product/health-concerns/<slug:slug>/", views.concern),
    path("product/<path:path>/", views.former_category),
    path("brand/<str:slug>/", views.brand, name="brand"),
    path("offers_discounts/", views.offers_discounts, name="offers_discounts"),
    path("search/<path:words>/", views.search_results, name="search_results"),
]
