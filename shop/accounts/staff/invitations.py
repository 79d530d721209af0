"""Staff come by invitation: a link by mail that ends after three days or with its first use. Whoever opens it chooses
a password, and is asked for a second factor before the back office opens."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from shop.errors import NotFound

from ..models import Customer, StaffInvitation
from ..notifications import write_to
from ..passwords.services import check_password_rules
from ..sessions.revocation import revoke_credentials
from .notices import notify_owners_of_access

LASTS = timedelta(days=3)


class InvitationInvalid(NotFound):
    """Used, withdrawn, too old, or never sent."""

    def __init__(self) -> None:
        super().__init__(gettext("This invitation is no longer valid. Ask the shop owner for a new one."))


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@transaction.atomic
def send_invitation(invitation: StaffInvitation) -> None:
    """Queue the email with a new link; a link sent before ends. Writes `token_hash` and `expires_at`.

    Only the hash is kept. Nothing is sent for an invitation that was accepted.
    """
    token = secrets.token_urlsafe(32)
    ends = timezone.now() + LASTS
    waiting = StaffInvitation.objects.filter(pk=invitation.pk, accepted_at=None)
    if waiting.update(token_hash=_hash(token), expires_at=ends):
        write_to(
            invitation.email,
            "staff_invitation",
            f"Join the staff of {settings.SHOP_NAME}",
            stale_after=ends,  # the outbox keeps no link that opens the back office
            name=invitation.name,
            role=invitation.role.name,
            join_url=settings.SHOP_URL + reverse("staff_join", args=[token]),
            days=LASTS.days,
        )


def invitation_of(token: str) -> StaffInvitation:
    """The invitation that a link opens; raises InvitationInvalid, also for who has become staff another way
    meanwhile."""
    open_ones = StaffInvitation.objects.select_related("role").filter(accepted_at=None, expires_at__gt=timezone.now())
    invitation = open_ones.filter(token_hash=_hash(token)).first()
    if invitation is None or Customer.objects.filter(email=invitation.email, is_staff=True).exists():
        raise InvitationInvalid()
    return invitation


def _person_of(invitation: StaffInvitation) -> Customer:
    """The locked account of the address, made where there is none."""
    accounts = Customer.objects.select_for_update(no_key=True).filter(email=invitation.email)
    if (person := accounts.first()) is not None:
        return person
    try:
        return Customer.objects.create_user(invitation.email, name=invitation.name)
    except IntegrityError:  # they signed up at the same moment
        return accounts.get()


def accept_invitation(token: str, *, password: str) -> Customer:
    """Make the invited person staff with the role and this password; a customer's account of that address becomes
    it, signed out everywhere and without the ways in of before.

    Once: all invitations to that address are locked, and end. Raises Invalid, InvitationInvalid.
    """
    check_password_rules(password, field="new_password")
    password_hash = make_password(password)
    with transaction.atomic():
        invitation = invitation_of(token)
        of_address = StaffInvitation.objects.filter(email=invitation.email)
        list(of_address.select_for_update().order_by("pk"))  # in one order, so that two links cannot block each other
        accepted = of_address.filter(pk=invitation.pk, accepted_at=None, token_hash=_hash(token))
        if not accepted.update(accepted_at=timezone.now(), token_hash=None):
            raise InvitationInvalid()
        of_address.filter(accepted_at=None).update(expires_at=timezone.now(), token_hash=None)
        person = _person_of(invitation)
        fields = {"password": password_hash, "is_staff": True, "is_active": True}
        Customer.objects.filter(pk=person.pk).update(**fields, name=person.name or invitation.name)
        person.groups.add(Group.objects.get(pk=invitation.role_id))
        revoke_credentials(person)
        notify_owners_of_access(person, roles=person.groups.all())
    return person
