import os
import time
from datetime import timedelta
from pathlib import Path

from django_tasks import task

from shop.catalog.tasks import is_under_way
from shop.messaging.models import Message

LONG = 60.0  # seconds
QUICK_LOST_AFTER = timedelta(seconds=2)


def note(what: str) -> None:
    with open(os.environ["NOTES"], "a") as notes:
        notes.write(f"{what} {os.getpid()} {time.time()}\n")


def _is_wanted(what: str) -> bool:
    """What takes long does so while the test has a file of its name."""
    return Path(os.environ["NOTES"]).with_name(what).exists()


def _take_long(what: str) -> None:
    until = time.monotonic() + LONG
    while _is_wanted(what) and time.monotonic() < until:
        time.sleep(0.1)


def each_second() -> None:
    note("each_second")


def long_job() -> None:
    note("long_job")
    _take_long("long_job")


def request_long_task() -> None:
    if _is_wanted("long_task") and not is_under_way(long_task, QUICK_LOST_AFTER):
        long_task.enqueue()


@task(queue_name="pictures")
def long_task() -> None:
    note("long_task")
    _take_long("long_task")


@task()
def short_task(number: int) -> None:
    note(f"task-{number}")


@task(queue_name="imports")
def long_import() -> None:
    note("long_import")
    _take_long("long_import")


class NotingChannel:
    def send(self, message: Message) -> None:
        note(f"mail-{message.to}")
        if message.kind == "long":
            _take_long("long_mail")
