"""What ends when a customer changes the password, loses it, or leaves."""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q

from ..models import Code, Customer
from ..otp.services import holder_of, key_of
from .store import stored_key


def end_sign_ins(customer: Customer, *, keep_session: str = "") -> None:
    """End every sign-in and token of a customer, but for the session with the key `keep_session`."""
    with transaction.atomic():
        ending = UserSession.objects.filter(user=customer).exclude(session_key=stored_key(keep_session))
        Session.objects.filter(session_key__in=list(ending.values_list("session_key", flat=True))).delete()
        ending.delete()
        customer.api_tokens.all().delete()


def delete_codes(customer: Customer) -> None:
    """Delete every code that was sent to an address of a customer, whatever it was for, and what would put
    another address in its place."""
    addresses = [address for address in (customer.email, customer.phone) if address]
    Code.objects.filter(Q(address__in=addresses) | Q(browser=holder_of(key_of(customer)))).delete()


def unlink_google(customer: Customer) -> None:
    """Delete the links to Google accounts; the owner's is made anew by the verified e-mail."""
    SocialAccount.objects.filter(user=customer).delete()


@transaction.atomic
def revoke_credentials(customer: Customer) -> None:
    """Delete whatever opens an account but its addresses and its password, and end what it opened: of who leaves, and
    of who becomes staff, whose passkeys would be a second factor too."""
    delete_codes(customer)
    end_sign_ins(customer)
    unlink_google(customer)
    customer.known_browsers.all().delete()
    Authenticator.objects.filter(user=customer).delete()
