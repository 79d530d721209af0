"""What ends when a customer changes the password, loses it, or leaves."""

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


def forget_codes(customer: Customer) -> None:
    """Delete every code that was sent to an address of a customer, whatever it was for, and what would put
    another address in its place."""
    addresses = [address for address in (customer.email, customer.phone) if address]
    Code.objects.filter(Q(address__in=addresses) | Q(browser=holder_of(key_of(customer)))).delete()
