"""nginx in front of a served shop."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from ..conftest import WAIT_SECONDS, is_listening
from .needs import lack

MAIN = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
{user}
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/shop.conf;
}}
"""


def require_nginx() -> str:
    """Its path; what it shows has its styles."""
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        lack("The assets are not collected (make var/static/.collected)")
    return shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin") or lack("No nginx on this machine")


@contextmanager
def nginx(folder: Path, conf: str, *, port: int) -> Iterator[None]:
    """It runs with this content of its http block, its files in `folder`, until the block ends."""
    (folder / "shop.conf").write_text(conf)
    is_root = Path("/root").owner() == folder.owner()
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user="user root;" if is_root else ""))
    process = subprocess.Popen([require_nginx(), "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        _await_port(port, process, folder)
        yield
    finally:
        process.terminate()
        process.wait(WAIT_SECONDS)


def _await_port(port: int, process: subprocess.Popen, folder: Path) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not is_listening(port):
        assert process.poll() is None and time.monotonic() < until, (folder / "error.log").read_text()
        time.sleep(0.1)
