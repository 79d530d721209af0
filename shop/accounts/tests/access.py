"""The accounts' routes that were there first. Others are beside this file (access_passwords.py, access_profile.py,
access_passkeys.py): a list ENTRIES with one RouteAccess for each route of urls.py and each call.

    ENTRIES = [
        RouteAccess("forgot-password/", "GET POST", Who.ANYONE, body=lambda own: {"email": own.email}, why="…"),
        RouteAccess("profile/tokens/<int:pk>/revoke/", "POST", Who.CUSTOMER, "token",
             path=lambda own: f"/profile/tokens/{own.token}/revoke/"),
        RouteAccess("POST /change-password/", "POST", Who.CUSTOMER, "customer",
             body=lambda own: {"email_id": own.email, "current_password": own.password, "new_password": "…"}),
    ]

`own` are somebody's belongings (shop/tests/support/belongings.py): of the caller, where he must succeed; of
another customer and of nobody, where both must look missing (`of` names whose thing it is; without
`of` nothing foreign can be named). A route whose methods change is changed where it stands. Then
`pytest shop/tests/walks/test_who_may_call_what.py`.
"""

from django.urls import reverse

from shop.tests.support.access import RouteAccess, Who, admin_entries
from shop.tests.support.codes import SOME_CODE

PROOF = "the way in: a password or a code is the proof, and tries are counted"
TYPED = {
    "full_name": "Asha Rao", "phone_code": "+91", "phone_number": "9876543210", "alt_phone_code": "+91",
    "alt_phone_number": "9876543211", "address": "12 Temple Road", "city": "Bengaluru", "state": "Karnataka",
    "pincode": "560001", "address_type": "Home",
}  # fmt: skip


def sign_up(own):
    return {"name": "Chitra", "email": "chitra@example.com"} | dict.fromkeys(
        ("password", "password_again"), own.password
    )


def register(own):
    return {"user_name": "Chitra", "email_id": "chitra@example.com", "password": own.password}


ENTRIES = [
    RouteAccess(
        "signin/",
        "GET POST",
        Who.ANYONE,
        body=lambda own: {"email": own.email, "password": "another one"},
        why=PROOF,
    ),
    RouteAccess("login/", "GET", Who.ANYONE),
    RouteAccess("signup/", "GET POST", Who.ANYONE, body=sign_up, why=PROOF),
    RouteAccess("otp/", "GET POST", Who.ANYONE, body=lambda own: {"otp_code": SOME_CODE}, why=PROOF),
    RouteAccess("resend/", "POST", Who.ANYONE, why="one more code for the sign-up of this session, counted"),
    RouteAccess("logout/", "POST", Who.ANYONE, why="ends the caller's own sign-in, if there is one"),
    RouteAccess("profile/", "GET POST", Who.CUSTOMER, body=lambda own: {"name": own.name}),
    RouteAccess("address/", "GET POST", Who.CUSTOMER, body=lambda own: TYPED),
    RouteAccess("address/choose/", "POST", Who.CUSTOMER, "address", body=lambda own: {"address": own.address}),
    RouteAccess("address/country/", "POST", Who.CUSTOMER, body=lambda own: TYPED),
    RouteAccess(
        "address/<int:address_id>/",
        "GET POST",
        Who.CUSTOMER,
        "address",
        lambda own: f"/address/{own.address}/",
        lambda own: TYPED,
    ),
    RouteAccess(
        "address/<int:address_id>/delete/",
        "POST",
        Who.CUSTOMER,
        "address",
        lambda own: f"/address/{own.address}/delete/",
    ),
    RouteAccess("POST /user-register/", "POST", Who.ANYONE, body=register, why=PROOF),
    RouteAccess(
        "POST /verify-otp/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"email_id": own.email, "otp_code": SOME_CODE},
        why=PROOF,
    ),
    RouteAccess(
        "POST /user-login/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"email_id": own.email, "password": "another one"},
        why=PROOF,
    ),
    RouteAccess(
        "POST /user-logout/",
        "POST",
        Who.ANYONE,
        "customer",
        body=lambda own: {"user_id": own.customer},
        foreign=200,
        why="ends the caller's own sign-in, whoever is named",
    ),
    RouteAccess(
        "POST /add-address/", "POST", Who.CUSTOMER, "customer", body=lambda own: TYPED | {"user_id": own.customer}
    ),
    RouteAccess(
        "POST /add-address/", "POST", Who.CUSTOMER, "customer", body=lambda own: TYPED | {"customer": own.customer}
    ),
    *[
        RouteAccess(
            "POST /update-address/",
            "POST",
            Who.CUSTOMER,
            "address",
            body=lambda own, changes=changes: {"address_id": own.address} | changes,
        )
        for changes in ({"city": "Mysuru"}, {"is_default": True})
    ],
    RouteAccess("POST /delete-address/", "POST", Who.CUSTOMER, "address", body=lambda own: {"address_id": own.address}),
    *[
        RouteAccess(
            f"admin:accounts_customer_{page}",
            "POST",
            Who.STAFF,
            path=lambda own, page=page: reverse(f"admin:accounts_customer_{page}", args=[own.customer]),
            body=lambda own, body=body: body,
            permission=f"accounts.{permission}",
        )
        for page, permission, body in (
            ("note", "add_customernote", {"text": "Call in the evening", "key": "1"}),
            ("tag", "add_customertag", {"word": "wholesale"}),
            ("untag", "delete_customertag", {"word": "wholesale"}),
        )
    ],
    *admin_entries("accounts.customer", change=True, actions={"end_sign_ins": "accounts.change_customer"}),
]
