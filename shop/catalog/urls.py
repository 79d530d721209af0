from django.urls import path

from . import views

urlpatterns = [
    path("product/<slug:slug>/", views.product, name="product"),
    path("recently-viewed/", views.recently_viewed, name="recently_viewed"),
    path("tints-<slug:digest>.css", views.tints, name="tints"),
    path("brands/", views.brands, name="brands"),
]
