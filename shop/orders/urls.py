from django.urls import path

from . import views

urlpatterns = [
    path("orders/", views.orders, name="orders"),
    path("order-detail/<str:number>/", views.order_detail, name="order_detail"),
    path("place-order/", views.place_order, name="place_order"),
]
