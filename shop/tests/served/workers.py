"""The workers of a served shop, one by one."""

import http.client
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from shop.ops.watchdog import sockets_of

from ..conftest import Shop

TRIES = 200


@contextmanager
def connections_to_each_worker(shop: Shop, workers: int) -> Iterator[list[http.client.HTTPConnection]]:
    """One kept connection to each; the kernel deals them out as it likes."""
    with ExitStack() as opened:
        found: dict[int, http.client.HTTPConnection] = {}
        for _ in range(TRIES):
            connection = http.client.HTTPConnection(urlsplit(shop.url).netloc, timeout=60)
            connection.request("GET", "/healthz")
            connection.getresponse().read()  # it is accepted
            if found.setdefault(_worker_behind(shop, connection), connection) is not connection:
                connection.close()
                continue
            connection.auto_open = 0  # a closed one is never opened anew, at another worker
            opened.callback(connection.close)
            if len(found) == workers:
                yield list(found.values())
                return
        raise AssertionError(f"{len(found)} workers of {workers} answered")


def _worker_behind(shop: Shop, connection: http.client.HTTPConnection) -> int:
    """The id of the process that holds the other end."""
    ends = f":{urlsplit(shop.url).port:04X}", f":{connection.sock.getsockname()[1]:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()]
    inode = next(row[9] for row in rows if row[1].endswith(ends[0]) and row[2].endswith(ends[1]))
    return next(pid for pid in shop.web_server() if f"socket:[{inode}]" in sockets_of(pid))
