"""Passkeys, the second factor of staff, and Google: who may come in."""

from django.urls import reverse

from shop.tests.support.access import Door, Who

DOORS = [
    Door(
        "POST /api/passkeys/options/",
        "POST",
        Who.ANYONE,
        why="It hands out a challenge; who answers it with a passkey signs in.",
    ),
    Door(
        "POST /api/passkeys/sign-in/",
        "POST",
        Who.ANYONE,
        why="It signs in who holds the passkey of the account that it names.",
    ),
    Door("POST /api/passkeys/register-options/", "POST", Who.CUSTOMER),
    Door("POST /api/passkeys/add/", "POST", Who.CUSTOMER),
    Door(
        "passkeys/<int:passkey_id>/rename/",
        "POST",
        Who.CUSTOMER,
        of="passkey",
        path=lambda own: f"/passkeys/{own.passkey}/rename/",
        body=lambda own: {"name": "Another name"},
    ),
    Door(
        "passkeys/<int:passkey_id>/remove/",
        "POST",
        Who.CUSTOMER,
        of="passkey",
        path=lambda own: f"/passkeys/{own.passkey}/remove/",
    ),
    Door("google/login/", "POST", Who.ANYONE, why="It leads to Google's page, where the shop's keys are set."),
    Door("google/login/callback/", "GET", Who.ANYONE),
    Door("second-factor/", "GET POST", Who.STAFF, permission="staff"),
    Door("second-factor/set-up/", "GET POST", Who.STAFF, permission="staff"),
    Door(
        "admin:accounts_customer_changelist reset_second_factor",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:accounts_customer_changelist"),
        body=lambda own: {"action": "reset_second_factor", "_selected_action": own.customer, "index": "0"},
        permission="accounts.change_customer",
    ),
]
