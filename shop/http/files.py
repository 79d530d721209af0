"""Long answers, written to a file before they are sent.

The web server ends an answer whose making fails half-way as if it were whole. A file's length is known before its first
byte leaves, and an error while it is written is an error page.

Whoever writes holds one of a process's few places (shop/ops/request_buffering.py), so few write at once.
"""

import fcntl
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import IO

from django.conf import settings
from django.http import FileResponse
from django.utils.translation import gettext

from shop.errors import Busy

MAX_WRITING = 2  # of a process's places, so that pages have the others
SLOT_WAIT_SECONDS = 1.0  # that somebody waits for one of them
Write = Callable[[IO[bytes]], object]
_slots = BoundedSemaphore(MAX_WRITING)


def file_answer(write: Write, *, content_type: str, filename: str = "") -> FileResponse:
    """What `write` writes, as a download if it has a file name. Raises Busy while others are written, and whatever
    `write` raises."""
    if not _slots.acquire(timeout=SLOT_WAIT_SECONDS):
        raise Busy(gettext("Other exports are running. Please try again in a minute."))
    try:
        file = TemporaryFile()  # noqa: SIM115 (the answer closes it)
        try:
            write(file)
        except BaseException:
            file.close()
            raise
    finally:
        _slots.release()
    file.seek(0)
    return FileResponse(file, as_attachment=bool(filename), filename=filename, content_type=content_type)


def kept_file(name: str, write: Write, *, seconds: float) -> IO[bytes] | None:
    """A file of this machine, opened; `write` makes it anew where it is older than that.

    One is made at a time, whatever its name and whichever process asks; meanwhile the others get the old one, or None
    where there is none yet. Whatever `write` raises is raised, and the old one stays.
    """
    path = _kept_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not _is_fresh(path, seconds):
        with (path.parent / ".lock").open("wb") as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until it is closed, or its process ends
            if not _is_fresh(path, seconds):
                _make(path, write)
    return open_kept(name)


def open_kept(name: str) -> IO[bytes] | None:
    """The file as it is, however old; None where there is none."""
    try:
        return _kept_path(name).open("rb")
    except FileNotFoundError:
        return None


def _kept_path(name: str) -> Path:
    return settings.DATA_DIR / "kept" / name


def _is_fresh(path: Path, seconds: float) -> bool:
    try:
        return 0 <= time.time() - path.stat().st_mtime < seconds
    except FileNotFoundError:
        return False


def _make(path: Path, write: Write) -> None:
    unfinished = path.with_name(f".{path.name}")
    try:
        with unfinished.open("wb") as file:
            write(file)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
