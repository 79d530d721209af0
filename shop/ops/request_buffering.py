"""In front of Django: whoever sends a body byte by byte waits here, in a thread that holds nothing else, and gets one
of the few threads that work, each with its connection to the database, once all of it has come. A kept page needs none
of them: it is answered where it was asked for, also while all of them are busy.

A refusal that leaves a body unread would also end the connection, now and then before the refusal has arrived.
"""

import inspect
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import Any

from django.urls import Resolver404, resolve

from shop.http.middleware import FORGOTTEN_BYTES, MAX_PATH, SAFE_METHODS, max_bytes
from shop.markets.caching.page_cache import find_page
from shop.markets.middleware import match_prefix

from .stalled_connections import Client, StalledBodies

PLACES = 4  # more of them would only fight over the interpreter's lock
IN_MEMORY = 32 * 1024  # of a body; a thousand may be on their way
PIECE = 64 * 1024
BODIES = ("body", "form", "file")  # where a call's parameters may be

Application = Callable[..., Iterable[bytes]]


class RequestBuffer:
    """A WSGI application around Django's."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner
        self.places = ThreadPoolExecutor(PLACES, thread_name_prefix="place")
        self.stalled = StalledBodies()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if find_page(environ):  # handing it over would cost as much as answering it
            return self.inner(environ, start_response)
        client = Client(environ.get("REMOTE_ADDR", ""), int(environ.get("SERVER_PORT") or 0))
        try:
            with self.stalled.awaited(client):
                _receive(environ)
        except OSError:  # whoever sent it is gone, or silent for too long: half a form is no form
            start_response("400 Bad Request", [("Content-Type", "text/plain")])
            return [b"The body was cut off."]
        with self.stalled.answered(client):
            return self.places.submit(self._answer, environ, start_response).result()

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = self.inner(environ, start_response)
        if getattr(response, "streaming", True):
            return response
        body = list(response)
        response.close()  # type: ignore[attr-defined]  # where its connection is
        return body


class NoBody:
    """In the place of a body that could not be kept: why it could not is raised where it is read, in the words and
    the form of every other such failure."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def read(self, *_: int) -> bytes:
        raise self.error

    readline = read


def _receive(environ: dict[str, Any]) -> None:
    """Take the body in, if it is none that is refused by its announced length (shop/http/middleware.py)."""
    length = environ.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or not int(length):
        return
    sent, path = environ["wsgi.input"], environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    if not takes_body(environ["REQUEST_METHOD"], path):
        environ["wsgi.input"] = BytesIO()
        if int(length) <= FORGOTTEN_BYTES:
            while sent.read(PIECE):
                pass
        return
    content_type = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if int(length) > max(max_bytes(content_type, path), FORGOTTEN_BYTES):
        return
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it ends with the request)
    came, failure = 0, None
    while piece := sent.read(PIECE):
        came += len(piece)
        # Where the disk is full the rest is read all the same, so that the refusal arrives.
        failure = failure or _failure_of(body.write, piece)
    if came < int(length):
        raise ConnectionError("The body was cut off.")
    failure = failure or _failure_of(body.seek, 0)
    environ["wsgi.input"] = NoBody(failure) if failure else body


def takes_body(method: str, path: str) -> bool:
    """Whether the route of a path does anything with a body; one that is sent all the same is read and forgotten."""
    if method in SAFE_METHODS or len(path) > MAX_PATH:
        return False
    prefixed = match_prefix(path)
    try:
        view = resolve((prefixed["rest"] or "/") if prefixed else path).func
    except Resolver404:
        return False
    methods = None if hasattr(view, "is_page_or_api") else _methods_with_body(view)
    return methods is None or method in methods


@lru_cache(maxsize=1000)
def _methods_with_body(view: Callable[..., Any]) -> frozenset[str] | None:
    """As the decorators of a page (django.views.decorators.http), or the operations of a call, say; None where
    nothing does."""
    inner: Callable[..., Any] | None = view
    while inner is not None:
        held = inspect.getclosurevars(inner).nonlocals if inspect.isfunction(inner) else {}
        if operations := getattr(held.get("self"), "operations", None):
            return frozenset(method for one in operations if _has_body(one) for method in one.methods)
        if methods := held.get("request_method_list"):
            return frozenset(methods)
        inner = getattr(inner, "__wrapped__", None)
    return None


def _has_body(operation: Any) -> bool:
    return any(getattr(model, "__ninja_param_source__", "body") in BODIES for model in operation.models)


def _failure_of(act: Callable[[Any], Any], given: Any) -> OSError | None:
    try:
        act(given)
    except OSError as error:
        return error
    return None
