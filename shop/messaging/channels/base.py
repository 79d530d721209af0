"""What every channel does, and which one carries a message: settings.MESSAGE_CHANNELS names a class for each value
of Message.channel."""

from abc import ABC, abstractmethod

from django.conf import settings
from django.utils.module_loading import import_string

from ..models import Message


class UndeliverableError(Exception):
    """The address is refused for good."""


class Channel(ABC):
    @abstractmethod
    def send(self, message: Message) -> None:
        """Hand a message over. Raises UndeliverableError when no retry can help, and anything else when one may."""


def send(message: Message) -> None:
    """Hand a message to its channel, which says what it raises."""
    channel: Channel = import_string(settings.MESSAGE_CHANNELS[message.channel])()
    channel.send(message)
