from django.urls import path

from . import views
from .refills import views as refill_views

urlpatterns = [
    path("prescription-page/<int:pk>/", views.prescription_page, name="prescription_page"),
    path("order-detail/<str:number>/refill/<int:pk>/", refill_views.ask, name="ask_for_refill"),
    path("refills/", refill_views.refills, name="refills"),
    path("refills/<int:pk>/", refill_views.refill, name="refill"),
    path("refills/<int:pk>/<slug:step>/", refill_views.step, name="refill_step"),
    path("refill/<str:token>/", refill_views.mailed_refill, name="mailed_refill"),
    path("refill/<str:token>/end/", refill_views.end_mailed_refill, name="end_mailed_refill"),
]
