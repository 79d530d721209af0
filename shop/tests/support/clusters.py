"""Databases of a test's own, which may be hurt."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection, connections

from ..conftest import free_port
from .needs import lack


@dataclass
class Cluster:
    """A PostgreSQL in a folder."""

    tools: Path
    data: Path
    port: int

    def run(self, tool: str, *words: str, check: bool = True) -> bool:
        """Whether it went well; raises CalledProcessError where that is checked."""
        command = [str(self.tools / tool), *words]
        if os.geteuid() == 0:  # which PostgreSQL refuses to be
            command = ["runuser", "-u", "postgres", "--", *command]
        return subprocess.run(command, check=check, stdout=subprocess.DEVNULL, cwd="/").returncode == 0

    def create(self) -> None:
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--encoding=UTF8")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.data}"
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.data / "log"), "-w", "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")

    def is_running(self) -> bool:
        return self.run("pg_ctl", "-D", str(self.data), "status", check=False)


@contextmanager
def own_cluster(folder: Path) -> Iterator[Cluster]:
    """A new cluster in a folder, whose database is the default one in the block, with the shop's tables."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = tools[-1].parent if tools else lack("No PostgreSQL server of its own (initdb)")
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    own = Cluster(found, folder / "data", free_port())
    try:
        own.create()
        with default_database(HOST="127.0.0.1", PORT=own.port, USER="postgres", NAME="postgres", PASSWORD=""):
            call_command("migrate", verbosity=0)
            yield own
    finally:
        own.stop()


@contextmanager
def default_database(**changes: Any) -> Iterator[None]:
    """For this thread and what it starts the default database is another one."""
    kept = connections.databases["default"]
    _use(kept | changes)
    try:
        yield
    finally:
        _use(kept)


def _use(database: dict[str, Any]) -> None:
    connection.close()
    del connections["default"]
    connections.databases["default"] = database
