"""A small loader on loopback, and the processor time of who answers it."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

TICK = 1 / os.sysconf("SC_CLK_TCK")
KNOWS_CPU = Path("/proc/self/stat").exists()  # elsewhere than on Linux only the clock on the wall counts


@dataclass
class Figures:
    """What one kind of request took, over all rounds."""

    seconds: list[float] = field(default_factory=list)  # each request, from sending to the last byte
    cpu: float = 0.0  # seconds of all server processes

    @property
    def cost_ms(self) -> float:
        """Processor time of the server for one request; the median on the wall where that is unknown."""
        return 1000 * self.cpu / len(self.seconds) if KNOWS_CPU else self.percentile_ms(50)

    def percentile_ms(self, percent: int) -> float:
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


@dataclass
class Server:
    process: subprocess.Popen
    port: int

    def cpu_seconds(self) -> float:
        """User and system time of the server's processes, as Linux tells it."""
        if not KNOWS_CPU:
            return 0.0
        return sum(_cpu_of(pid) for pid in [self.process.pid, *_children(self.process.pid)])

    def largest_mb(self) -> float:
        """Memory of the largest of its processes, as Linux tells it."""
        return max(_memory_mb(pid) for pid in [self.process.pid, *_children(self.process.pid)]) if KNOWS_CPU else 0.0

    def ask(self, requests: Iterator[bytes], figures: Figures, *, seconds: float, least: int = 5) -> None:
        """One request after another on one kept connection."""
        before, until = self.cpu_seconds(), time.monotonic() + seconds
        asked = 0
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            while asked < least or time.monotonic() < until:
                start = time.perf_counter()
                connection.sendall(next(requests))
                _read_answer(connection)
                figures.seconds.append(time.perf_counter() - start)
                asked += 1
        figures.cpu += self.cpu_seconds() - before


def compose(port: int, method: str, path: str, form: dict | None = None) -> bytes:
    """A request as a browser on the site sends it."""
    body = urlencode(form or {}).encode()
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Sec-Fetch-Site: same-origin",
        "Accept: text/html",
        "Accept-Encoding: gzip, deflate, br, zstd",
    ]
    if form:
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def compose_call(port: int, path: str, body: dict) -> bytes:
    """A call of the JSON API as the shop's own scripts make it."""
    content = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Sec-Fetch-Site: same-origin"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


def _read_answer(connection: socket.socket) -> None:
    received = b""
    while b"\r\n\r\n" not in received:
        received += _receive(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    if lines[0].split()[1] not in (b"200", b"302"):
        raise SystemExit(f"the server answers {lines[0].decode()}")
    headers = dict(line.lower().split(b": ", 1) for line in lines[1:])
    left = int(headers[b"content-length"]) - len(body)
    while left > 0:
        left -= len(_receive(connection))


def _receive(connection: socket.socket) -> bytes:
    received = connection.recv(256 * 1024)
    if not received:
        raise SystemExit("the server closed the connection")
    return received


def _stat(pid: int) -> Sequence[str]:
    """The fields of /proc/<pid>/stat after the name, which may hold anything."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _cpu_of(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) * TICK


def _memory_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]
