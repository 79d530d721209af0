"""The workers of a served shop, one by one."""

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from shop.ops.watchdog import sockets_of

from ..conftest import Shop

TRIES = 200


def connections_to_each_worker(shop: Shop, workers: int) -> Iterator[http.client.HTTPConnection]:
    """One to each, for use at once; the kernel deals them out as it likes."""
    found: set[int] = set()
    for _ in range(TRIES):
        connection = http.client.HTTPConnection(urlsplit(shop.url).netloc, timeout=60)
        connection.request("GET", "/healthz")
        connection.getresponse().read()  # it is accepted
        worker = _worker_behind(shop, connection)
        if worker not in found:
            found.add(worker)
            yield connection
        connection.close()
        if len(found) == workers:
            return
    raise AssertionError(f"{len(found)} workers of {workers} answered")


def _worker_behind(shop: Shop, connection: http.client.HTTPConnection) -> int:
    """The id of the process that holds the other end."""
    ends = f":{urlsplit(shop.url).port:04X}", f":{connection.sock.getsockname()[1]:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()]
    inode = next(row[9] for row in rows if row[1].endswith(ends[0]) and row[2].endswith(ends[1]))
    return next(pid for pid in shop.web_server() if f"socket:[{inode}]" in sockets_of(pid))
