"""What a channel says of a message that it will never take."""


class UndeliverableError(Exception):
    """The address is refused for good."""
