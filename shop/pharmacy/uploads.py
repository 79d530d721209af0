"""From what a customer uploads to pictures: photos encoded anew, PDF pages rendered in a process of its own."""

import subprocess  # nosec B404
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.core.files.base import ContentFile
from django.utils.translation import gettext, gettext_noop

from shop.catalog.pictures.services import MAX_BYTES, TRY_AGAIN, Upload, in_queue
from shop.errors import Busy, Invalid
from shop.orders.returns.photos import read_photo

from . import pdf
from .models import MAX_PAGES

MAX_SIDE = 2000  # pixels
MAX_SECONDS = 20  # for all PDFs of a request
MAX_QUEUE = 2  # one PDF is rendered, one waits
BEGINS_WITHIN = 1024  # bytes before which a PDF says that it is one
TOO_MANY = gettext_noop("You can add up to %(most)s photos or PDF pages.")
REFUSALS = {
    pdf.HAS_PASSWORD: gettext_noop("This PDF has a password. Please save it without one, or take a photo."),
    pdf.TOO_MANY_PAGES: TOO_MANY,
}
UNREADABLE = gettext_noop("We can't open this PDF. Please take a photo of the prescription.")
NOT_READABLE = gettext_noop("Use a photo (JPEG, PNG or WebP) or a PDF.")
_queue = threading.BoundedSemaphore(MAX_QUEUE)
_rendering = threading.BoundedSemaphore(1)


def read_uploads(files: Sequence[Upload]) -> list[ContentFile[bytes]]:
    """The pictures of at most five photos and PDF pages together.

    Raises Invalid for a file that is neither, over 5 MB, over 25 megapixels, with a password or too many pages; Busy.
    """
    if len(files) > MAX_PAGES:
        raise too_many_pages()
    if any(_size(file) > MAX_BYTES for file in files):
        raise Invalid(gettext("A file is larger than 5 MB."), "picture_too_large")
    pictures: list[ContentFile[bytes]] = []
    deadline = time.monotonic() + MAX_SECONDS
    for file in files:
        found = _pictures_of(file, deadline)
        if len(pictures) + len(found) > MAX_PAGES:
            raise too_many_pages()
        pictures += [read_photo(picture, MAX_SIDE) for picture in found]
    return pictures


def too_many_pages() -> Invalid:
    return Invalid(gettext(TOO_MANY) % {"most": MAX_PAGES}, "too_many_pages")


def _pictures_of(file: Upload, deadline: float) -> Sequence[Upload]:
    data = file if isinstance(file, bytes) else file.read()
    if b"%PDF-" in data[:BEGINS_WITHIN]:
        return render_pdf(data, deadline)
    if not data.startswith((b"\xff\xd8", b"\x89PNG", b"RIFF")):
        raise Invalid(gettext(NOT_READABLE), "not_a_picture")
    return [data]


def render_pdf(data: bytes, deadline: float | None = None) -> list[bytes]:
    """A JPEG a page, by `deadline` of the monotonic clock; raises Invalid, and Busy at once where another PDF waits
    already, or when one takes too long or the machine has no time for this one: what needs too much of the processor is
    ended before (pdf.py)."""
    deadline = time.monotonic() + MAX_SECONDS if deadline is None else deadline
    command = [sys.executable, "-I", pdf.__file__]
    with _one_at_a_time(deadline):
        try:
            done = subprocess.run(  # nosec B603
                command, input=data, capture_output=True, timeout=_seconds_until(deadline), check=False
            )
        except subprocess.TimeoutExpired as error:
            raise Busy(gettext(TRY_AGAIN)) from error
    if done.returncode:
        words = REFUSALS.get(done.returncode, UNREADABLE)
        raise Invalid(gettext(words) % {"most": MAX_PAGES}, "not_a_picture")
    return pdf.unpack(done.stdout)


@contextmanager
def _one_at_a_time(deadline: float) -> Iterator[None]:
    """Waits in the queue of pictures, too: beside them and PDFs a place of the process is left to everybody else."""
    with in_queue():
        if not _queue.acquire(blocking=False):
            raise Busy(gettext(TRY_AGAIN))
        try:
            if not _rendering.acquire(timeout=_seconds_until(deadline)):
                raise Busy(gettext(TRY_AGAIN))
            try:
                yield
            finally:
                _rendering.release()
        finally:
            _queue.release()


def _seconds_until(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _size(file: Upload) -> int:
    return len(file) if isinstance(file, bytes) else file.size or 0
