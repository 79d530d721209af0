"""A consistent copy of the database while the shop runs, and a database made of such a copy again.

SQLite is copied with its online backup, PostgreSQL by pg_dump; rows are counted in the very moment that
the copy shows.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import environ
from django.conf import settings
from django.db import DatabaseError, connection, connections

SQLITE_NAME, POSTGRES_NAME = "shop.sqlite3", "shop.dump"
COUNT = 'SELECT COUNT(*) FROM "{}"'
POSTGRES_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1"
OTHERS = (
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


class CopyFailed(Exception):
    """A copy could not be made or taken back; the text says why, in words."""


def copy_database(folder: Path) -> dict[str, Any]:
    """Write the database's copy into a folder: its file's name, checksum and the rows of each table."""
    name, rows = _copy_sqlite(folder) if connection.vendor == "sqlite" else _copy_postgres(folder)
    return {"vendor": connection.vendor, "file": name, "sha256": sha256_of(folder / name), "rows": rows}


def restore_database(folder: Path, manifest: dict[str, Any]) -> None:
    """Make the database what the copy says. Whatever it held before is gone; see is_database_empty."""
    if manifest["vendor"] != connection.vendor:
        raise CopyFailed(f"The backup is from {manifest['vendor']}, but the shop's database is {connection.vendor}.")
    if sha256_of(folder / manifest["file"]) != manifest["sha256"]:
        raise CopyFailed(f"{folder / manifest['file']} is damaged: its checksum does not match the manifest.")
    if connection.vendor == "sqlite":
        _restore_sqlite(folder / manifest["file"])
    else:
        _restore_postgres(folder / manifest["file"])
    found = count_rows()
    if found != manifest["rows"]:
        differing = sorted(
            name for name in {*found, *manifest["rows"]} if found.get(name) != manifest["rows"].get(name)
        )
        raise CopyFailed(f"The restored database does not match the backup: {', '.join(differing)}.")


def is_database_empty() -> bool:
    """No table is there. A file that is no database is not empty: somebody should look at it."""
    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        if not file.exists() or file.stat().st_size == 0:
            return True
    try:
        return not _tables()
    except DatabaseError:
        return False
    finally:
        connection.close()


def count_rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for table in _tables():
            cursor.execute(COUNT.format(table))
            counts[table] = cursor.fetchone()[0]
    return counts


def _tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(SQLITE_TABLES if connection.vendor == "sqlite" else POSTGRES_TABLES)
        return [name for (name,) in cursor.fetchall()]


def sha256_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


# --- SQLite -------------------------------------------------------------------------------------


def _copy_sqlite(folder: Path) -> tuple[str, dict[str, int]]:
    """All pages in one step: writers go on beside it, and it sees none of what they write."""
    source = connection.settings_dict["NAME"]
    try:
        with closing(sqlite3.connect(source, timeout=20)) as original, closing(_open(folder / SQLITE_NAME)) as copy:
            original.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file
            if (verdict := copy.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                raise CopyFailed(f"The backup failed its integrity check: {verdict}.")
            tables = [name for (name,) in copy.execute(SQLITE_TABLES)]
            rows = {table: copy.execute(COUNT.format(table)).fetchone()[0] for table in tables}
    except sqlite3.Error as error:
        raise CopyFailed(f"SQLite could not be copied: {error}.") from error
    keep_over_power_loss(folder / SQLITE_NAME)
    return SQLITE_NAME, rows


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=0, isolation_level=None)


def _restore_sqlite(copy: Path) -> None:
    target = Path(connection.settings_dict["NAME"])
    connection.close()
    _refuse_open_sqlite(target)
    arriving = target.with_name(f"{target.name}.arriving")
    shutil.copyfile(copy, arriving)
    keep_over_power_loss(arriving)
    for beside in ("-wal", "-shm", "-journal"):
        target.with_name(target.name + beside).unlink(missing_ok=True)
    arriving.replace(target)
    keep_over_power_loss(target.parent)


def _refuse_open_sqlite(file: Path) -> None:
    """The journal's mode can only be changed by whoever has the file alone."""
    if not file.exists():
        return
    try:
        with closing(_open(file)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise CopyFailed("The shop is running on this database: stop it first.") from error
    except sqlite3.DatabaseError:
        return  # it is no database any more


def keep_over_power_loss(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- PostgreSQL ---------------------------------------------------------------------------------


def _copy_postgres(folder: Path) -> tuple[str, dict[str, int]]:
    """The dump shows the moment of the transaction in which the rows are counted."""
    with _alone() as cursor:
        _refuse_pooler(cursor)
        cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        rows = count_rows()
        target = [
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            "--no-comments",
            f"--file={folder / POSTGRES_NAME}",
        ]
        _run_postgres("pg_dump", *target, f"--snapshot={snapshot}")
        cursor.execute("ROLLBACK")
    keep_over_power_loss(folder / POSTGRES_NAME)
    return POSTGRES_NAME, rows


@contextmanager
def _alone() -> Iterator[Any]:
    """A cursor on a fresh connection, which is closed after it."""
    connection.close()
    try:
        with connection.cursor() as cursor:
            yield cursor
    finally:
        connection.close()


def _refuse_pooler(cursor: Any) -> None:
    """PostgreSQL's own programs set things for their connection, which a pooler would hand on to shoppers."""
    if settings.DATABASE_DIRECT_URL:
        return
    cursor.execute("SELECT pg_backend_pid()")
    if cursor.fetchone()[0] != cursor.connection.info.backend_pid:
        raise CopyFailed("The database is reached through a pooler: set DATABASE_DIRECT_URL to its own address.")


def _restore_postgres(copy: Path) -> None:
    with _alone() as cursor:
        _refuse_pooler(cursor)
        cursor.execute(OTHERS)
        if others := cursor.fetchone()[0]:
            raise CopyFailed(f"The shop is running on this database ({others} connections): stop it first.")
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
        cursor.execute("GRANT USAGE ON SCHEMA public TO PUBLIC")  # as in a new database: other roles may read again
    words = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-comments")
    _run_postgres("pg_restore", *words, str(copy), database_option=True)
    connections.close_all()


def _run_postgres(tool: str, *words: str, database_option: bool = False) -> None:
    """A client program, which gets its password from its environment alone."""
    database_settings = dict(connection.settings_dict)
    if settings.DATABASE_DIRECT_URL:
        database_settings |= environ.Env.db_url_config(settings.DATABASE_DIRECT_URL)
    named, secrets = connection.client.settings_to_cmd_args_env(database_settings, [])
    where, database = named[1:-1], named[-1]
    command = [postgres_tool(tool), *where, *words, *(["--dbname", database] if database_option else [database])]
    done = subprocess.run(command, env=os.environ | (secrets or {}), capture_output=True, text=True)
    if done.returncode:
        raise CopyFailed(f"{tool} failed: {done.stderr.strip()[-500:]}")


def postgres_tool(name: str) -> str:
    """A program of PostgreSQL: on the path, or where Debian keeps those of the newest version."""
    kept = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4].split(".")[0]))
    found = shutil.which(name) or (str(kept[-1]) if kept else None)
    if found is None:
        raise CopyFailed(f"{name} is not installed; on Debian and Ubuntu: apt install postgresql-client")
    return found
