"""The simulator as a server on the loopback address, for tests that need a provider of its own."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from django.db import connection

from .api import Call, answer


def make_server(port: int, accounts: Mapping[str, str]) -> ThreadingHTTPServer:
    class Endpoint(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            url = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            found = answer(Call(self.command, url.path, dict(parse_qsl(url.query)), headers, body), accounts)
            connection.close()  # this thread may end with the client's connection
            payload = json.dumps(found.body).encode()
            self.send_response(found.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args) -> None:
            """Quiet: the caller sees the answers."""

    for method in ("GET", "POST", "PATCH"):
        setattr(Endpoint, f"do_{method}", Endpoint._answer)
    return ThreadingHTTPServer(("127.0.0.1", port), Endpoint)


def serve(port: int, accounts: Mapping[str, str]) -> None:
    with make_server(port, accounts) as server:
        server.serve_forever()
