"""Files in a bucket, and copies in one.

    s3://BUCKET/PREFIX/2026-11-21T14-52-13.120000Z/    the database, media.json.gz, private.json.gz, manifest.json
    s3://BUCKET/PREFIX/files/media/NAME/VERSION        every content that a file had in a copy, once

A copy lists its files, so that it costs what is new. Between two buckets a file never passes this machine.
"""

import gzip
import json
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from mimetypes import guess_type
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from shop.http.buckets import client_config

from ..database.copies import CopyFailed
from .folders import MANIFEST, STALE
from .places import Folder, Item, Place, at_once, describe, is_name_of_copy, require_inside, restore_all

FILES = "files"
MISSING = {"404", "NoSuchKey", "NotFound"}


def _is_content(name: str) -> bool:
    """NAME/SIZE-VERSION; nothing else below FILES is a copy's."""
    name, _, version = name.rpartition("/")
    size, _, rest = version.partition("-")
    return bool(name and size.isdecimal() and rest)


def new_client() -> Any:
    """One that waits longer than a web process may."""
    config = client_config(read_timeout=60, retries={"total_max_attempts": 5, "mode": "standard"})
    return boto3.client("s3", config=config)


class Bucket:
    """A place: what is below a prefix of a bucket. `parameters` are those of an object by its name."""

    def __init__(
        self,
        name: str,
        prefix: str = "",
        parameters: Callable[[str], dict[str, Any]] | None = None,
        client: Any = None,
    ) -> None:
        self.client = client or new_client()
        self.name = name
        self.prefix = prefix
        self._parameters = parameters or (lambda name: {})

    def below(self, path: str) -> "Bucket":
        return Bucket(self.name, self.prefix + path, client=self.client)

    def items(self) -> Iterator[Item]:
        """All but the empty objects that stand for folders. Raises CopyFailed for a name that leads out of a folder."""
        for page in self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name, Prefix=self.prefix):
            for one in page.get("Contents", ()):
                modified = int(one["LastModified"].timestamp()) * 10**9
                name = require_inside(one["Key"][len(self.prefix) :])
                if not one["Key"].endswith("/"):
                    yield Item(name, one["Size"], modified, one["ETag"].strip('"'))

    def bring(self, source: Place, item: Item, name: str) -> bool:
        facts = {"ContentType": guess_type(name)[0] or "application/octet-stream"} | self._parameters(name)
        place = {"Bucket": self.name, "Key": self.prefix + name}
        try:
            if isinstance(source, Bucket):
                copied = {"Bucket": source.name, "Key": source.prefix + item.name}
                self.client.copy_object(CopySource=copied, MetadataDirective="REPLACE", **place, **facts)
            elif isinstance(source, Folder):
                with (source.home / item.name).open("rb") as file:
                    self.client.put_object(Body=file, **place, **facts)
        except (FileNotFoundError, ClientError) as error:
            return _only_if_missing(error)
        return True

    def download(self, item: Item, file: Path) -> bool:
        try:
            self.client.download_file(self.name, self.prefix + item.name, str(file))
        except ClientError as error:
            return _only_if_missing(error)
        os.utime(file, ns=(item.modified, item.modified))
        return True

    def read(self, name: str) -> bytes:
        """Raises FileNotFoundError."""
        try:
            found: bytes = self.client.get_object(Bucket=self.name, Key=self.prefix + name)["Body"].read()
        except ClientError as error:
            _only_if_missing(error)
            raise FileNotFoundError(name) from error
        return found

    def write(self, name: str, content: bytes) -> None:
        self.client.put_object(Bucket=self.name, Key=self.prefix + name, Body=content)

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            self.client.delete_object(Bucket=self.name, Key=self.prefix + name)


def _only_if_missing(error: Exception) -> bool:
    if isinstance(error, ClientError) and error.response["Error"]["Code"] not in MISSING:
        raise error
    return False


@dataclass(frozen=True, slots=True)
class Listed:
    """A file of a copy: as it was in the shop, and under which name the bucket keeps its content."""

    name: str
    size: int
    modified: int
    kept_as: str

    @classmethod
    def read(cls, name: str, size: int, modified: int, kept_as: str) -> "Listed":
        """Raises CopyFailed, TypeError."""
        if [type(value) for value in (name, size, modified, kept_as)] != [str, int, int, str]:
            raise TypeError(name)
        return cls(require_inside(name), size, modified, require_inside(kept_as))

    @property
    def item(self) -> Item:
        return Item(self.name, self.size, self.modified)


