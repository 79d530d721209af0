"""Showing that it is really the customer who asks, before what opens the account is changed or deleted.

By the password or, where there is none, by a code to an address that the account has already.
"""

from django.conf import settings
from django.contrib.auth.hashers import check_password

from shop.errors import BadProof

from .codes import Letter, allow_send, check_code, send_code
from .models import Code, Customer
from .tries import count_try, forgive_tries


class WrongProof(BadProof):
    code = "wrong_password"

    def __init__(self) -> None:
        problem = "That is not your password."
        super().__init__(problem, fields={"password": [problem]})


def own_address(customer: Customer) -> str:
    """Where the code of a customer without a password goes."""
    return customer.email or customer.phone or ""


def send_proof_code(customer: Customer, *, client_address: str) -> None:
    """Raises TooMany."""
    address = own_address(customer)
    allow_send(address, client_address=client_address)
    letter = Letter("confirm_code", f"Your code at {settings.SHOP_NAME}")
    send_code(purpose=Code.Purpose.CONFIRM, address=address, letter=letter)


def check_own_proof(customer: Customer, *, client_address: str, password: str = "", digits: str = "") -> Code | None:
    """Raises WrongProof or WrongCode, and TooMany: a try counts as one to sign in.

    Returns the code, if it was one, to be spent in the transaction of what it opens.
    """
    if not customer.has_usable_password():
        return check_code(purpose=Code.Purpose.CONFIRM, address=own_address(customer), digits=digits)
    count_try(customer, "", client_address=client_address)
    if not check_password(password, customer.password):
        raise WrongProof()
    forgive_tries(customer, client_address=client_address)
    return None
