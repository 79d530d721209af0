import socket

import pytest
from aiosmtpd.controller import Controller


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path):
    settings.EMAIL_BACKEND = "shop.messaging.channels.mail.FileBackend"
    settings.MAIL_DIR = tmp_path / "mail"
    settings.SMS_DIR = tmp_path / "sms"


class Inbox:
    """What an SMTP server on loopback received; `answer` is what it says to a recipient."""

    def __init__(self):
        self.mails = []
        self.answer = "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.mails.append(envelope)
        return "250 kept"


@pytest.fixture
def smtp_server(settings):
    inbox = Inbox()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Controller(inbox, hostname="127.0.0.1", port=port)
    server.start()
    settings.EMAIL_BACKEND = "shop.messaging.channels.mail.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_TIMEOUT = 2
    yield inbox
    server.stop()


@pytest.fixture
def queue():
    from ..models import Message
    from ..services import queue_mail

    def queue(**changes):
        fields = {
            "kind": "sign_up_code",
            "to": "asha@example.com",
            "subject": "Your code",
            "template": "sign_up_code",
            "context": {"code": "123456", "minutes": 10},
        }
        queue_mail(**fields | changes)
        return Message.objects.get(key=changes["key"]) if "key" in changes else Message.objects.latest("pk")

    return queue
