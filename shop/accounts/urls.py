from django.urls import path

from shop.markets.canonical import moved_to

from . import views

urlpatterns = [
    path("signin/", views.signin, name="signin"),
    path("login/", moved_to("signin")),
    path("signup/", views.signup, name="signup"),
    path("otp/", views.otp, name="otp"),
    path("resend/", views.resend_otp, name="resend_otp"),
    path("logout/", views.logout, name="logout"),
    path("profile/", views.profile, name="profile"),
    path("address/", views.address, name="address"),
    path("address/choose/", views.address_choose, name="address_choose"),
    path("address/country/", views.address_country, name="address_country"),
    path("address/<int:address_id>/", views.address_edit, name="address_edit"),
    path("address/<int:address_id>/delete/", views.address_delete, name="address_delete"),
]
