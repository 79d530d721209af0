"""A small disk that a test fills to its last byte: in memory, and mounted where only the test's own thread and
what it starts can see it."""

import ctypes
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from django.db import connection

from .clusters import default_database
from .needs import lack

OWN_MOUNTS = 0x20000  # CLONE_NEWNS
PRIVATE_TOO = 0x44000  # MS_REC | MS_PRIVATE
PAGE = 4096
libc = ctypes.CDLL(None, use_errno=True)


@dataclass
class SmallDisk:
    folder: Path

    def mount(self, megabytes: int) -> None:
        _call(libc.unshare, OWN_MOUNTS)
        _call(libc.mount, b"none", b"/", None, PRIVATE_TOO, None)
        _call(libc.mount, b"none", bytes(self.folder), b"tmpfs", 0, f"size={megabytes}m".encode())

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self, *, leaving: int = 0) -> None:
        """To the last byte, or to the last but a few pages."""
        with self._ballast.open("ab", buffering=0) as file:
            with suppress(OSError):
                while file.write(bytes(PAGE)):
                    pass
            file.truncate(file.tell() - leaving * PAGE)

    def free(self) -> None:
        self._ballast.unlink()


def _call(function: Any, *given: Any) -> None:
    if function(*given):
        lack(f"No mounts of a test's own here ({os.strerror(ctypes.get_errno())})")


def own_mounts(*, megabytes: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test in a thread that has its `disk` (conftest.py) mounted; with its end the disk is gone."""

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(disk: SmallDisk, **given: Any) -> None:
            def work() -> None:
                disk.mount(megabytes)
                try:
                    test(disk=disk, **given)
                finally:
                    connection.close()

            with ThreadPoolExecutor(1) as pool:
                pool.submit(work).result()

        return run

    return mark


@contextmanager
def database_on(disk: SmallDisk) -> Iterator[None]:
    """The default database is a copy of the test's on the small disk."""
    copy = disk.folder / "shop.sqlite3"
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as kept, closing(sqlite3.connect(copy)) as target:
        kept.backup(target)
    with default_database(NAME=str(copy)):
        yield
