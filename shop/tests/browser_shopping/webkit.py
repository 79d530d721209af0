"""WebKit as Debian ships it, the engine of Safari, driven over HTTP on a screen of its own."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import requests

from .webdriver import PHONE, SESSION, START_SECONDS, Browser

PATHS = {
    "Navigate": "/url",
    "ExecuteScript": "/execute/sync",
    "SetWindowRect": "/window/rect",
    "ElementClick": "/element/{id}/click",
    "ElementSendKeys": "/element/{id}/value",
}
SCREEN = "1280x1024x24"


class WebKit(Browser):
    def __init__(self, address: str, program: str) -> None:
        self._address = address
        wanted = SESSION | {"webkitgtk:browserOptions": {"binary": program, "args": ["--automation"]}}
        self._session = self._post("/session", capabilities={"alwaysMatch": wanted})["sessionId"]
        self.send("SetWindowRect", **PHONE)

    def send(self, command: str, **given: Any) -> Any:
        path = PATHS[command].format(**given)
        return self._post(f"/session/{self._session}{path}", **given)

    def _post(self, path: str, **given: Any) -> Any:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                answer = requests.post(f"{self._address}{path}", json=given, timeout=START_SECONDS).json()["value"]
            except requests.ConnectionError:  # it is about to start
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
                continue
            assert not (isinstance(answer, dict) and "error" in answer), f"{path} {given}: {answer}"
            return answer

    def end(self) -> None:
        with suppress(requests.RequestException):
            requests.delete(f"{self._address}/session/{self._session}", timeout=START_SECONDS)


@contextmanager
def webkit(driver: str, program: str, home: Path, port: int) -> Iterator[WebKit]:
    screen, number = _screen()
    environment = {"DISPLAY": f":{number}", "HOME": str(home), "PATH": "/usr/bin:/bin", "LIBGL_ALWAYS_SOFTWARE": "1"}
    environment |= {"XDG_RUNTIME_DIR": str(home), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}  # root has none
    process = subprocess.Popen(
        [driver, f"--port={port}"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        browser = WebKit(f"http://127.0.0.1:{port}", program)
        yield browser
        browser.end()
    finally:
        for one in (process, screen):
            one.terminate()
            one.wait()


def _screen() -> tuple[subprocess.Popen, int]:
    """A screen that nobody sees, and its number, which it chooses itself."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]
    screen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert screen.stdout
    return screen, int(screen.stdout.readline())
