"""The calls of each kind of CDN, against a real server on loopback."""

import json
import socket
import threading
import time
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.exceptions import ImproperlyConfigured

from shop.ops import configuration

from .. import varnish as varnish_module
from ..base import PurgeError
from ..registry import KINDS

TOKEN = "t0ken-of-the-shop"
KEYS = ["product-4", "products"]


class StandIn(ThreadingHTTPServer):
    """What a CDN on loopback was asked; `status` and `body` are what it answers."""

    status, body = 200, b'{"success": true}'

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path, self.headers, body))
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    do_PURGE = do_POST  # noqa: N815

    def log_message(self, *words):
        pass


@contextmanager
def serving():
    server = StandIn()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def stand_in(settings):
    settings.CDN_PURGE_ID, settings.CDN_PURGE_TOKEN = "5erv1ce", TOKEN
    with serving() as server:
        settings.CDN_PURGE_URLS = [f"{server.url}/"]
        yield server


def test_varnish_is_asked_at_each_address(stand_in, settings):
    with ExitStack() as stack:
        other = stack.enter_context(serving())
        settings.CDN_PURGE_URLS = [stand_in.url, other.url]
        KINDS["varnish"]().purge(KEYS)
        for server in (stand_in, other):
            [(method, path, headers, _)] = server.asked
            assert (method, path, headers["Purge-Keys"]) == ("PURGE", "/", "product-4 products")


def test_unreachable_varnish_raises_purge_error(stand_in, settings):
    settings.CDN_PURGE_URLS = ["http://127.0.0.1:1", stand_in.url]
    with pytest.raises(PurgeError, match="ConnectionError"):
        KINDS["varnish"]().purge(KEYS)
    assert len(stand_in.asked) == 1


def test_one_that_hangs_delays_no_other(stand_in, settings):
    """It takes connections and answers nothing; it is asked again once it has answered or its time is over."""
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        hanging.settimeout(1)
        settings.CDN_PURGE_URLS = [f"http://127.0.0.1:{hanging.getsockname()[1]}", stand_in.url]
        varnish = KINDS["varnish"]()
        for number, most in enumerate((varnish_module.WAIT_SECONDS, 0.1, 0.1), start=1):
            began = time.monotonic()
            with pytest.raises(PurgeError, match="no answer yet"):
                varnish.purge(KEYS)
            assert time.monotonic() - began < most + 0.2 and len(stand_in.asked) == number
        asked, _ = hanging.accept()
        with asked:
            assert b"product-4 products" in asked.recv(1000)
            asked.sendall(b"HTTP/1.1 200 Purged\r\nContent-Length: 0\r\n\r\n")
        with pytest.raises(TimeoutError):
            hanging.accept()  # once
        settings.CDN_PURGE_URLS = settings.CDN_PURGE_URLS[1:]
        varnish.purge(KEYS)


def test_fastly_purges_a_service_by_surrogate_keys(stand_in):
    KINDS["fastly"]().purge(KEYS)
    [(method, path, headers, body)] = stand_in.asked
    assert (method, path, body) == ("POST", "/service/5erv1ce/purge", b"")
    assert (headers["Fastly-Key"], headers["Surrogate-Key"]) == (TOKEN, "product-4 products")
    assert "Fastly-Soft-Purge" not in headers  # a stale copy would still be shown


def test_cloudflare_purges_a_zone_by_tags(stand_in):
    KINDS["cloudflare"]().purge(KEYS)
    [(method, path, headers, body)] = stand_in.asked
    assert (method, path) == ("POST", "/client/v4/zones/5erv1ce/purge_cache")
    assert (headers["Authorization"], json.loads(body)) == (f"Bearer {TOKEN}", {"tags": KEYS})
    stand_in.body = b'{"success": false, "errors": [{"code": 1134}]}'
    with pytest.raises(PurgeError):
        KINDS["cloudflare"]().purge(KEYS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [301, 403, 429, 503])
def test_a_refusal_is_raised_without_secrets(stand_in, kind, status):
    stand_in.status = status
    with pytest.raises(PurgeError, match=f"the CDN answered {status}") as raised:
        KINDS[kind]().purge(KEYS)
    assert TOKEN not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("kind", "missing"),
    [
        ("varnish", "CDN_PURGE_URLS"),
        ("fastly", "CDN_PURGE_ID, CDN_PURGE_TOKEN"),
        ("cloudflare", "CDN_PURGE_ID, CDN_PURGE_TOKEN"),
        ("", None),
    ],
)
def test_a_shop_that_could_not_purge_does_not_start(settings, monkeypatch, kind, missing):
    settings.TESTING = False
    settings.CDN = kind
    monkeypatch.setattr(configuration, "_missing_identity", list)
    monkeypatch.setattr(configuration, "_missing_payment", list)
    monkeypatch.setattr(configuration, "_missing_mail", list)
    if not missing:
        configuration.assert_configured()
        return
    with pytest.raises(ImproperlyConfigured, match=f"Set {missing} before"):
        configuration.assert_configured()
