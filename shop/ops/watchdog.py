"""Keeps the web server answering: a small process above it that asks it now and then, and starts it anew
when it stays silent. (The server starts its dead workers again, but loses count when all die at once.)

    python -m shop.ops.watchdog HOST PORT COMMAND…

SIGHUP takes up new code: a second server is started beside the first, which ends when every worker of the
second listens; one that does not come up leaves the first in its place. SIGTERM and SIGINT end all. A server
that never answered is not started again: something is wrong with it. Needs nothing but Python.
"""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

LOOK_SECONDS = 3.0
START_SECONDS = 0.5  # between looks until the first answer
PATIENCE_SECONDS = 10.0  # for one answer
SILENCES = 3  # so many looks in a row without an answer
END_SECONDS = 10.0
CHANGE_SECONDS = 120.0  # for the workers of a new release to listen
LISTENING = "0A"  # in the kernel's tables of sockets


class Watchdog:
    def __init__(self, host: str, port: int, command: list[str]) -> None:
        self.where, self.command = (host, port), command
        self.has_answered = False
        self.signalled = threading.Event()
        self.is_to_stop = self.is_to_change = False
        self.family: set[int] = set()  # the server's processes; orphans cannot be found any more

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, self._change)
        server = subprocess.Popen(self.command)
        while True:
            self._watch(server)
            if self.is_to_change and not self.is_to_stop:
                server = self._exchange(server)
                continue
            code = self._end(server, self.family)
            if self.is_to_stop or not self.has_answered:
                return code
            _say("The web server stopped responding and is being restarted.")
            self._stop_requested(LOOK_SECONDS)
            if self.is_to_stop:
                return code
            server, self.family = subprocess.Popen(self.command), set()

    def _stop(self, number: int, frame: object) -> None:
        self.is_to_stop = True
        self.signalled.set()

    def _change(self, number: int, frame: object) -> None:
        self.is_to_change = True
        self.signalled.set()

    def _stop_requested(self, seconds: float) -> bool:
        self.signalled.wait(seconds)
        return self.is_to_stop or self.is_to_change

    def _watch(self, server: subprocess.Popen[bytes]) -> None:
        """Until the server has ended, is silent for too long, or a signal arrives."""
        answered, silences = False, 0
        while server.poll() is None and not self._stop_requested(LOOK_SECONDS if answered else START_SECONDS):
            self.family = _descendants(server.pid) or self.family
            if self._answers():
                if not answered:
                    _say("The web server is responding.")
                self.has_answered = answered = True
                silences = 0
            elif answered and (silences := silences + 1) >= SILENCES:
                return

    def _exchange(self, old: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        """Start a server beside the old one, which ends when as many workers of the new one listen; says which
        is left. Both may listen on one port: the kernel deals connections out among those that do."""
        self.signalled.clear()
        self.is_to_change = False
        expected = max(1, _listeners(old.pid))
        new, until = subprocess.Popen(self.command), time.monotonic() + CHANGE_SECONDS
        while _listeners(new.pid) < expected:
            if self.is_to_stop or new.poll() is not None or time.monotonic() > until:
                _say("The new web server did not start; the old one keeps running.")
                self._end(new, set())
                return old
            time.sleep(START_SECONDS)
        self._end(old, self.family)
        self.family = _descendants(new.pid)
        _say("A new web server took over.")
        return new

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(*self.where, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _end(self, server: subprocess.Popen[bytes], orphans: set[int]) -> int:
        """End it with its workers, which outlive a server that was killed."""
        family = _descendants(server.pid) | orphans
        if server.poll() is None:
            server.terminate()
        try:
            code = server.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            code = 1
        if server.poll() is None:
            server.kill()
            server.wait()
        for pid in family:
            _kill(pid)
        return code


def _descendants(pid: int) -> set[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
    pairs = [(int(child), int(parent)) for child, parent in (line.split() for line in listed.splitlines())]
    found: set[int] = set()
    parents = {pid}
    while parents:
        parents = {child for child, parent in pairs if parent in parents} - found
        found |= parents
    return found


def _listeners(pid: int) -> int:
    """With how many sockets a server and its workers listen; 0 where the system is not Linux."""
    tables = [path for path in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")) if path.exists()]
    rows = [row.split() for table in tables for row in table.read_text().splitlines()]
    listening = {f"socket:[{row[9]}]" for row in rows if row[3] == LISTENING}
    return sum(len(sockets_of(member) & listening) for member in _descendants(pid))


def sockets_of(pid: int) -> set[str]:
    """As the kernel names them: socket:[12345]."""
    found = set()
    for file in Path(f"/proc/{pid}/fd").glob("*"):
        with suppress(OSError):  # closed meanwhile
            found.add(os.readlink(file))
    return found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _say(words: str) -> None:
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(Watchdog(sys.argv[1], int(sys.argv[2]), sys.argv[3:]).run())
