"""Wrong passwords are counted for the account, whichever of its addresses was typed, and for the client."""

from datetime import timedelta

from shop.limits.services import client_of, give_back, give_back_one, take

from .models import Customer


def count_try(customer: Customer | None, typed: str, *, client_address: str) -> None:
    """Count one try to prove a password, before it is looked at; raises TooMany.

    `typed` stands for an account that does not exist. Call it outside any transaction.
    """
    take("sign_in_client", client_of(client_address), limit=10, period=timedelta(minutes=1))
    take("sign_in_account", _account(customer, typed), limit=5, period=timedelta(minutes=5))


def forgive_tries(customer: Customer, *, client_address: str = "") -> None:
    """The password was right, or another way showed who it is: the account's count begins anew, and
    the client, which may be many people behind one address, is not blamed for this try."""
    give_back("sign_in_account", _account(customer, ""))
    if client_address:
        give_back_one("sign_in_client", client_of(client_address))


def _account(customer: Customer | None, typed: str) -> str:
    return f"customer:{customer.pk}" if customer else typed
