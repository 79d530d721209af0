"""Writing to the outbox. Call these inside the transaction of what the message tells about: both
are there or neither. The sending thread of a worker sends within a second of the commit."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.template import Context, Engine
from django.utils import translation

from shop.http.request_log import request_id

from .languages import LazyText, language_of_mail, language_of_sms
from .models import Message
from .texts import written


def queue_mail(
    *,
    kind: str,
    to: str,
    subject: str | LazyText,
    template: str,
    context: Mapping[str, Any],
    key: str | None = None,
    stale_after: datetime | None = None,
    headers: Mapping[str, str] | None = None,
    language: str | None = None,
) -> None:
    """Queue an email made of templates/emails/<template>.txt and .html, or of what staff wrote in their place
    (texts.py). `headers` are further lines of its head.

    A second mail with the same `key` is not written. A mail with
    `stale_after` is not sent later than that, and its text is forgotten once it is sent or stale.
    `language` is the customer's; without it the mail is in the language of now, and for staff always in English.
    Texts in `subject` and `context` that are lazy come in the mail's language, whoever acts.
    """
    language = language_of_mail(kind, language)
    with translation.override(language):
        own = written(template, _everywhere(context), language)
        title = own.subject or str(subject)
        if own.text is None:
            text, html = (
                _render(f"emails/{template}.txt", context, autoescape=False),
                _render(f"emails/{template}.html", context),
            )
        else:
            text, html = f"{own.text}\n", _render("emails/written.html", {"text": own.text})
    _queue(
        channel=Message.Channel.MAIL,
        kind=kind,
        to=to,
        language=language,
        subject=" ".join(title.split())[:200],
        text=text,
        html=html,
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
    language: str | None = None,
) -> None:
    """Queue an SMS made of templates/emails/<template>.sms.txt to an E.164 number; see queue_mail."""
    language = language_of_sms(kind, to, language)
    with translation.override(language):
        own = written(template, _everywhere(context), language).sms
        text = _render(f"emails/{template}.sms.txt", context, autoescape=False) if own is None else own
    _queue(
        channel=Message.Channel.SMS,
        kind=kind,
        to=to,
        language=language,
        text=" ".join(text.split()) + _code_line(context),
        key=key,
        gone_stale_at=stale_after,
    )


def _code_line(context: Mapping[str, Any]) -> str:
    """What lets a phone fill a code in on the shop's own pages only (WebOTP): the last line of the SMS."""
    return f"\n\n@{urlsplit(settings.SHOP_URL).hostname} #{context['code']}" if "code" in context else ""


def _queue(**fields: Any) -> None:
    Message.objects.bulk_create([Message(request_id=request_id.get(), **fields)], ignore_conflicts=True)  # of the key


def _render(template: str, context: Mapping[str, Any], *, autoescape: bool = True) -> str:
    known = Context(_everywhere(context), autoescape=autoescape)
    return Engine.get_default().get_template(template).render(known).strip() + "\n"


def _everywhere(context: Mapping[str, Any]) -> dict[str, Any]:
    shop = {"shop_name": settings.SHOP_NAME, "shop_url": settings.SHOP_URL, "shop_email": settings.SHOP_EMAIL}
    return shop | dict(context)
