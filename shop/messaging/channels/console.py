"""Messages printed where the worker runs, for development: they hold one-time codes, which no log may."""

import sys

from ..models import Message
from .base import Channel


class ConsoleChannel(Channel):
    def send(self, message: Message) -> None:
        head = [f"--- {message.channel} to {message.to} ({message.kind})", message.subject]
        sys.stdout.write("\n".join([*filter(None, head), "", message.text.strip(), "\n"]))
        sys.stdout.flush()
