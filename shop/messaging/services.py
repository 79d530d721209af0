"""Writing to the outbox. Call these inside the transaction of what the message tells about: both
are there or neither. The sending thread of a worker sends within a second of the commit."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.template import Context, Engine

from shop.http.request_log import request_id

from .models import Message


def queue_mail(
    *,
    kind: str,
    to: str,
    subject: str,
    template: str,
    context: Mapping[str, Any],
    key: str | None = None,
    stale_after: datetime | None = None,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Owe a mail made of templates/emails/<template>.txt and .html. `headers` are further lines of its head.

    A second mail with the same `key` is not written. A mail with
    `stale_after` is not sent later than that, and its text is forgotten once it is sent or stale.
    """
    _queue(
        channel=Message.Channel.MAIL,
        kind=kind,
        to=to,
        subject=" ".join(subject.split())[:200],
        text=_render(f"emails/{template}.txt", context, autoescape=False),
        html=_render(f"emails/{template}.html", context),
        headers=dict(headers or {}),
        key=key,
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
) -> None:
    """Owe an SMS made of templates/emails/<template>.sms.txt to an E.164 number; see queue_mail."""
    _queue(
        channel=Message.Channel.SMS,
        kind=kind,
        to=to,
        text=" ".join(_render(f"emails/{template}.sms.txt", context, autoescape=False).split()),
        key=key,
        gone_stale_at=stale_after,
    )


def _queue(**fields: Any) -> None:
    Message.objects.bulk_create([Message(request_id=request_id.get(), **fields)], ignore_conflicts=True)  # of the key


def _render(template: str, context: Mapping[str, Any], *, autoescape: bool = True) -> str:
    everywhere = {"shop_name": settings.SHOP_NAME, "shop_url": settings.SHOP_URL, "shop_email": settings.SHOP_EMAIL}
    return (
        Engine.get_default()
        .get_template(template)
        .render(Context(everywhere | dict(context), autoescape=autoescape))
        .strip()
        + "\n"
    )
