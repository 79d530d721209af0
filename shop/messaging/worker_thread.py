"""The sending thread of a worker, a thread beside its tasks, so that a mail leaves within a second of the commit
that owes it, however long a task takes."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, close_old_connections, connections

from .delivery import send_due

logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.5
PAUSE_SECONDS = 5.0  # after a failure
END_SECONDS = 25.0  # for the message that is being sent: to note it may take as long as a write waits for others


@contextmanager
def sending_thread() -> Iterator[None]:
    """Send what is due until the block ends."""
    stop_requested = threading.Event()
    thread = threading.Thread(target=_go_round, args=[stop_requested], name="sending", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop_requested.set()
        thread.join(END_SECONDS)


def _go_round(stop_requested: threading.Event) -> None:
    pause = LOOK_SECONDS
    while not stop_requested.wait(pause):
        close_old_connections()
        try:
            sent, is_well = send_due(stop_requested)
        except DatabaseError:
            logger.exception("the sending thread could not reach the database")
            sent, is_well = 0, False
        pause = PAUSE_SECONDS if not is_well else 0 if sent else LOOK_SECONDS
    connections.close_all()
