"""Where files are, in a folder or a bucket (buckets.py), and how a file comes from one place to another."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


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
