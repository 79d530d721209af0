"""A database with every migration applied, made once a day for all processes of tests, each of which takes a copy:
applying two hundred migrations takes 20 s of a processor.

Of another day or of other migrations there is none, and whoever comes first makes it while the others wait.
"""

import fcntl
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

FOLDER = settings.BASE_DIR / "var" / "test-databases"
NAMES = "shop_migrated_"


class MigratedDatabase:
    """The one for the default connection, before and after that becomes one of a test database."""

    def __init__(self) -> None:
        self._own = connection.settings_dict["NAME"]
        self._copy = connection.creation._get_test_db_name()  # as Django and pytest-django name it
        self._name = NAMES + _digest()
        self._file = FOLDER / f"{self._name}.sqlite3"
        FOLDER.mkdir(parents=True, exist_ok=True)
        self._lock = (FOLDER / f"{connection.vendor}.lock").open("w")
        self.is_copied = False

    def copy(self) -> None:
        """Copy it, if it is there; else nobody else looks for it until `keep`."""
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.is_copied = self._copy_file() if connection.vendor == "sqlite" else self._copy_database()
        if self.is_copied:
            self._lock.close()

    def keep(self) -> None:
        """Keep what was migrated, if anything was, for those that come later."""
        if connection.settings_dict["NAME"] == self._copy:
            connection.close()
            self._keep_file() if connection.vendor == "sqlite" else self._keep_database()
        self._lock.close()

    def drop_copy(self) -> None:
        if connection.settings_dict["NAME"] == self._copy:
            connection.creation.destroy_test_db(self._own, verbosity=0)

    def _copy_file(self) -> bool:
        if not self._file.exists():
            return False
        shutil.copyfile(self._file, self._copy)
        return True

    def _keep_file(self) -> None:
        whole = self._file.with_suffix(".new")
        whole.unlink(missing_ok=True)
        with closing(sqlite3.connect(self._copy)) as source, closing(sqlite3.connect(whole)) as target:
            source.backup(target)
        for old in FOLDER.glob(f"{NAMES}*.sqlite3"):
            old.unlink()
        whole.rename(self._file)

    def _copy_database(self) -> bool:
        with connection.creation._nodb_cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [self._name])
            if not cursor.fetchone():
                return False
            cursor.execute(f'DROP DATABASE IF EXISTS "{self._copy}"')
            cursor.execute(f'CREATE DATABASE "{self._copy}" TEMPLATE "{self._name}"')
        return True

    def _keep_database(self) -> None:
        with connection.creation._nodb_cursor() as cursor:
            cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [NAMES + "%"])
            for (old,) in cursor.fetchall():
                try:
                    cursor.execute(f'DROP DATABASE "{old}"')
                except DatabaseError:  # another clone copies it
                    continue
            cursor.execute(f'CREATE DATABASE "{self._name}" TEMPLATE "{self._copy}"')


def _digest() -> str:
    """Of the day, of the project's migrations and of the packages that bring some, too."""
    files = [
        settings.BASE_DIR / "requirements.txt",
        *sorted(Path(settings.BASE_DIR, "shop").glob("**/migrations/*.py")),
    ]
    made_of = blake2b(f"{datetime.now(UTC).date()}".encode(), digest_size=8)
    for file in files:
        made_of.update(f"{file.relative_to(settings.BASE_DIR)}".encode() + file.read_bytes())
    return made_of.hexdigest()
