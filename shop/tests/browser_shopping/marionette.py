"""Firefox as Debian ships it, driven by its own protocol: a message is its length, a colon, and JSON."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .webdriver import PHONE, SESSION, START_SECONDS, Browser

PREFERENCES = {
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}


class Firefox(Browser):
    def __init__(self, port: int) -> None:
        self._socket = self._connect(port)
        self._answers = self._socket.makefile("rb")
        self._read()
        self._number = 0
        self.send("NewSession", capabilities={"alwaysMatch": SESSION})
        self.send("SetWindowRect", **PHONE)

    @staticmethod
    def _connect(port: int) -> socket.socket:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def _read(self) -> Any:
        length = b""
        while (byte := self._answers.read(1)) != b":":
            length += byte
        return json.loads(self._answers.read(int(length)))

    def send(self, command: str, **given: Any) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, f"WebDriver:{command}", given]).encode()
        self._socket.sendall(f"{len(message)}:".encode() + message)
        _, _, failure, answer = self._read()
        assert failure is None, f"{command} {given}: {failure}"
        return answer.get("value") if isinstance(answer, dict) else answer


@contextmanager
def firefox(program: str, profile: Path, port: int) -> Iterator[Firefox]:
    wanted = PREFERENCES | {"marionette.port": port}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
    (profile / "user.js").write_text("\n".join(lines))
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile), "about:blank"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"HOME": str(profile)}
    )
    try:
        yield Firefox(port)
    finally:
        process.kill()
        process.wait()
