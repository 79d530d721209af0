from django.urls import path

from . import views

urlpatterns = [
    path("product/<slug:slug>/", views.product, name="product"),
    path("recently-viewed/", views.recently_viewed, name="recently_viewed"),
    path("styles-<slug:digest>.css", views.styles, name="styles"),
    path("brands/", views.brands, name="brands"),
]
