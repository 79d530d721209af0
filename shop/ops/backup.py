"""Copies of the whole shop, and the shop made of one again.

    BACKUP_DIR/2026-11-21T14-52-13.120000Z/    manifest.json, the database, media/, private/

In a folder each copy is complete (copies/folders.py); in a bucket, where BACKUP_DIR is s3://BUCKET/PREFIX, copies list
the contents that they share (copies/buckets.py). Files keep their content for good, so a copy costs what is new. Both
take files of the shop from folders and from buckets.
"""

import json
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import django
from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from shop.http.media import is_folder

from .copies.folders import FolderStore
from .copies.places import NAME, Folder, Place, require_inside
from .database.copies import CopyFailed, copy_database, is_database_empty, restore_database

FORMAT = 1
FILES = {"media": "default", "private": "private"}  # folder in a copy: the storage of its files
IN_BUCKET = "s3://"
Address: TypeAlias = "Path | str"  # a folder, or s3://bucket/prefix


class OldCopiesStay(CopyFailed):
    """A copy was made, and older ones that should have gone are still there."""


def keep_copy() -> None:
    """The clock's share (settings.SCHEDULED_JOBS)."""
    make_copy(settings.BACKUP_DIR, keep=settings.BACKUP_KEEP)


def make_copy(address: Address, *, keep: int) -> Address:
    """A copy of the shop in a new folder inside `address`, of which the `keep` newest stay. Safe while the
    shop runs: what is in the database has its files in the copy. Raises CopyFailed, OSError; OldCopiesStay where the
    copy was made all the same."""
    started = datetime.now(UTC)
    with _in_words():
        store = _store_at(address)
        with store.arriving(started.strftime(NAME)) as copy:
            database = copy_database(copy.work)
            manifest = {
                "format": FORMAT,
                "shop": settings.SHOP_URL,
                "started_at": started.isoformat(),
                "versions": {"python": platform.python_version(), "django": django.get_version()},
                "migrations": _applied_migrations(),
                "database": database,
                "files": {name: copy.keep_files(name, _files_of(name)) for name in FILES},
            }
            finished: Address = copy.finish(manifest)
    try:
        with _in_words():
            store.delete_old(keep)
    except (CopyFailed, OSError) as error:
        raise OldCopiesStay(f"The backup {finished} was made, but older ones were not all removed. {error}") from error
    return finished


def copies_in(address: Address) -> list[Any]:
    """Finished copies, the newest first."""
    with _in_words():
        found: list[Any] = _store_at(address).copies()
    return found


def read_copy(address: Address) -> tuple[Address, dict[str, Any]]:
    """A copy, or the newest among copies, with its manifest. Raises CopyFailed where there is none,
    or where it is not what its manifest says."""
    with _in_words():
        copy = _store_at(address).find()
        if copy is None:
            raise CopyFailed(f"There is no backup in {address}.")
        try:
            manifest = json.loads(copy.read_manifest())
            if manifest["format"] != FORMAT:
                raise CopyFailed(f"{copy.address} is in a backup format this version can't read.")
            unknown = sorted({*manifest["migrations"]} - _known_migrations())
            listed = {name: manifest["files"][name] for name in FILES}
            require_inside(manifest["database"]["file"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CopyFailed(f"The manifest of {copy.address} cannot be read.") from error
        if unknown:
            newer = ", ".join(unknown)
            raise CopyFailed(f"The backup is from a newer version, with {newer}. Restore it with that one.")
        for name, facts in listed.items():
            if copy.describe(name) != facts:
                raise CopyFailed(f"{copy.address}/{name} does not match the manifest: files are missing or cut off.")
    return copy.address, manifest


def is_empty() -> bool:
    """Neither tables nor files are here."""
    with _in_words():
        return is_database_empty() and not any(next(_files_of(name).items(), None) for name in FILES)


def restore_copy(address: Address, manifest: dict[str, Any]) -> None:
    """Make this shop what the copy is, and bring its database up to date. Raises CopyFailed, OSError."""
    with _in_words():
        copy = _store_at(address).find()
        with copy.database(manifest["database"]["file"]) as folder:
            restore_database(folder, manifest["database"])
        for name in FILES:
            copy.restore_files(name, _files_of(name))
    call_command("migrate", verbosity=0, interactive=False)
    cache.clear()


# --- Places -------------------------------------------------------------------------------------


def _store_at(address: Address) -> Any:
    if not str(address).startswith(IN_BUCKET):
        return FolderStore(Path(address).resolve())
    from .copies.buckets import BucketStore  # boto3 is loaded where there are buckets alone

    store = BucketStore(str(address))
    if store.bucket in {getattr(storages[alias], "bucket_name", "") for alias in FILES.values()}:
        raise CopyFailed(f"{address} is in a bucket of the shop's own files: name another one for backups.")
    return store


def _files_of(name: str) -> Place:
    storage: Any = storages[FILES[name]]
    if is_folder(storage):
        return Folder(Path(storage.location))
    if not hasattr(storage, "bucket_name"):
        raise CopyFailed("The files are neither in folders nor in buckets. Their storage keeps its own copies.")
    from .copies.buckets import Bucket

    return Bucket(storage.bucket_name, parameters=storage.get_object_parameters)


@contextmanager
def _in_words() -> Iterator[None]:
    """What a bucket's server refuses, as CopyFailed. Its errors are known by where they come from."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("botocore", "boto3", "s3transfer"):
            raise
        raise CopyFailed(f"The bucket could not be used: {error}") from error


# --- Versions -----------------------------------------------------------------------------------


def _applied_migrations() -> list[str]:
    return sorted(".".join(key) for key in MigrationLoader(connection).applied_migrations)


def _known_migrations() -> set[str]:
    """Of this code, with those that were squashed into others."""
    disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    replaced = {".".join(key) for migration in disk.values() for key in migration.replaces}
    return {".".join(key) for key in disk} | replaced
