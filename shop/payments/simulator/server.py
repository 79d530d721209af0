"""The simulator as a server on the loopback address: the API, the payment window, the controls, and
one thread that keeps the clock and delivers webhooks."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import urllib3

from .control import control
from .endpoints import Answer, Call, read_query
from .events import TIME_LIMIT, Delivery, send, take
from .faults import respond
from .provider import Provider
from .window import window

logger = logging.getLogger(__name__)
MAX_BODY = 1024 * 1024
TICK = 0.05  # seconds
POSTERS = 8  # webhooks that are posted at one time


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave in one packet
    server: "Server"

    def _answer(self) -> None:
        call = self._read()
        found = self._route(call)
        if found.trouble == "silence":
            time.sleep(found.body["seconds"])
        if found.trouble in ("silence", "refused"):
            self.close_connection = True
            return
        self.send_response(found.status)
        self.send_header("Content-Type", found.content_type)
        self.send_header("Content-Length", str(len(found.payload)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if found.trouble == "cut":
            self.close_connection = True
            self.wfile.write(found.payload[: len(found.payload) // 2])
        else:
            with suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(found.payload)

    def _read(self) -> Call:
        url = urlsplit(self.path)
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), MAX_BODY))
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Call(self.command, url.path, read_query(url.query), headers, body)

    def _route(self, call: Call) -> Answer:
        provider = self.server.provider
        if call.path.startswith("/control/"):
            return control(provider, call)
        return window(provider, call) or respond(provider, call)

    do_GET = do_POST = do_PATCH = _answer  # noqa: N815 (the names that http.server calls)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the caller sees the answers."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, provider: Provider) -> None:
        super().__init__(("127.0.0.1", port), Endpoint)
        self.provider = provider
        provider.post = Poster(provider)
        self._stopped = threading.Event()
        self._posters = ThreadPoolExecutor(POSTERS)

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        threading.Thread(target=self._keep_time, daemon=True).start()
        super().serve_forever(poll_interval)

    def server_close(self) -> None:
        self._stopped.set()
        self._posters.shutdown(cancel_futures=True)
        super().server_close()

    def _keep_time(self) -> None:
        """Nothing that goes wrong in one turn may stop the provider's clock."""
        while not self._stopped.wait(TICK):
            try:
                self.provider.run_due()
                self._post_due()
            except Exception:
                logger.exception("the simulated provider's clock failed in one turn")

    def _post_due(self) -> None:
        provider = self.provider
        for delivery in take(provider) if provider.webhook.url else ():
            self._posters.submit(send, provider, delivery, provider.post)


class Poster:
    """Posts webhooks to the shop as the provider does; a call without an answer in time is status 0."""

    def __init__(self, provider: Provider) -> None:
        self._webhook = provider.webhook
        self._pool = urllib3.PoolManager(maxsize=POSTERS, retries=False, timeout=urllib3.Timeout(total=TIME_LIMIT))

    def __call__(self, delivery: Delivery) -> int:
        if not self._webhook.url:
            return 0
        headers = delivery.headers | {"Content-Type": "application/json", "User-Agent": "Razorpay-Webhook/v1"}
        try:
            return self._pool.request("POST", self._webhook.url, body=delivery.body, headers=headers).status
        except Exception as error:  # whatever it was, the event has to be delivered again
            logger.warning("webhook %s was not answered: %s", delivery.event_id, error)
            return 0
