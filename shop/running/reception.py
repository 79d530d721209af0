"""In front of Django: whoever sends a body byte by byte waits here, in a thread that holds nothing else, and gets one
of the few threads that work, each with its connection to the database, once all of it has come.

A refusal that leaves a body unread would also end the connection, now and then before the refusal has arrived.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import Any

from shop.doors import FORGOTTEN_BYTES, most_bytes

PLACES = 4  # more of them would only fight over the interpreter's lock
IN_MEMORY = 256 * 1024
PIECE = 64 * 1024

Application = Callable[..., Iterable[bytes]]


class Reception:
    """A WSGI application around Django's."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner
        self.places = ThreadPoolExecutor(PLACES, thread_name_prefix="place")

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            _receive(environ)
        except OSError:  # whoever sent it is gone: half a form is no form
            start_response("400 Bad Request", [("Content-Type", "text/plain")])
            return [b"The body was cut off."]
        return self.places.submit(self._answer, environ, start_response).result()

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = self.inner(environ, start_response)
        if getattr(response, "streaming", True):
            return response
        body = list(response)
        response.close()  # type: ignore[attr-defined]  # where its connection is
        return body


class NoBody:
    """In the place of a body that could not be kept: why it could not is told where it is read, in the words and
    the form of every other such failure."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def read(self, *_: int) -> bytes:
        raise self.error

    readline = read


def _receive(environ: dict[str, Any]) -> None:
    """Take the body in, if it is none that is refused by its announced length (shop/doors.py)."""
    length = environ.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or not int(length):
        return
    content_type = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if int(length) > max(most_bytes(content_type, environ.get("PATH_INFO", "")), FORGOTTEN_BYTES):
        return
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it ends with the request)
    came, failure = 0, None
    while piece := environ["wsgi.input"].read(PIECE):
        came += len(piece)
        # Where the disk is full the rest is read all the same, so that the refusal arrives.
        failure = failure or _failure_of(body.write, piece)
    if came < int(length):
        raise ConnectionError("The body was cut off.")
    failure = failure or _failure_of(body.seek, 0)
    environ["wsgi.input"] = NoBody(failure) if failure else body


def _failure_of(act: Callable[[Any], Any], given: Any) -> OSError | None:
    try:
        act(given)
    except OSError as error:
        return error
    return None
