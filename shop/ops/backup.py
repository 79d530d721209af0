"""Copies of the whole shop, and the shop made of one again.

    BACKUP_DIR/2026-11-21T14-52-13.120000Z/    manifest.json, the database, media/, private/

Each folder is complete: removing one harms no other. Files keep their content for good, so a copy shares
those of the copy before it (hard links) and costs what is new.
"""

import hashlib
import json
import os
import platform
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import FileSystemStorage, storages
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from .database.copies import CopyFailed, copy_database, is_database_empty, keep_over_power_loss, restore_database

MANIFEST, ARRIVING = "manifest.json", ".arriving"
NAME = "%Y-%m-%dT%H-%M-%S.%fZ"
FORMAT = 1
FILES = {"media": "default", "private": "private"}  # folder in a copy: the storage of its files
STALE = 24 * 3600  # seconds after which the rest of a backup that was killed is removed


def keep_copy() -> None:
    """The clock's share (settings.CHORES)."""
    make_copy(Path(settings.BACKUP_DIR), keep=settings.BACKUP_KEEP)


def make_copy(folder: Path, *, keep: int) -> Path:
    """A copy of the shop in a new folder inside `folder`, of which the `keep` newest stay. Safe while the
    shop runs: what is in the database has its files in the copy. Raises CopyFailed, OSError."""
    started = datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = next(iter(copies_in(folder)), None)
    arriving = folder / f"{started.strftime(NAME)}{ARRIVING}"
    arriving.mkdir(mode=0o700)
    try:
        database = copy_database(arriving)
        manifest = {
            "format": FORMAT,
            "shop": settings.SHOP_URL,
            "started_at": started.isoformat(),
            "versions": {"python": platform.python_version(), "django": django.get_version()},
            "migrations": _applied_migrations(),
            "database": database,
            "files": {name: _copy_files(name, arriving, before) for name in FILES},
        }
        (arriving / MANIFEST).write_text(json.dumps(manifest, indent=1))
        keep_over_power_loss(arriving / MANIFEST)
        copy = arriving.rename(folder / arriving.name.removesuffix(ARRIVING))
    except BaseException:
        shutil.rmtree(arriving, ignore_errors=True)
        raise
    keep_over_power_loss(folder)
    _forget_old(folder, keep)
    return copy


def copies_in(folder: Path) -> list[Path]:
    """Finished copies, the newest first."""
    found = [path.parent for path in folder.glob(f"*/{MANIFEST}") if not path.parent.name.endswith(ARRIVING)]
    return sorted(found, key=lambda path: path.name, reverse=True)


def _forget_old(folder: Path, keep: int) -> None:
    for copy in copies_in(folder)[max(1, keep) :]:
        # Under another name first: half a copy is none.
        shutil.rmtree(copy.rename(copy.with_name(copy.name + ARRIVING)))
    for rest in folder.glob(f"*{ARRIVING}"):
        if time.time() - rest.stat().st_mtime > STALE:
            shutil.rmtree(rest)


def read_copy(folder: Path) -> tuple[Path, dict[str, Any]]:
    """A copy, or the newest in a folder of copies, with its manifest. Raises CopyFailed where there is none,
    or where it is not what its manifest says."""
    copy = folder if (folder / MANIFEST).exists() else next(iter(copies_in(folder)), None)
    if copy is None:
        raise CopyFailed(f"There is no backup in {folder}.")
    try:
        manifest = json.loads((copy / MANIFEST).read_text())
        if manifest["format"] != FORMAT:
            raise CopyFailed(f"{copy} is in a backup format this version can't read.")
        unknown = sorted({*manifest["migrations"]} - _known_migrations())
        listed = {name: manifest["files"][name] for name in FILES}
    except (ValueError, KeyError, TypeError) as error:
        raise CopyFailed(f"The manifest of {copy} cannot be read.") from error
    if unknown:
        raise CopyFailed(f"The backup is from a newer version, with {', '.join(unknown)}. Restore it with that one.")
    for name, facts in listed.items():
        if _describe(copy / name) != facts:
            raise CopyFailed(f"{copy / name} does not match the manifest: files are missing or cut off.")
    return copy, manifest


def is_empty() -> bool:
    """Neither tables nor files are here."""
    return is_database_empty() and not any(next(_files_in(_home(name)), None) for name in FILES)


def restore_copy(copy: Path, manifest: dict[str, Any]) -> None:
    """Make this shop what the copy is, and bring its database up to date. Raises CopyFailed, OSError."""
    restore_database(copy, manifest["database"])
    for name in FILES:
        _bring_files(copy / name, _home(name))
    call_command("migrate", verbosity=0, interactive=False)
    cache.clear()


# --- Files --------------------------------------------------------------------------------------


def _home(name: str) -> Path:
    storage = storages[FILES[name]]
    if not isinstance(storage, FileSystemStorage):
        raise CopyFailed("The files are not on this machine. Their storage keeps its own copies.")
    return Path(storage.location)


def _files_in(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        yield from (Path(parent, name) for name in names)


def _copy_files(name: str, copy: Path, before: Path | None) -> dict[str, Any]:
    _bring_files(_home(name), copy / name, same=before / name if before else None)
    return _describe(copy / name)


def _bring_files(source: Path, target: Path, *, same: Path | None = None) -> None:
    """Copy what is not there yet, or share it with `same`, a folder on the disk of the target."""
    target.mkdir(parents=True, exist_ok=True)
    for file in _files_in(source):
        path = file.relative_to(source)
        arrived = target / path
        if _is_same(file, arrived):
            continue
        arrived.parent.mkdir(parents=True, exist_ok=True)
        try:
            if same and _is_same(file, same / path):
                os.link(same / path, arrived)
            else:
                shutil.copy2(file, arrived)
        except FileNotFoundError:
            continue  # deleted meanwhile


def _is_same(file: Path, other: Path) -> bool:
    try:
        one, two = file.stat(), other.stat()
    except FileNotFoundError:
        return False
    return (one.st_size, one.st_mtime_ns) == (two.st_size, two.st_mtime_ns)


def _describe(folder: Path) -> dict[str, Any]:
    """How many files with how many bytes, and one checksum over their names and sizes."""
    sizes = sorted((file.relative_to(folder).as_posix(), file.stat().st_size) for file in _files_in(folder))
    listing = hashlib.sha256(json.dumps(sizes).encode()).hexdigest()
    return {"count": len(sizes), "bytes": sum(size for _, size in sizes), "listing_sha256": listing}


# --- Versions -----------------------------------------------------------------------------------


def _applied_migrations() -> list[str]:
    return sorted(".".join(key) for key in MigrationLoader(connection).applied_migrations)


def _known_migrations() -> set[str]:
    """Of this code, with those that were squashed into others."""
    disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    replaced = {".".join(key) for migration in disk.values() for key in migration.replaces}
    return {".".join(key) for key in disk} | replaced
