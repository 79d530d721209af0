from django.urls import path

from shop.markets.canonical import moved_to

from .addresses import views as address_views
from .auth import google_views, reauthentication_views, views
from .passkeys import views as passkey_views
from .profile import views as profile_views
from .second_factor import views as second_factor_views
from .staff import invitation_views
from .wishlist import views as wishlist_views

urlpatterns = [
    path("signin/", views.signin, name="signin"),
    path("login/", moved_to("signin")),
    path("signup/", views.signup, name="signup"),
    path("otp/", views.otp, name="otp"),
    path("resend/", views.resend_otp, name="resend_otp"),
    path("signin/code/", views.signin_code, name="signin_code"),
    # Passkeys, second factor, Google
    path("passkeys/<int:passkey_id>/rename/", passkey_views.passkey_rename, name="passkey_rename"),
    path("passkeys/<int:passkey_id>/remove/", passkey_views.passkey_remove, name="passkey_remove"),
    path("second-factor/", second_factor_views.second_factor, name="second_factor"),
    path("second-factor/set-up/", second_factor_views.second_factor_set_up, name="second_factor_set_up"),
    path("second-factor/codes/", second_factor_views.recovery_codes, name="recovery_codes"),
    path("staff/join/<str:token>/", invitation_views.staff_join, name="staff_join"),
    path("google/login/", google_views.google_login, name="google_login"),
    path("google/login/callback/", google_views.google_callback, name="google_callback"),
    path("logout/", views.logout, name="logout"),
    path("profile/", profile_views.profile, name="profile"),
    # Changes of the profile, sign-ins, tokens, leaving
    path("profile/address/", profile_views.address_change, name="address_change"),
    path("profile/address/confirm/", profile_views.address_confirm, name="address_confirm"),
    path("profile/download/", profile_views.download, name="download_data"),
    path("profile/delete/", profile_views.delete_account, name="delete_account"),
    path("profile/proof/", reauthentication_views.reauthenticate, name="proof"),
    path("profile/code/", reauthentication_views.own_code, name="own_code"),
    path("profile/sign-ins/end-others/", profile_views.sign_ins_end_others, name="sign_ins_end_others"),
    path("profile/sign-ins/<int:sign_in_id>/end/", profile_views.sign_in_end, name="sign_in_end"),
    path("profile/tokens/<int:token_id>/revoke/", profile_views.token_revoke, name="token_revoke"),
    path("wishlist/", wishlist_views.wishlist, name="wishlist"),
    path("wishlist/change/", wishlist_views.change, name="wishlist_change"),
    path("wishlist/share/", wishlist_views.share, name="share_wishlist"),
    path("wishlist/notices/<int:pk>/", wishlist_views.notices, name="wishlist_notices"),
    path("wishlist/shared/<str:key>/", wishlist_views.shared, name="shared_wishlist"),
    path("address/", address_views.address, name="address"),
    path("address/choose/", address_views.address_choose, name="address_choose"),
    path("address/country/", address_views.address_country, name="address_country"),
    path("address/<int:address_id>/", address_views.address_edit, name="address_edit"),
    path("address/<int:address_id>/delete/", address_views.address_delete, name="address_delete"),
]
