import logging
import signal
import sys
import time

from django.core.management import call_command
from django.db import DatabaseError, connections

from shop.messaging.worker_thread import sending_thread

from ...configuration import ServingCommand
from ...supervisor import start_anew

logger = logging.getLogger(__name__)
PAUSE_SECONDS = 1.0


class Command(ServingCommand):
    help = (
        "Send emails and run background tasks (db_worker) until stopped, even if the database is unavailable "
        "for a while."
    )
    is_to_change = False

    def handle(self, **options: object) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # until db_worker listens to it
        signal.signal(signal.SIGHUP, self._change)
        try:
            with sending_thread():
                _run_tasks()
        finally:
            if self.is_to_change:
                start_anew()

    def _change(self, number: int, frame: object) -> None:
        """Stop, after the task of now, to start again with new code."""
        if not self.is_to_change:  # a second signal breaks a task off
            self.is_to_change = True
            signal.raise_signal(signal.SIGTERM)


def _run_tasks() -> None:
    """Until asked to stop: db_worker ends the process, or comes back if there was a task to finish."""
    while True:
        try:
            call_command("db_worker")
            return
        except DatabaseError:
            logger.exception("the worker could not reach the database")
        finally:
            # It exits where a signal meets it, also after BEGIN: the sending thread would wait for that lock.
            connections.close_all()
        time.sleep(PAUSE_SECONDS)
