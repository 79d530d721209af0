"""How mail leaves: into files, or through SMTP with a short wait for the connection."""

import smtplib
import socket
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import BadHeaderError

from ..models import Message
from .base import Channel, UndeliverableError
from .files import keep_file

CONNECT_SECONDS = 3


class MailChannel(Channel):
    def send(self, message: Message) -> None:
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


class FileBackend(BaseEmailBackend):
    """Mails as files in $SHOP_DATA_DIR/mail/ while no SMTP server is configured."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for mail in email_messages:
            keep_file(settings.MAIL_DIR, to=mail.to[0], ending="eml", content=mail.message().as_bytes())
        return len(email_messages)


class _ShortConnect:
    """An SMTP connection that gives up on a dead host sooner than on a slow answer."""

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        connection: socket.socket = super()._get_socket(host, port, min(timeout, CONNECT_SECONDS))  # type: ignore[misc]
        connection.settimeout(timeout)
        return connection


class _SMTP(_ShortConnect, smtplib.SMTP):
    pass


class _SMTPOverTLS(_ShortConnect, smtplib.SMTP_SSL):
    pass


class SmtpBackend(EmailBackend):
    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _SMTPOverTLS if self.use_ssl else _SMTP
