import logging
import signal
import threading

from django.core.management.base import CommandParser
from django.db import DatabaseError, close_old_connections

from shop.invalidation.cdn.purging import purging_thread

from ...configuration import ServingCommand
from ...scheduler import run_due_jobs
from ...supervisor import start_anew

logger = logging.getLogger(__name__)
LOOK_SECONDS = 15.0


class Command(ServingCommand):
    help = "Run the shop's scheduled jobs (settings.SCHEDULED_JOBS) when they are due and purge its CDN, until stopped."
    is_to_change = False

    def __init__(self) -> None:
        super().__init__()
        self.stopping = threading.Event()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="Run what is due now, then stop.")

    def handle(self, *, once: bool, **options: object) -> None:
        if once:
            for name in run_due_jobs():
                self.stdout.write(name)
            return
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        with purging_thread():
            while not self.stopping.is_set():
                _look()
                self.stopping.wait(LOOK_SECONDS)
        if self.is_to_change:
            start_anew()

    def _stop(self, number: int, frame: object) -> None:
        """End after the jobs that run now; after SIGHUP, start again with new code."""
        self.is_to_change = number == signal.SIGHUP
        self.stopping.set()


def _look() -> None:
    """A database that is away for a while must not end the clock."""
    close_old_connections()
    try:
        run_due_jobs()
    except DatabaseError:
        logger.exception("the clock could not reach the database")
