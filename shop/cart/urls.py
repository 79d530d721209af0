from django.urls import path

from . import views

urlpatterns = [
    path("cart/", views.cart, name="cart"),
    path("cart/add/", views.cart_add, name="cart_add"),
    path("cart/change/", views.cart_change, name="cart_change"),
    path("cart/remove/", views.cart_remove, name="cart_remove"),
    path("cart/restore/", views.cart_restore, name="cart_restore"),
    path("cart/save/", views.cart_save, name="cart_save"),
    path("cart/move/", views.cart_move, name="cart_move"),
    path("cart/coupon/", views.cart_coupon, name="cart_coupon"),
    path("cart/coupon/remove/", views.cart_coupon_remove, name="cart_coupon_remove"),
    path("cart/points/", views.cart_points, name="cart_points"),
    path("cart/preview/", views.cart_preview, name="cart_preview"),
]
