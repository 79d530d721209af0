"""Letters about an account, to one of its addresses."""

from typing import Any

from shop.messaging.services import queue_mail, queue_sms


def write_to(address: str, kind: str, subject: str, **context: Any) -> None:
    """Owe a mail or an SMS made of templates/emails/<kind>, to a canonical address."""
    if "@" in address:
        queue_mail(kind=kind, to=address, subject=subject, template=kind, context=context)
    else:
        queue_sms(kind=kind, to=address, template=kind, context=context)
