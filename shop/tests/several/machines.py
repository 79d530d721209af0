"""Machines that share no folder: each is some processes with a data folder of their own, which is lost with it."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import requests
from django.conf import settings

from shop.ops.supervisor import manage_command

from ..conftest import START_SECONDS, Shop, environment_of, free_port
from ..support.nginx import nginx

CONF = settings.BASE_DIR / "shop" / "ops" / "nginx.conf"
SKIPPED_SECONDS = 3  # nginx.conf


@dataclass
class Machine:
    """Runs commands of the shop until it is killed; it can be started anew, with nothing of what it had."""

    folder: Path
    environment: dict[str, str]
    commands: tuple[str, ...]
    port: int = field(default_factory=free_port)
    running: list[Shop] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.folder.mkdir()
        own = environment_of(self.folder, self.port, **self.environment)
        for command in self.commands:
            with (self.folder / f"{command}.log").open("wb") as log:
                parent = subprocess.Popen(
                    manage_command(command), env=own, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
                )
            self.running.append(Shop(self.url, self.folder, parent, own))

    def await_ready(self) -> None:
        """Until it answers as an app server; beside other tests that takes its time."""
        until = time.monotonic() + START_SECONDS
        while not self._is_ready():
            assert time.monotonic() < until, (self.folder / "web.log").read_text()[-2000:]
            time.sleep(0.2)

    def _is_ready(self) -> bool:
        assert self.running[0].parent.poll() is None, (self.folder / "web.log").read_text()[-2000:]
        with suppress(requests.RequestException):
            return requests.get(f"{self.url}/readyz", timeout=60).status_code == 200
        return False

    def kill(self) -> None:
        """As when its power is cut for good: every process at once, and its folder."""
        for shop in self.running:
            for pid in (shop.parent.pid, *shop.processes()):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            shop.parent.wait()
        self.running.clear()
        shutil.rmtree(self.folder)

    def replace(self) -> None:
        self.kill()
        self.start()
        if "web" in self.commands:
            self.await_ready()
            time.sleep(SKIPPED_SECONDS + 1)  # until nginx asks it again: the next one may be lost then

    def end(self) -> None:
        """In order; a server that does not end by itself is one that a deploy would wait for."""
        for shop in self.running:
            shop.parent.send_signal(signal.SIGTERM)
        for shop in self.running:
            shop.parent.wait(60)


@contextmanager
def machines(*wanted: Machine) -> Iterator[None]:
    try:
        for machine in wanted:
            machine.start()
        for machine in wanted:
            if "web" in machine.commands:
                machine.await_ready()
        yield
    finally:
        for machine in wanted:
            machine.end()


@contextmanager
def balanced(folder: Path, port: int, *apps: Machine) -> Iterator[None]:
    """nginx in front of them, as its file says but for TLS and the limit of an address, which all of a test share."""
    folder.mkdir()
    servers = "\n".join(f"server 127.0.0.1:{app.port} fail_timeout={SKIPPED_SECONDS}s;" for app in apps)
    lines = [line for line in CONF.read_text().splitlines() if not line.strip().startswith("ssl_")]
    conf = "\n".join(lines)
    for there, here in {
        f"server app:8000 fail_timeout={SKIPPED_SECONDS}s;": servers,
        "listen 443 ssl http2 default_server": f"listen 127.0.0.1:{port} default_server",
        "listen 80 ": f"listen 127.0.0.1:{free_port()} ",
        "/dev/stdout": f"{folder}/access.log",
        "rate=50r/s": "rate=10000r/s",
    }.items():
        assert there in conf
        conf = conf.replace(there, here)
    with nginx(folder, conf, port=port):
        yield
