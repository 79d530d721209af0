"""Passkeys, the second factor of staff, and Google: who may come in."""

from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import StaffInvitation
from shop.accounts.staff.roles import ORDER_DESK
from shop.tests.support.access import RouteAccess, Who, admin_entries


def invited():
    """The secret of an invitation's link."""
    fields = {"email": "new@example.com", "role": Group.objects.get(name=ORDER_DESK)}
    ends = timezone.now() + timedelta(days=1)
    StaffInvitation.objects.update_or_create(
        token_hash=sha256(b"secret").hexdigest(), defaults=fields | {"expires_at": ends}
    )
    return "secret"


ENTRIES = [
    RouteAccess(
        "POST /api/passkeys/options/",
        "POST",
        Who.ANYONE,
        why="It hands out a challenge; who answers it with a passkey signs in.",
    ),
    RouteAccess(
        "POST /api/passkeys/sign-in/",
        "POST",
        Who.ANYONE,
        why="It signs in who holds the passkey of the account that it names.",
    ),
    RouteAccess("POST /api/passkeys/register-options/", "POST", Who.CUSTOMER),
    RouteAccess("POST /api/passkeys/add/", "POST", Who.CUSTOMER),
    RouteAccess(
        "passkeys/<int:passkey_id>/rename/",
        "POST",
        Who.CUSTOMER,
        of="passkey",
        path=lambda own: f"/passkeys/{own.passkey}/rename/",
        body=lambda own: {"name": "Another name"},
    ),
    RouteAccess(
        "passkeys/<int:passkey_id>/remove/",
        "POST",
        Who.CUSTOMER,
        of="passkey",
        path=lambda own: f"/passkeys/{own.passkey}/remove/",
    ),
    RouteAccess("google/login/", "POST", Who.ANYONE, why="It leads to Google's page, where the shop's keys are set."),
    RouteAccess("google/login/callback/", "GET", Who.ANYONE),
    RouteAccess("second-factor/", "GET POST", Who.STAFF, permission="staff"),
    RouteAccess("second-factor/set-up/", "GET POST", Who.STAFF, permission="staff"),
    RouteAccess("second-factor/codes/", "GET POST", Who.STAFF, permission="staff"),
    RouteAccess(
        "staff/join/<str:token>/",
        "GET POST",
        Who.ANYONE,
        path=lambda own: f"/staff/join/{invited()}/",
        body=lambda own: {"new_password": "correct horse battery", "password_again": "correct horse battery"},
        why="the link's secret, sent by mail, is the proof; it works once and ends after three days",
    ),
    *admin_entries(
        "accounts.staffinvitation", add=True, delete=True, actions={"send_again": "accounts.change_staffinvitation"}
    ),
    RouteAccess(
        "admin:accounts_customer_changelist reset_second_factor",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:accounts_customer_changelist"),
        body=lambda own: {"action": "reset_second_factor", "_selected_action": own.customer, "index": "0"},
        permission="accounts.change_customer",
    ),
]
