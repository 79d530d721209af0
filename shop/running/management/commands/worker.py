import logging
import time

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections

logger = logging.getLogger(__name__)
PAUSE_SECONDS = 1.0


class Command(BaseCommand):
    help = "Run background tasks (db_worker) until told to stop, also when the database was away for a while."

    def handle(self, **options) -> None:
        while True:
            try:
                call_command("db_worker")  # ends the process by itself when it is told to stop
            except DatabaseError:
                logger.exception("the worker could not reach the database")
                connections.close_all()
                time.sleep(PAUSE_SECONDS)
