"""Ends connections whose client began to send a body and fell silent.

The web server waits for a body without end, and hands over neither the connection nor its port. So the connections
of the client's address are looked through: one is stalled when nothing came for BODY_SECONDS and nothing was
answered since something came. A request that was received whole and is worked on for long looks alike; while one of
the same address is, none of them is ended.
"""

import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from django.conf import settings

LOOKS = 10  # in BODY_SECONDS
# tcpi_last_data_sent and tcpi_last_data_recv: milliseconds ago; tcpi_bytes_acked.
SENT_AND_RECEIVED = struct.Struct("=44x I 4x I 64x Q")


class Client(NamedTuple):
    address: str
    port: int  # of the server: others are connections of this process to the database and the like


Began = dict[object, tuple[Client, float]]  # each request, and since when


class StalledBodies:
    """Knows which requests are awaited and which are worked on; a thread of its own looks at them now and then."""

    def __init__(self) -> None:
        self._awaited: Began = {}
        self._answered: Began = {}
        self._lock = threading.Lock()
        self._is_watched = False

    @contextmanager
    def awaited(self, client: Client) -> Iterator[None]:
        """While the body of a request is on its way."""
        with self._noted(self._awaited, client):
            yield

    @contextmanager
    def answered(self, client: Client) -> Iterator[None]:
        """While a request that has come is worked on."""
        with self._noted(self._answered, client):
            yield

    @contextmanager
    def _noted(self, where: Began, client: Client) -> Iterator[None]:
        self._watch()
        request = object()
        with self._lock:
            where[request] = client, time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                del where[request]

    def _watch(self) -> None:
        """Begun with the first request: the process that loads the application may not be the one that serves."""
        if not self._is_watched:
            self._is_watched = True
            threading.Thread(target=self._keep_looking, name="stalled bodies", daemon=True).start()

    def _keep_looking(self) -> None:
        while True:
            time.sleep(settings.BODY_SECONDS / LOOKS)
            for client in self.stalled_clients():
                end_silent_connections(client, settings.BODY_SECONDS)

    def stalled_clients(self) -> set[Client]:
        long_ago = time.monotonic() - settings.BODY_SECONDS
        margin = settings.BODY_SECONDS / LOOKS
        with self._lock:
            waiting = {client for client, since in self._awaited.values() if since < long_ago}
            busy = {client for client, since in self._answered.values() if since < long_ago + margin}
        return waiting - busy


def end_silent_connections(client: Client, seconds: float) -> int:
    """How many connections of a client to this process were ended, because it sent nothing for so long of a
    request that nothing was answered to yet."""
    ended = 0
    with suppress(OSError):  # a system without /proc
        for number in map(int, os.listdir("/proc/self/fd")):
            with suppress(OSError):  # closed meanwhile, or no socket
                ended += _end_if_silent(number, client, seconds)
    return ended


def _end_if_silent(number: int, client: Client, seconds: float) -> bool:
    """Looks at a copy, so that the number cannot become another connection's in between."""
    copied = os.dup(number)
    try:
        connection = socket.socket(fileno=copied)
    except OSError:
        os.close(copied)
        raise
    with connection:
        if connection.family not in (socket.AF_INET, socket.AF_INET6):
            return False
        if client != (connection.getpeername()[0], connection.getsockname()[1]):
            return False
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, SENT_AND_RECEIVED.size)
        sent_ago, came_ago, bytes_answered = SENT_AND_RECEIVED.unpack(info)
        # The kernel counts in ticks of some milliseconds: a quick answer leaves in the tick of its request.
        is_answered = sent_ago < came_ago or (sent_ago == came_ago and bytes_answered > 0)
        if came_ago < seconds * 1000 or is_answered:
            return False
        connection.shutdown(socket.SHUT_RDWR)
        return True
