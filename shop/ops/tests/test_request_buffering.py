"""What waits in front of Django: bodies of routes that take one are kept, others are read and forgotten."""

import socket
import threading
import time
from io import BytesIO

import pytest
from django.conf import settings

from shop.tests.support.access import Who, all_entries

from .. import request_buffering
from ..request_buffering import RequestBuffer, takes_body
from ..stalled_connections import Client, StalledBodies, end_silent_connections

ASHA, RAVI = Client("203.0.113.1", 8000), Client("203.0.113.2", 8000)


class Sent(BytesIO):
    """A body that counts what was read of it."""

    @property
    def was_read(self):
        return self.tell()


@pytest.fixture
def kept(monkeypatch):
    """The bodies that were kept."""
    made = []
    spool = request_buffering.SpooledTemporaryFile
    monkeypatch.setattr(
        request_buffering, "SpooledTemporaryFile", lambda *given: made.append(spool(*given)) or made[-1]
    )
    return made


def send(method, path, body, content_type="multipart/form-data; boundary=x", length=None):
    """(what Django could read, the body as it was sent)"""
    sent, found = Sent(body), []

    def inner(environ, start_response):
        found.append(environ["wsgi.input"].read(10))
        return [b""]

    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_TYPE": content_type, "wsgi.input": sent}
    RequestBuffer(inner)(environ | {"CONTENT_LENGTH": str(length or len(body))}, lambda *given: None)
    return found, sent


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/"),
        ("POST", "/en-in/"),
        ("POST", "/en-in/products/ayurveda/"),
        ("POST", "/no/such/page/"),
        ("POST", "/static/icons/favicon.svg"),
        ("POST", "/media/x.jpg"),
        ("POST", "/healthz"),
        ("POST", "/" + "x" * 3000),
        ("POST", "/get-menu-list/"),
        ("PUT", "/add-to-cart/"),
        ("GET", "/en-in/cart/add/"),
        ("DELETE", "/en-in/cart/add/"),
        ("OPTIONS", "/en-in/return/"),
    ],
)
def test_a_route_that_takes_no_body_keeps_none(db, kept, method, path):
    found, sent = send(method, path, b"x" * 300_000)
    assert kept == []
    assert (found, sent.was_read) == ([b""], 300_000), "it is read all the same, so that the answer arrives"
    _, sent = send(method, path, b"x" * 300_000, length=2 * 1024 * 1024)
    assert sent.was_read == 0, "far too much is not"


@pytest.mark.parametrize("path", ["/cart/add/", "/en-in/cart/add/", "/add-to-cart/", "/admin/catalog/product/import/"])
def test_a_route_that_takes_a_body_gets_all_of_it(db, kept, path):
    found, _ = send("POST", path, b"0123456789" * 30_000)
    assert found == [b"0123456789"] and len(kept) == 1


def test_every_route_of_the_shop_is_asked(db):
    """Whatever is posted to is kept; of a route that nothing is posted to, nothing."""
    entries = [
        entry for entry in all_entries() if entry.who not in (Who.STAFF, Who.DEMO) and not set("<^(") & set(entry.route)
    ]
    paths = {entry.route: f"/{entry.route.partition('/')[2] if entry.is_api else entry.route}" for entry in entries}
    posted = {entry.route for entry in entries if "POST" in entry.methods}
    with_fields = {entry.route for entry in entries if entry.body is not None} & posted
    assert len(with_fields) > 40 and len(paths.keys() - posted) > 15
    assert [route for route in with_fields if not takes_body("POST", paths[route])] == []
    read = set(paths.values()) - {paths[route] for route in posted}
    assert [path for path in read if takes_body("POST", path)] == []


def test_only_cached_pages_are_served_on_the_receiving_thread(monkeypatch):
    """The others wait for one of the threads that have a connection to the database."""
    monkeypatch.setattr(request_buffering, "find_page", lambda environ: environ["PATH_INFO"] == "/en-in/")
    threads = []

    def inner(environ, start_response):
        threads.append(threading.current_thread())
        return [b""]

    buffer = RequestBuffer(inner)
    for path in ("/en-in/", "/en-in/cart/"):
        buffer({"REQUEST_METHOD": "GET", "PATH_INFO": path}, lambda *given: None)
    here, elsewhere = threads
    assert here is threading.current_thread() and elsewhere.name.startswith("place")


# --- Who fell silent ------------------------------------------------------------------------------


@pytest.fixture
def now(monkeypatch):
    moment = [1000.0]
    monkeypatch.setattr("shop.ops.stalled_connections.time.monotonic", lambda: moment[0])
    monkeypatch.setattr(StalledBodies, "_watch", lambda self: None)
    return moment


def test_a_body_is_stalled_after_its_time_and_not_before(now):
    bodies = StalledBodies()
    with bodies.awaited(ASHA):
        now[0] += settings.BODY_SECONDS - 1
        assert bodies.stalled_clients() == set()
        now[0] += 2
        assert bodies.stalled_clients() == {ASHA}
    assert bodies.stalled_clients() == set()


def test_whoever_waits_long_for_an_answer_is_not_mistaken(now):
    """An import that is worked on for minutes is as silent as a body that stalls."""
    bodies = StalledBodies()
    with bodies.awaited(ASHA), bodies.awaited(RAVI), bodies.answered(ASHA):
        now[0] += settings.BODY_SECONDS + 1
        assert bodies.stalled_clients() == {RAVI}


def test_only_a_connection_without_an_answer_is_silent():
    """However quickly the others were answered, they are kept for what their client asks next."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        pairs = []
        for _ in range(30):
            near = socket.create_connection(server.getsockname())
            pairs.append((near, server.accept()[0]))
        (stalled, held), *_answered = pairs
        for near, far in pairs:
            near.sendall(b"?")
            far.recv(1)
            if far is not held:
                far.sendall(b"!")
                near.recv(1)
        time.sleep(0.3)
        assert end_silent_connections(Client("127.0.0.1", server.getsockname()[1]), 0.2) == 1
        assert stalled.recv(1) == b""
        for near, far in pairs:
            near.close()
            far.close()
