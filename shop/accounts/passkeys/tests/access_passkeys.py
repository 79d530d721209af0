"""Passkeys, the second factor of staff, and Google: who may come in."""

from django.urls import reverse

from shop.tests.support.access import RouteAccess, Who

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
    RouteAccess(
        "admin:accounts_customer_changelist reset_second_factor",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:accounts_customer_changelist"),
        body=lambda own: {"action": "reset_second_factor", "_selected_action": own.customer, "index": "0"},
        permission="accounts.change_customer",
    ),
]
