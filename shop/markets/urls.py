from django.urls import path

from . import views

urlpatterns = [
    path("deliver-to/", views.pick_country, name="pick_country"),
    path("currency/", views.pick_currency, name="pick_currency"),
    path("language/", views.pick_language, name="pick_language"),
]
