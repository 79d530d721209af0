"""Sign-in with Google. The exchange with Google is allauth's; whom it signs in is decided here."""

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError
from allauth.socialaccount.providers.google.provider import GoogleProvider
from allauth.socialaccount.providers.google.views import GoogleOAuth2Adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_noop

from shop.errors import Invalid, VerificationFailed
from shop.text import one_line

from ..contact_points import canonical_email
from ..models import Consent, Customer
from ..privacy.consents import privacy_version, record_consent
from ..sessions.session import sign_in

CALLBACK = "/google/login/callback/"
MAX_NAME_LENGTH = 100
CANCELLED = gettext_noop("Google sign-in was cancelled.")
FAILED = gettext_noop("Google sign-in didn't work. Please try again or sign in another way.")
UNVERIFIED = gettext_noop("Google hasn't verified your email. Please sign in another way.")


class GoogleAdapter(GoogleOAuth2Adapter):
    """What differs from allauth's own: where Google sends people back to, and that nothing is kept of what Google tells
    but the account's number."""

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        return settings.SHOP_URL + CALLBACK  # as registered with Google: without the market's prefix

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> SocialLogin:
        try:
            login = super().complete_login(request, app, token, **kwargs)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise OAuth2Error("an answer that tells nobody's name") from error
        login.user.name = str(login.account.extra_data.get("name") or "")
        login.account.extra_data = {}
        return login


GoogleProvider.oauth2_adapter_class = GoogleAdapter  # it begins what GoogleAdapter ends


class SocialAdapter(DefaultSocialAccountAdapter):
    """Named by settings.SOCIALACCOUNT_ADAPTER. allauth's own pages and sign-in are never reached."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        try:
            customer = customer_of(sociallogin)
        except VerificationFailed as error:
            raise _back_to_sign_in(request, error.message) from error
        target = sign_in(request, customer, is_reauthentication=False)
        messages.success(request, gettext("Login successful!"))
        raise ImmediateHttpResponse(redirect(target))

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = AuthError.UNKNOWN, **details: Any
    ) -> None:
        raise _back_to_sign_in(request, gettext(CANCELLED if error == AuthError.CANCELLED else FAILED))


def customer_of(login: SocialLogin) -> Customer:
    """Whose Google account it is: the customer who used it before, else who has its verified e-mail, else
    somebody new. Raises BadProof for a disabled account and an unverified e-mail."""
    key = {"provider": login.account.provider, "uid": login.account.uid}
    known = SocialAccount.objects.filter(**key).select_related("user").first()
    customer = known.user if known else _owner_of(_verified_email(login), login.user.name)
    if not customer.is_active:
        raise VerificationFailed(gettext(FAILED))
    if known is None:
        kept, _ = SocialAccount.objects.get_or_create(**key, defaults={"user": customer})
        customer = kept.user
    return customer


def _verified_email(login: SocialLogin) -> str:
    for address in login.email_addresses:
        if address.verified:
            try:
                return canonical_email(address.email)
            except Invalid as error:
                raise VerificationFailed(gettext(UNVERIFIED)) from error
    raise VerificationFailed(gettext(UNVERIFIED))


def _owner_of(email: str, name: str) -> Customer:
    """Every e-mail of a customer was proven before it was kept, so this is the same person."""
    try:
        with transaction.atomic():
            customer = Customer.objects.create_user(email, name=one_line(name)[:MAX_NAME_LENGTH])
            record_consent(customer, Consent.Kind.PRIVACY, privacy_version())
    except IntegrityError:
        return Customer.objects.get(email=email)
    return customer


def _back_to_sign_in(request: HttpRequest, words: str) -> ImmediateHttpResponse:
    messages.error(request, words)
    return ImmediateHttpResponse(redirect("signin"))
