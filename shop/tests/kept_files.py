"""Files that are kept for an hour, forgotten by tests that change what is in them."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings


def forget_kept_files() -> None:
    shutil.rmtree(settings.DATA_DIR / "kept", ignore_errors=True)


@contextmanager
def being_made() -> Iterator[None]:
    """A file is being made, as by another process."""
    folder = settings.DATA_DIR / "kept"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
