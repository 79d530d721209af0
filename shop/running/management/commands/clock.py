import logging
import signal
import threading

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections

from shop.running.services import run_due_chores

logger = logging.getLogger(__name__)
LOOK_SECONDS = 15.0


class Command(BaseCommand):
    help = "Run the shop's chores when they are due (settings.CHORES), until told to stop."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--once", action="store_true", help="Run what is due now, then end.")

    def handle(self, *, once: bool, **options) -> None:
        if once:
            for name in run_due_chores():
                self.stdout.write(name)
            return
        told_to_stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: told_to_stop.set())
        while not told_to_stop.is_set():
            _look()
            told_to_stop.wait(LOOK_SECONDS)


def _look() -> None:
    """A database that is away for a while must not end the clock."""
    close_old_connections()
    try:
        run_due_chores()
    except DatabaseError:
        logger.exception("the clock could not reach the database")
