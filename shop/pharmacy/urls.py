from django.urls import path

from . import views

urlpatterns = [path("prescription-page/<int:pk>/", views.prescription_page, name="prescription_page")]
