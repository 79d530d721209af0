"""What lies behind an address that a stranger wrote: fetched from public servers only, in a given size and time.

requests-hardened asks for the address of a name once, refuses one that is not public, and connects to that very
address; so it does again for each redirect, which is followed here. What answers slowly, or drop by drop, is cut off.
"""

import ipaddress
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from django.db import connection
from django.utils.translation import gettext_noop
from requests_hardened.ip_filter import InvalidIPAddress
from requests_hardened.ip_filter_adapter import IPFilterAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from shop.errors import Invalid

SECONDS = 10.0
MAX_REDIRECTS = 3
CHUNK = 1 << 16
ALLOW_LOOPBACK = False  # tests stand a server on loopback
# No compression: a small answer could become a large one.
HEADERS = {"User-Agent": "shop-import", "Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close"}


def inside_transaction() -> bool:
    """Others are never waited for inside a database transaction. The question that atomic(durable=True) asks; a
    test's own outermost transaction does not count."""
    return any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)


# What goes wrong is kept in English with what was to be fetched, and read by staff.
REDIRECTS = gettext_noop("The address redirects more than %(count)s times.")
ANSWERED = gettext_noop("The server answered %(status)s.")
TOO_LARGE = gettext_noop("The file is larger than %(size)s MB.")
TOO_SLOW = gettext_noop("The server did not send it within %(seconds)s seconds.")
PROBLEMS = (REDIRECTS, ANSWERED, TOO_LARGE, TOO_SLOW)


class NoAnswer(Invalid):
    """The server did not answer, or not as it should; another time it may."""

    code = "no_answer"


def fetch(address: str, *, max_bytes: int) -> bytes:
    """The bytes behind an http(s) address. Raises Invalid, or NoAnswer where another try may help.

    Names are resolved by the system, which nothing can interrupt: so all is done in a thread that is left behind,
    and its connection cut, when the time is over.
    """
    transfer = _Fetch(address, max_bytes)
    thread = threading.Thread(target=transfer.run, name="fetch", daemon=True)
    thread.start()
    thread.join(SECONDS)
    if thread.is_alive():
        transfer.cut()
        raise _too_slow()
    if transfer.error:
        raise transfer.error
    return transfer.body


class _Fetch:
    def __init__(self, address: str, max_bytes: int) -> None:
        self.body = b""
        self.error: Exception | None = None
        self._address = address
        self._max_bytes = max_bytes
        self._until = time.monotonic() + SECONDS
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False
        self._adapters = {
            "http": _PublicOnly(HTTPConnection, self._connected),
            "https": _PublicOnly(HTTPSConnection, self._connected),
        }

    def run(self) -> None:
        try:
            self.body = self._follow()
        except Invalid as refusal:
            self.error = refusal
        except InvalidIPAddress:
            self.error = Invalid(gettext_noop("The address isn't on a public server."), "not_public")
        except requests.exceptions.InvalidURL:
            self.error = _no_address()
        except (requests.Timeout, TimeoutError):
            self.error = _too_slow()
        except (OSError, HTTPError, UnicodeError):  # what requests raises is an OSError; UnicodeError: a name too long
            self.error = NoAnswer(gettext_noop("The server can't be reached, or the connection was cut off."))
        except Exception as error:  # a mistake of ours is raised where the thread was started
            self.error = error
        finally:
            for adapter in self._adapters.values():
                adapter.close()

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            if self._socket:
                _shut(self._socket)

    def _connected(self, line: socket.socket) -> None:
        with self._lock:
            self._socket = line
            if self._is_cut:
                _shut(line)

    def _follow(self) -> bytes:
        address = self._address
        for _ in range(MAX_REDIRECTS + 1):
            with self._ask(address) as answer:
                target = requests.Session().get_redirect_target(answer)
                if not target:
                    return self._read(answer)
                address = urljoin(address, target)
        raise Invalid(REDIRECTS % {"count": MAX_REDIRECTS}, "too_many_redirects")

    def _ask(self, address: str) -> requests.Response:
        """The answer, its body unread. Session.send() would read the body of a redirect, however long."""
        adapter = self._adapters.get(_scheme(address))
        if adapter is None:
            raise _no_address()
        request = requests.Request("GET", address, headers=HEADERS).prepare()
        left = self._until - time.monotonic()
        if left <= 0:
            raise _too_slow()
        return adapter.send(request, stream=True, timeout=left)

    def _read(self, answer: requests.Response) -> bytes:
        if answer.status_code in (408, 425, 429) or answer.status_code >= 500:
            raise NoAnswer(ANSWERED % {"status": answer.status_code})
        if answer.status_code != 200:
            raise Invalid(ANSWERED % {"status": answer.status_code}, "bad_answer")
        body = bytearray()
        stated = answer.headers.get("Content-Length", "")
        if not (stated.isdecimal() and int(stated) > self._max_bytes):
            for piece in answer.raw.stream(CHUNK, decode_content=False):
                body += piece
                if len(body) > self._max_bytes:
                    break
            else:
                return bytes(body)
        raise Invalid(TOO_LARGE % {"size": self._max_bytes // (1024 * 1024)}, "too_large")


class _PublicOnly(IPFilterAdapter):
    """The filter of requests-hardened, a little stricter; tells of each connection that is made."""

    def __init__(self, kind: type[HTTPConnection], connected: Callable[[socket.socket], None]) -> None:
        super().__init__(is_https_proto=kind is HTTPSConnection, allow_loopback=ALLOW_LOOPBACK)

        class Connection(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                super().connect()
                connected(self.sock)

        self._connection = Connection

    def build_connection_pool_key_attributes(self, *args: Any, **kwargs: Any) -> Any:
        host, pool = super().build_connection_pool_key_attributes(*args, **kwargs)
        ip = ipaddress.ip_address(host["host"].strip("[]"))
        if not (ip.is_loopback and ALLOW_LOOPBACK) and (not ip.is_global or ip.is_reserved or _is_site_local(ip)):
            raise InvalidIPAddress(ip)
        return host, pool

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = self._connection
        return pool


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme
    except ValueError:  # such as http://[
        return ""


def _is_site_local(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return isinstance(ip, ipaddress.IPv6Address) and ip.is_site_local


def _shut(line: socket.socket) -> None:
    """Wakes whoever reads from it."""
    with suppress(OSError):  # closed already
        line.shutdown(socket.SHUT_RDWR)


def _no_address() -> Invalid:
    return Invalid(gettext_noop("That isn't a web address. It must begin with http:// or https://."), "no_address")


def _too_slow() -> NoAnswer:
    return NoAnswer(TOO_SLOW % {"seconds": f"{SECONDS:.0f}"}, "too_slow")
