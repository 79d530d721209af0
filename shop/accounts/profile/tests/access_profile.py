"""The profile, where its customer is signed in, and how to leave."""

from shop.tests.support.access import RouteAccess, Who
from shop.tests.support.codes import SOME_CODE

ENTRIES = [
    RouteAccess(
        "profile/address/",
        "GET POST",
        Who.CUSTOMER,
        body=lambda own: {"by": "email", "email": "chitra@example.com"},
    ),
    RouteAccess("profile/address/confirm/", "GET POST", Who.CUSTOMER, body=lambda own: {"otp_code": SOME_CODE}),
    RouteAccess("profile/download/", "GET", Who.CUSTOMER),
    RouteAccess("profile/delete/", "GET POST", Who.CUSTOMER, body=lambda own: {"password": own.password}),
    RouteAccess("profile/proof/", "GET POST", Who.CUSTOMER, body=lambda own: {"password": own.password}),
    RouteAccess("profile/code/", "POST", Who.CUSTOMER),
    RouteAccess("profile/sign-ins/end-others/", "POST", Who.CUSTOMER),
    RouteAccess(
        "profile/sign-ins/<int:sign_in_id>/end/",
        "POST",
        Who.CUSTOMER,
        of="sign_in",
        path=lambda own: f"/profile/sign-ins/{own.sign_in}/end/",
    ),
    RouteAccess(
        "profile/tokens/<int:token_id>/revoke/",
        "POST",
        Who.CUSTOMER,
        of="token",
        path=lambda own: f"/profile/tokens/{own.token}/revoke/",
    ),
]
