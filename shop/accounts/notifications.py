"""Letters about an account, to one of its addresses."""

from datetime import datetime
from typing import Any

from shop.messaging.languages import LazyText
from shop.messaging.services import queue_mail, queue_sms


def write_to(
    address: str,
    kind: str,
    subject: str | LazyText,
    *,
    language: str | None = None,
    stale_after: datetime | None = None,
    **context: Any,
) -> None:
    """Queue an email or an SMS made of templates/emails/<kind>, to a canonical address, in the account's `language` or
    that of the page; with `stale_after` its text is forgotten once it is sent or too late."""
    about: dict[str, Any] = {
        "kind": kind,
        "to": address,
        "template": kind,
        "context": context,
        "stale_after": stale_after,
        "language": language,
    }
    if "@" in address:
        queue_mail(subject=subject, **about)
    else:
        queue_sms(**about)