class BucketStore:
    """Copies below an address such as s3://bucket/prefix, or the one copy there."""

    def __init__(self, address: str) -> None:
        bucket, _, path = address.removeprefix("s3://").partition("/")
        if not bucket:
            raise CopyFailed(f"{address} names no bucket: s3://bucket/prefix.")
        self.bucket = bucket
        self._root = Bucket(bucket, f"{path.strip('/')}/" if path.strip("/") else "")

    def copies(self) -> list[str]:
        """Addresses of finished copies, the newest first."""
        return [str(BucketCopy(self._root, name).address) for name in self._finished()]

    def _finished(self) -> list[str]:
        return sorted((name for name in self._folders() if self._has(f"{name}/{MANIFEST}")), reverse=True)

    def _folders(self) -> list[str]:
        lists = self._root.client.get_paginator("list_objects_v2")
        pages = lists.paginate(Bucket=self.bucket, Prefix=self._root.prefix, Delimiter="/")
        prefixes = [one["Prefix"] for page in pages for one in page.get("CommonPrefixes", ())]
        return [name for prefix in prefixes if is_name_of_copy(name := prefix[len(self._root.prefix) : -1])]

    def _has(self, name: str) -> bool:
        return any(item.name == "" for item in self._root.below(name).items())

    def find(self) -> "BucketCopy | None":
        """The copy that this is, or the newest in it."""
        if self._has(MANIFEST):
            home, _, name = self._root.prefix.rstrip("/").rpartition("/")
            return BucketCopy(Bucket(self.bucket, f"{home}/" if home else "", client=self._root.client), name)
        return next((BucketCopy(self._root, name) for name in self._finished()), None)

    @contextmanager
    def arriving(self, name: str) -> Iterator["BucketCopy"]:
        """A new copy, gone again when the block fails but for contents that the next one will share."""
        with TemporaryDirectory() as work:
            copy = BucketCopy(self._root, name, Path(work))
            try:
                yield copy
            except BaseException:
                with suppress(BotoCoreError, ClientError, CopyFailed):  # a later backup removes the rest
                    copy.remove()
                raise

    def delete_old(self, keep: int) -> None:
        """Remove the oldest copies, the rest of those that were never finished, and contents that no copy lists."""
        finished = self._finished()
        stale = [name for name in self._folders() if name not in finished and _is_old(self._newest_in(name))]
        for name in (*finished[max(1, keep) :], *stale):
            BucketCopy(self._root, name).remove()
        kept = [BucketCopy(self._root, name) for name in finished[: max(1, keep)]]
        for area in ("media", "private"):
            pool = kept[0].pool(area)
            unlisted = {item.name for item in pool.items() if _is_old(item.modified) and _is_content(item.name)}
            for copy in kept:
                if unlisted:
                    unlisted -= {listed.kept_as for listed in copy.listing(area)}
            pool.delete(unlisted)

    def _newest_in(self, name: str) -> int:
        return max((item.modified for item in self._root.below(f"{name}/").items()), default=0)


def _is_old(modified: int) -> bool:
    """Over a day: what a copy that is being made now has written is younger."""
    return time.time() - modified / 10**9 > STALE


class BucketCopy:
    def __init__(self, root: Bucket, name: str, work: Path = Path()) -> None:
        self.address: Path | str = f"s3://{root.name}/{root.prefix}{name}"
        self.work = work  # where the database is copied to on this machine
        self._root = root
        self._place = root.below(f"{name}/")

    def pool(self, area: str) -> Bucket:
        return self._root.below(f"{FILES}/{area}/")

    def keep_files(self, name: str, source: Place) -> dict[str, Any]:
        pool = self.pool(name)
        there = {item.name for item in pool.items()}

        def keep(item: Item) -> Listed | None:
            kept_as = f"{item.name}/{item.version}"
            if kept_as in there or pool.bring(source, item, kept_as):
                return Listed(item.name, item.size, item.modified, kept_as)
            return None

        listing = self._with_sizes(name, [listed for listed in at_once(keep, source.items()) if listed])
        rows = [[one.name, one.size, one.modified, one.kept_as] for one in listing]
        self._place.write(f"{name}.json.gz", gzip.compress(json.dumps(rows).encode()))
        return describe(one.item for one in listing)

    def _with_sizes(self, name: str, listing: list[Listed]) -> list[Listed]:
        """As they arrived: a file may have been written anew after it was listed. Raises CopyFailed where a content is
        gone, which another backup removed that ran meanwhile."""
        sizes = {item.name: item.size for item in self.pool(name).items()}
        if gone := [listed.name for listed in listing if listed.kept_as not in sizes]:
            raise CopyFailed(f"Another backup ran at the same time and removed {gone[0]}. Try again.")
        return [replace(listed, size=sizes[listed.kept_as]) for listed in listing]

    def finish(self, manifest: dict[str, Any]) -> Path | str:
        for item in Folder(self.work).items():
            self._place.client.upload_file(str(self.work / item.name), self._place.name, self._place.prefix + item.name)
        self._place.write(MANIFEST, json.dumps(manifest, indent=1).encode())
        return self.address

    def read_manifest(self) -> str:
        return self._place.read(MANIFEST).decode()

    def listing(self, name: str) -> list[Listed]:
        """Raises CopyFailed where the list is missing, cut off or damaged."""
        try:
            rows = json.loads(gzip.decompress(self._place.read(f"{name}.json.gz")))
            return [Listed.read(*row) for row in rows]
        except (FileNotFoundError, gzip.BadGzipFile, EOFError, zlib.error, ValueError, TypeError) as error:
            raise CopyFailed(f"The list {name}.json.gz of {self.address} is missing or damaged.") from error

    def describe(self, name: str) -> dict[str, Any]:
        """Of the files whose content is there with its size."""
        sizes = {item.name: item.size for item in self.pool(name).items()}
        return describe(one.item for one in self.listing(name) if sizes.get(one.kept_as) == one.size)

    @contextmanager
    def database(self, file: str) -> Iterator[Path]:
        """A folder with the database's copy, while the block lasts."""
        with TemporaryDirectory() as folder:
            self._place.download(Item(file, 0, time.time_ns()), Path(folder, file))
            yield Path(folder)

    def restore_files(self, name: str, target: Place) -> None:
        wanted = ((Item(one.kept_as, one.size, one.modified), one.name) for one in self.listing(name))
        restore_all(self.pool(name), wanted, target)

    def remove(self) -> None:
        """The manifest first: half a copy is none."""
        names = [item.name for item in self._place.items()]
        self._place.delete(sorted(names, key=lambda name: name != MANIFEST))
