"""Writing to the outbox. Call these inside the transaction of what the message tells about: both
are there or neither. A worker sends as soon as the transaction is committed."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.template import Context, Engine

from .delivery import send_due
from .models import Message
from .tasks import deliver_message

__all__ = ["queue_mail", "queue_sms", "send_due"]


def queue_mail(
    *,
    kind: str,
    to: str,
    subject: str,
    template: str,
    context: Mapping[str, Any],
    key: str | None = None,
    stale_after: datetime | None = None,
    hurry: bool = True,
) -> Message:
    """Owe a mail made of templates/emails/<template>.txt and .html; without `hurry` it leaves with the
    clock's next round.

    A second mail with the same `key` is not written; the first is returned. A mail with
    `stale_after` is not sent later than that, and its text is forgotten once it is sent or stale.
    """
    return _queue(
        channel=Message.Channel.MAIL,
        kind=kind,
        to=to,
        subject=" ".join(subject.split())[:200],
        text=_render(f"emails/{template}.txt", context, autoescape=False),
        html=_render(f"emails/{template}.html", context),
        key=key,
        hurry=hurry,
        gone_stale_at=stale_after,
    )


def queue_sms(
    *,
    kind: str,
    to: str,
    template: str,
    context: Mapping[str, Any],
    key: str | None = None,
    stale_after: datetime | None = None,
) -> Message:
    """Owe an SMS made of templates/emails/<template>.sms.txt to an E.164 number; see queue_mail."""
    return _queue(
        channel=Message.Channel.SMS,
        kind=kind,
        to=to,
        text=" ".join(_render(f"emails/{template}.sms.txt", context, autoescape=False).split()),
        key=key,
        gone_stale_at=stale_after,
    )


def _queue(*, key: str | None, hurry: bool = True, **fields: Any) -> Message:
    try:
        with transaction.atomic():
            message = Message.objects.create(key=key, **fields)
    except IntegrityError:
        return Message.objects.get(key=key)
    if hurry:
        # The row is what counts: when the task queue is down, the clock finds the message.
        transaction.on_commit(partial(deliver_message.enqueue, message.pk), robust=True)
    return message


def _render(template: str, context: Mapping[str, Any], *, autoescape: bool = True) -> str:
    everywhere = {"shop_name": settings.SHOP_NAME, "shop_url": settings.SHOP_URL, "shop_email": settings.SHOP_EMAIL}
    return (
        Engine.get_default()
        .get_template(template)
        .render(Context(everywhere | dict(context), autoescape=autoescape))
        .strip()
        + "\n"
    )
