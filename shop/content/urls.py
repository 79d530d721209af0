from django.urls import path
from django.views.generic import RedirectView

from . import views

urlpatterns = [
    path("", views.home, name="home"),
    path("ayurvedic/", RedirectView.as_view(pattern_name="home", permanent=True)),
]
