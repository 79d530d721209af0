"""Errors for Sentry: what happened and where, to the address that is set, and nothing of who asked."""

import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli
import pytest
from django.db import connection

from shop.tests.conftest import database_url

SCRIPT = """
import django, logging, sys
django.setup()
from django.test import Client
from django.urls import path
import shop.urls

def broken(request):
    password = "hunter2-in-a-variable"
    raise ValueError("no SMS to +919876543210 with password=hunter2secret")

shop.urls.urlpatterns.insert(0, path("broken/", broken))
headers = {"Authorization": "Bearer tok_abcdefghijkl", "Host": "127.0.0.1", "Sec-Fetch-Site": "same-origin"}
client = Client(raise_request_exception=False, headers=headers)
client.cookies["session"] = "cookie-abcdef"
answer = client.post("/broken/?q=query-secret", {"password": "hunter2-in-a-body"})
assert answer.status_code == 500, answer
print("sentry_sdk" in sys.modules)
if "sentry_sdk" in sys.modules:
    import sentry_sdk
    sentry_sdk.flush(20)
"""


@pytest.fixture
def receiver():
    """A loopback Sentry: its address and the bodies that it was sent."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            expand = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers.get("Content-Encoding"), bytes)
            bodies.append(expand(body))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *given):
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield f"http://public@127.0.0.1:{server.server_port}/1", bodies
        server.shutdown()


@pytest.fixture
def run(transactional_db, tmp_path):
    """run(NAME=value): what the script says in such an environment, with the test database."""
    connection.close()
    return lambda **more: _run({"SHOP_DATA_DIR": str(tmp_path), "DATABASE_URL": database_url()} | more)


def _run(more):
    own = {name: value for name, value in os.environ.items() if not name.startswith(("SHOP_", "DJANGO_", "DATABASE"))}
    own |= {"DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DEMO": "1"} | more
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def test_an_error_is_told_without_who_asked_and_with_what(run, receiver):
    address, bodies = receiver
    more = {"SENTRY_DSN": address, "SHOP_RELEASE": "2026.11", "SENTRY_ENVIRONMENT": "proof"}
    assert run(**more) == "True"
    said = b"\n".join(bodies).decode()
    events = [json.loads(line) for line in said.splitlines() if '"exception"' in line]
    told = events[0]["exception"]["values"][-1]
    assert told["type"] == "ValueError" and "…10" in told["value"]
    assert (events[0]["release"], events[0]["environment"]) == ("2026.11", "proof")
    assert len(events[0]["tags"]["request_id"]) == 16
    for secret in ("hunter2", "9876543210", "tok_abc", "cookie-abcdef", "query-secret"):
        assert secret not in said


def test_without_an_address_nothing_of_it_is_loaded(run):
    assert run() == "False"
