"""The three processes of a running shop, started together and ended together."""

import atexit
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.db import connections
from honcho.manager import Manager
from honcho.printer import Message, Printer

WSGI_MODULE = "shop.wsgi"
WSGI = f"{WSGI_MODULE}:application"
MEMORY = "/dev/shm"  # nosec B108

# Measured on two cores with an empty view: granian answers 7,500/s, gunicorn's threads 4,700/s. Whoever
# sends slowly holds a thread until all has come (request_buffering.py), and backpressure counts connections: both
# stand well above the slow clients to be held. Threads are made when they are needed.
WEB_OPTIONS = {
    "--interface": "wsgi",
    "--http": "1",
    "--blocking-threads": "1024",
    "--backpressure": "1024",
    "--workers-kill-timeout": "10",
    "--log-level": "warning",
}


def web_command(*, host: str, port: int, app: str = WSGI, workers: int | None = None) -> list[str]:
    """The production web server for a WSGI application."""
    options = WEB_OPTIONS | {
        "--host": host,
        "--port": str(port),
        "--workers": str(workers or settings.WEB_WORKERS),
    }
    flags = [part for pair in options.items() for part in pair]
    return [sys.executable, "-m", "granian", *flags, "--no-ws", "--respawn-failed-workers", app]


def kept_web_command() -> list[str]:
    """The same under a watchdog, for the shop's own address."""
    kept = web_command(host=settings.HOST, port=settings.PORT)
    return [sys.executable, "-m", "shop.ops.watchdog", near_address(), str(settings.PORT), *kept]


def near_address() -> str:
    """Where this machine reaches its own server."""
    return settings.HOST if settings.HOST.strip("0.:") else "127.0.0.1"


def manage_command(*words: str) -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]


class FaultTolerantPrinter(Printer):
    """Lines that cannot be written, as on a full disk, are lost; the shop goes on."""

    def write(self, message: Message) -> None:
        with suppress(OSError):
            super().write(message)


def run_together(commands: dict[str, list[str]]) -> int:
    """Run named commands until one ends or the parent is asked to stop (Ctrl-C, SIGTERM); then end
    all of them, with their own children. SIGHUP goes to each, which takes up new code, if that starts at all.

    The exit code of what ended first; 0 when asked to stop."""
    is_read_by_programs = settings.LOG_FORMAT == "json"  # their lines are to stay what they are
    manager = Manager(FaultTolerantPrinter(sys.stdout, prefix=not is_read_by_programs))
    environment = os.environ | {"PYTHONUNBUFFERED": "1"} | _figures_folder()
    folder = Path(_folder_in_memory("shop-processes-"))
    for name, command in commands.items():
        # Who does not listen to SIGHUP yet would die of it, and with it all.
        line = f"echo $$ > {shlex.quote(str(folder / name))}; trap '' HUP; exec {shlex.join(command)}"
        manager.add_process(name, line, env=environment, cwd=str(settings.BASE_DIR))

    def signal_all() -> None:
        if subprocess.run([sys.executable, "-c", f"import {WSGI_MODULE}"], cwd=settings.BASE_DIR).returncode:
            sys.stderr.write("The new code does not start; the old code keeps running.\n")
            return
        for started in folder.iterdir():
            os.kill(int(started.read_text()), signal.SIGHUP)

    signal.signal(signal.SIGHUP, lambda *_: threading.Thread(target=signal_all, daemon=True).start())
    manager.loop()
    return 0 if manager.returncode in (130, 143) else manager.returncode


def start_anew() -> NoReturn:
    """Begin this very process again, with the code as it is now."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the new code listens to it
    connections.close_all()
    os.execv(sys.executable, sys.orig_argv)


def _figures_folder() -> dict[str, str]:
    """Where the processes of this start count together (metrics.py)."""
    if not settings.METRICS_TOKEN:
        return {}
    # Mapped into memory: on a disk that is full, who counts would be killed.
    return {"PROMETHEUS_MULTIPROC_DIR": _folder_in_memory("shop-metrics-")}


def _folder_in_memory(prefix: str) -> str:
    """A new folder, gone at the end of this process; on no disk that may be full, where the machine has such."""
    folder = tempfile.mkdtemp(prefix=prefix, dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
