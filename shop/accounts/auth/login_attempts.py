"""Wrong passwords are counted for the address that was typed, for the account behind it and for the client; in a
browser that its customer used before, for that browser alone."""

from datetime import timedelta

from shop.errors import TooMany
from shop.limits.services import client_of, consume, release, reset

from ..models import Customer
from ..otp.puzzles import spend_puzzle

LIMIT, PERIOD = 5, timedelta(minutes=5)


def count_attempt(
    customer: Customer | None, typed: str, *, client_address: str, browser: str = "", puzzle: str = ""
) -> bool:
    """Count one try to sign in with a password, before it is looked at, and say whether to look at it at all.

    Raises TooMany. `typed` is the address, whether it has an account or not. The two addresses of an account
    share one count that nobody sees: past it every password is wrong, so that neither address tells of the
    other. What strangers do counts for no browser that its customer used before (browsers.browser_of).
    Who has solved a puzzle has a few tries beside theirs. Call it outside any transaction.
    """
    client = client_of(client_address)
    if customer and browser:
        consume("sign_in_browser", f"{customer.pk}|{browser}", limit=LIMIT, period=PERIOD)
        return True
    try:
        consume("sign_in_client", client, limit=10, period=timedelta(minutes=1))
        consume("sign_in_address", typed, limit=LIMIT, period=PERIOD)
    except TooMany as refusal:
        spend_puzzle(puzzle, client=client, refusal=refusal)
        consume("sign_in_puzzle_client", f"{typed}|{client}", limit=2, period=PERIOD)
        consume("sign_in_puzzle", typed, limit=LIMIT, period=PERIOD)
        return True
    try:
        consume("sign_in_account", _account(customer) or typed, limit=LIMIT, period=PERIOD)
    except TooMany:
        return False
    return True


def count_own_attempt(customer: Customer, *, client_address: str, browser: str = "") -> None:
    """Count a try to prove the password of the account that is signed in; raises TooMany."""
    if browser:
        consume("sign_in_browser", f"{customer.pk}|{browser}", limit=LIMIT, period=PERIOD)
        return
    consume("sign_in_client", client_of(client_address), limit=10, period=timedelta(minutes=1))
    consume("sign_in_account", _account(customer), limit=LIMIT, period=PERIOD)


def reset_attempts(customer: Customer, typed: str = "", *, client_address: str = "", browser: str = "") -> None:
    """The password was right, or another way showed who it is: the counts of the account, of the address that
    was `typed` and of the browser begin anew, and the client, which may be many people behind one address,
    is not blamed for this try."""
    if browser:
        reset("sign_in_browser", f"{customer.pk}|{browser}")
        return
    reset("sign_in_account", _account(customer))
    reset("sign_in_address", typed)
    if client_address:
        release("sign_in_client", client_of(client_address))


def _account(customer: Customer | None) -> str:
    return f"customer:{customer.pk}" if customer else ""
