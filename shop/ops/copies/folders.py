"""Copies in a folder: each a folder of its own, which shares files with the one before it (hard links)."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..database.copies import keep_over_power_loss
from .places import Folder, Item, Place, describe, is_name_of_copy, restore_all

MANIFEST, ARRIVING = "manifest.json", ".arriving"
STALE = 24 * 3600  # seconds after which the rest of a backup that was killed is removed


class FolderStore:
    def __init__(self, home: Path) -> None:
        self.home = home

    def copies(self) -> list[Path]:
        """Finished copies, the newest first."""
        found = [path.parent for path in self.home.glob(f"*/{MANIFEST}") if is_name_of_copy(path.parent.name)]
        return sorted(found, key=lambda path: path.name, reverse=True)

    def find(self) -> "FolderCopy | None":
        """The copy that this is, or the newest in it."""
        copy = self.home if (self.home / MANIFEST).exists() else next(iter(self.copies()), None)
        return FolderCopy(copy) if copy else None

    @contextmanager
    def arriving(self, name: str) -> Iterator["FolderCopy"]:
        """A new copy, gone again when the block fails."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = next(iter(self.copies()), None)
        work = self.home / f"{name}{ARRIVING}"
        work.mkdir(mode=0o700)
        try:
            yield FolderCopy(work, before)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise

    def delete_old(self, keep: int) -> None:
        for copy in self.copies()[max(1, keep) :]:
            # Under another name first: half a copy is none.
            shutil.rmtree(copy.rename(copy.with_name(copy.name + ARRIVING)))
        for rest in self.home.glob(f"*{ARRIVING}"):
            if is_name_of_copy(rest.name.removesuffix(ARRIVING)) and time.time() - rest.stat().st_mtime > STALE:
                shutil.rmtree(rest)


class FolderCopy:
    def __init__(self, work: Path, before: Path | None = None) -> None:
        self.address: Path | str = work
        self.work = work
        self._before = before

    def keep_files(self, name: str, source: Place) -> dict[str, Any]:
        _bring_all(source, self.work / name, same=self._before / name if self._before else None)
        return self.describe(name)

    def finish(self, manifest: dict[str, Any]) -> Path | str:
        (self.work / MANIFEST).write_text(json.dumps(manifest, indent=1))
        keep_over_power_loss(self.work / MANIFEST)
        copy = self.work.rename(self.work.with_name(self.work.name.removesuffix(ARRIVING)))
        keep_over_power_loss(copy.parent)
        return copy

    def read_manifest(self) -> str:
        return (self.work / MANIFEST).read_text()

    def describe(self, name: str) -> dict[str, Any]:
        return describe(Folder(self.work / name).items())

    @contextmanager
    def database(self, file: str) -> Iterator[Path]:
        """The folder with the database's copy."""
        yield self.work

    def restore_files(self, name: str, target: Place) -> None:
        source = Folder(self.work / name)
        there = target.home if isinstance(target, Folder) else None
        missing = (item for item in source.items() if not (there and _is_same(item, there / item.name)))
        restore_all(source, ((item, item.name) for item in missing), target)


def _bring_all(source: Place, home: Path, *, same: Path | None) -> None:
    """Copy what is not there yet, or share it with `same`, a folder on the same disk."""
    target = Folder(home)
    home.mkdir(parents=True, exist_ok=True)
    for item in source.items():
        arrived = home / item.name
        if _is_same(item, arrived):
            continue
        if same and _is_same(item, same / item.name):
            arrived.parent.mkdir(parents=True, exist_ok=True)
            os.link(same / item.name, arrived)
        else:
            target.bring(source, item, item.name)


def _is_same(item: Item, other: Path) -> bool:
    try:
        facts = other.stat()
    except FileNotFoundError:
        return False
    return (item.size, item.modified) == (facts.st_size, facts.st_mtime_ns)
