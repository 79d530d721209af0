"""Databases of a test's own, which may be hurt, and a pooler in front of the test database."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import connection, connections

from ..conftest import await_true, free_port
from .needs import lack

POOL_SIZE = 4
INI = """[databases]
* = {server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {pool_size}
max_client_conn = 500
server_login_retry = 1
"""


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

    def create_standby(self, folder: Path) -> "Cluster":
        """A streaming standby of this cluster, running."""
        own = Cluster(self.tools, folder, free_port())
        source = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "--checkpoint=fast"]
        self.run("pg_basebackup", "-D", str(folder), "--write-recovery-conf", "--wal-method=stream", *source)
        own.start()
        return own

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.data}"
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.data / "log"), "-w", "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")

    def processes(self) -> list[int]:
        """Their ids, the parent's first."""
        parent = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [parent, *map(int, children)]

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


# --- PgBouncer in transaction mode, with few connections for all who ask --------------------------


@dataclass
class Pooler:
    command: list[str]
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The test database through the pooler, as a process names it."""
        return f"postgres://postgres@127.0.0.1:{self.port}/{connection.settings_dict['NAME']}"

    def start(self) -> None:
        own = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        self.process = subprocess.Popen(self.command, cwd="/", stderr=subprocess.DEVNULL, **own)
        await_true(self._answers)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        if self.process:
            self.process.terminate()  # whoever is connected is cut off
            self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()


@contextmanager
def own_pooler() -> Iterator[Pooler]:
    """A PgBouncer that ends with the block; it runs as the user that PostgreSQL runs as, for root it refuses to be."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin") or lack("No pgbouncer on this machine")
    named = connection.settings_dict
    server = {"host": named["HOST"], "port": named["PORT"], "user": named["USER"], "password": named["PASSWORD"]}
    words = " ".join(f"{name}={value}" for name, value in server.items() if value)
    port = free_port()
    with TemporaryDirectory(prefix="shop-pooler-") as folder:
        ini = Path(folder, "pgbouncer.ini")
        ini.write_text(INI.format(server=words, port=port, pool_size=POOL_SIZE))
        Path(folder).chmod(0o755)
        pooler = Pooler([program, "-q", str(ini)], port)
        try:
            pooler.start()
            yield pooler
        finally:
            pooler.stop()
