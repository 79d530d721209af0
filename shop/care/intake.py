"""What every message to the shop has in common: it is counted, and kept once however often it is sent."""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256

from django.utils.translation import gettext, gettext_noop

from shop.limits.services import consume

MESSAGES_A_CLIENT = 20  # an hour; carriers share addresses among many
MESSAGES_A_MAILBOX = 5  # a day; each is answered with a mail to an address that anybody can type
TOO_MANY = gettext_noop("You've sent a lot of messages. Please wait a while, or email us.")


def submission_of(words: Mapping[str, str], once: str) -> str:
    """Names one sending of a form: the same words from the same form are the same message, other words
    from it (after a step back in the browser) are another one."""
    parts = [once, *(f"{name}={words[name]}" for name in sorted(words))]
    return sha256("\0".join(parts).encode()).hexdigest()


def count_message(purpose: str, *, email: str, client: str) -> None:
    """Raises TooMany. To be called outside any transaction."""
    consume(purpose, client, limit=MESSAGES_A_CLIENT, period=timedelta(hours=1), message=gettext(TOO_MANY))
    consume(f"{purpose}_mailbox", email, limit=MESSAGES_A_MAILBOX, period=timedelta(days=1), message=gettext(TOO_MANY))
