"""Where files are, in a folder or a bucket (buckets.py), and how files come from one place to another."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ..database.copies import CopyFailed

Given = TypeVar("Given")
Answer = TypeVar("Answer")
NAME = "%Y-%m-%dT%H-%M-%S.%fZ"  # of a copy
AT_ONCE, PIECE = 8, 2000  # threads, and how many files wait for them at most


@dataclass(frozen=True, slots=True)
class Item:
    """A file as a place lists it. A folder knows when it was written, a bucket also its ETag."""

    name: str
    size: int
    modified: int  # nanoseconds
    etag: str = ""

    @property
    def version(self) -> str:
        """Another one where the content is another."""
        return f"{self.size}-{self.etag or self.modified}"


class Place(Protocol):
    def items(self) -> Iterator[Item]: ...

    def bring(self, source: "Place", item: Item, name: str) -> bool:
        """Take over an item of another place under this name; False where it was deleted meanwhile."""

    def download(self, item: Item, file: Path) -> bool:
        """Write an item to a file of this machine; False where it was deleted meanwhile."""


class Folder:
    """A place on this machine."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def items(self) -> Iterator[Item]:
        for parent, _, names in os.walk(self.home):
            for file in (Path(parent, name) for name in names):
                try:
                    facts = file.stat()
                except FileNotFoundError:
                    continue  # deleted meanwhile
                yield Item(file.relative_to(self.home).as_posix(), facts.st_size, facts.st_mtime_ns)

    def bring(self, source: Place, item: Item, name: str) -> bool:
        arrived = self.home / name
        arrived.parent.mkdir(parents=True, exist_ok=True)
        return source.download(item, arrived)

    def download(self, item: Item, file: Path) -> bool:
        try:
            shutil.copy2(self.home / item.name, file)
        except FileNotFoundError:
            return False
        return True


def describe(items: Iterable[Item]) -> dict[str, Any]:
    """How many files with how many bytes, and one checksum over their names and sizes."""
    sizes = sorted((item.name, item.size) for item in items)
    listing = hashlib.sha256(json.dumps(sizes).encode()).hexdigest()
    return {"count": len(sizes), "bytes": sum(size for _, size in sizes), "listing_sha256": listing}


def is_name_of_copy(name: str) -> bool:
    """Tells copies from what others keep beside them."""
    try:
        return datetime.strptime(name, NAME).strftime(NAME) == name
    except ValueError:
        return False


def require_inside(name: str) -> str:
    """The name of a file. Raises CopyFailed where it leads out of the place that it is in."""
    if name.startswith("/") or ".." in name.split("/"):
        raise CopyFailed(f"The name {name!r} leads out of the folder of the files: rename or delete it.")
    return name


def restore_all(source: Place, wanted: Iterable[tuple[Item, str]], target: Place) -> None:
    """Bring items of a copy to the shop under these names. Raises CopyFailed where one is missing."""

    def restore(one: tuple[Item, str]) -> None:
        item, name = one
        if not target.bring(source, item, name):
            raise CopyFailed(f"{name} is missing in the backup.")

    for _ in at_once(restore, wanted):
        pass


def at_once(act: Callable[[Given], Answer], rows: Iterable[Given]) -> Iterator[Answer]:
    """The answers in the order of the rows, of which only a piece is held."""
    waiting = iter(rows)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while piece := list(islice(waiting, PIECE)):
            yield from threads.map(act, piece)
