"""One way out for each channel. A sender returns when the message is handed over; it raises
UndeliverableError when no retry can help, and anything else when one may."""

import smtplib

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import BadHeaderError

from ..models import Message
from .files import keep_file
from .refusals import UndeliverableError
from .sms import send_over_http


def send(message: Message) -> None:
    if message.channel == Message.Channel.SMS:
        _send_sms(message)
    else:
        _send_mail(message)


def _send_mail(message: Message) -> None:
    # The id is the row's own, so that a mail sent again after a crash is known as the same one.
    own = {"Message-ID": f"<{message.kind}.{message.pk}.{message.created_at:%Y%m%d%H%M%S}@{settings.SHOP_HOST}>"}
    mail = EmailMultiAlternatives(message.subject, message.text, to=[message.to], headers=own | message.headers)
    if message.html:
        mail.attach_alternative(message.html, "text/html")
    try:
        mail.send()
    except BadHeaderError as error:
        raise UndeliverableError("unusable header") from error
    except smtplib.SMTPRecipientsRefused as error:
        code, reply = error.recipients.get(message.to, (0, b""))
        if code >= 500:
            raise UndeliverableError(f"{code} {reply.decode(errors='replace')}") from error
        raise


def _send_sms(message: Message) -> None:
    if settings.SMS_URL:
        send_over_http(message)
    else:
        content = f"To: {message.to}\n\n{message.text}\n".encode()
        keep_file(settings.SMS_DIR, to=message.to, ending="txt", content=content)
