import logging
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, connections

from shop.messaging.worker_thread import sending_thread

from ...configuration import ServingCommand
from ...supervisor import start_anew

logger = logging.getLogger(__name__)
PAUSE_SECONDS = 1.0
MESSAGES = "messages"  # the outbox, which a thread sends beside the tasks
QUEUES = (MESSAGES, *settings.TASK_QUEUES)


class Command(ServingCommand):
    help = (
        "Send emails and run background tasks (db_worker) until stopped, even if the database is unavailable "
        "for a while."
    )
    is_to_change = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues",
            default=",".join(QUEUES),
            help=f"Work on these alone, separated by commas: {', '.join(QUEUES)} (default: all of them).",
        )

    def handle(self, *, queues: str, **options: object) -> None:
        wanted = {name.strip() for name in queues.split(",")}
        if unknown := wanted - {*QUEUES}:
            raise CommandError(f"There is no queue {', '.join(sorted(unknown))}, only {', '.join(QUEUES)}.")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # until db_worker listens to it
        signal.signal(signal.SIGHUP, self._change)
        try:
            with sending_thread() if MESSAGES in wanted else nullcontext():
                if of_tasks := [name for name in settings.TASK_QUEUES if name in wanted]:
                    _run_tasks(of_tasks)
                else:
                    while True:
                        signal.pause()
        finally:
            if self.is_to_change:
                start_anew()

    def _change(self, number: int, frame: object) -> None:
        """Stop, after the task of now, to start again with new code."""
        if not self.is_to_change:  # a second signal breaks a task off
            self.is_to_change = True
            signal.raise_signal(signal.SIGTERM)


def _run_tasks(queues: Sequence[str] = settings.TASK_QUEUES) -> None:
    """Until asked to stop: db_worker ends the process, or comes back if there was a task to finish. Of what waits, the
    task of the highest priority comes first, in whichever of these queues it is."""
    while True:
        try:
            call_command("db_worker", queue_name=",".join(queues))
            return
        except DatabaseError:
            logger.exception("the worker could not reach the database")
        finally:
            # It exits where a signal meets it, also after BEGIN: the sending thread would wait for that lock.
            connections.close_all()
        time.sleep(PAUSE_SECONDS)
