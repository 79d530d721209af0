"""The routes of forgotten and changed passwords, and of sign-in by code."""

from shop.tests.support.access import RouteAccess, Who
from shop.tests.support.codes import SOME_CODE

PROOF = "the way in: a code to the stored address is the proof, and codes and guesses are counted"
NEW = "amla and honey 7"
TYPED = {"new_password": NEW, "password_again": NEW}


def change(own):
    return {"current_password": own.password, "new_password": NEW}


ENTRIES = [
    RouteAccess("signin/code/", "GET POST", Who.ANYONE, body=lambda own: {"email": own.email}, why=PROOF),
    RouteAccess("forgot-password/", "GET POST", Who.ANYONE, body=lambda own: {"email": own.email}, why=PROOF),
    RouteAccess("POST /forgot-password/", "POST", Who.ANYONE, body=lambda own: {"email_id": own.email}, why=PROOF),
    RouteAccess(
        "POST /verify-forgot-password/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"email_id": own.email, "otp_code": SOME_CODE, "new_password": NEW},
        why=PROOF,
    ),
    RouteAccess("change-password/", "GET POST", Who.CUSTOMER, body=lambda own: change(own) | TYPED),
    RouteAccess(
        "POST /change-password/",
        "POST",
        Who.CUSTOMER,
        "customer",
        body=lambda own: {"email_id": own.email} | change(own),
    ),
]
