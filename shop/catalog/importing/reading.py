"""Records from a CSV or JSON file, plain or gzipped, one at a time.

Files come with or without a byte order mark, with any line ends, in UTF-8, UTF-16 or the old Windows
encoding, with commas, semicolons, tabs or bars between their cells. The apostrophe that guards a formula in
our own downloads (shop/sheets.py) is taken off.
"""

import codecs
import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

from shop.sheets import plain_cell

from .rows import BadFile

MAX_CELL = 1_000_000
MAX_LINE = 16_000_000
MAX_UNPACKED = 1024**3
CHUNK = 1 << 16
DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Record:
    """One record, its cells by column key; `problem` says why it could not be read.

    `number` is the row that a spreadsheet shows: the header is row 1.
    """

    number: int
    cells: dict[str, str]
    problem: str = ""


class Source:
    """A file of records. `columns` are its column keys in order; `records()` may be called again.

    Raises BadFile when the file cannot be read at all or breaks off.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.size = path.stat().st_size
            self._raw: IO[bytes] = path.open("rb")
        except OSError as error:
            raise BadFile(f"{path} cannot be read: {error.strerror}.") from error
        self._raw.close()
        with self._plain_failures():
            self._encoding = self._find_encoding()
            with self._text() as text:
                start = text.read(CHUNK).lstrip()
            self._is_json = start[:1] in ("[", "{")
            self.columns = self._find_columns()

    @property
    def position(self) -> int:
        """Bytes of the file read so far."""
        return self.size if self._raw.closed else self._raw.tell()

    def records(self) -> Iterator[Record]:
        with self._plain_failures(), self._text() as text:
            yield from self._json_records(text) if self._is_json else self._csv_records(text)

    @contextmanager
    def _plain_failures(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise BadFile(f"{self.path.name} is damaged: {error}.") from error

    @contextmanager
    def _bytes(self) -> Iterator[IO[bytes]]:
        with self.path.open("rb") as self._raw:
            packed = self._raw.read(2) == b"\x1f\x8b"
            self._raw.seek(0)
            yield cast(IO[bytes], _Unpacked(fileobj=self._raw)) if packed else self._raw

    @contextmanager
    def _text(self) -> Iterator[IO[str]]:
        with self._bytes() as stream:
            # newline="": the csv module wants to see the line ends inside quotes.
            yield io.TextIOWrapper(stream, encoding=self._encoding, errors="replace", newline="")

    def _find_encoding(self) -> str:
        """UTF-8 if the whole file is, else the old Windows encoding, which takes any bytes."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self._bytes() as stream:
            chunk = stream.read(CHUNK)
            if chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                return "utf-16"
            try:
                while chunk:
                    decoder.decode(chunk)
                    chunk = stream.read(CHUNK)
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                return "cp1252"
        return "utf-8-sig"

    def _find_columns(self) -> list[str]:
        with self._text() as text:
            if self._is_json:
                first = next(_json_objects(text), {})
                return column_keys(list(first))
            header = next(_csv_rows(text), [])
            return column_keys(header) if isinstance(header, list) else []

    def _csv_records(self, text: IO[str]) -> Iterator[Record]:
        number = 0
        width = len(self.columns)
        for cells in _csv_rows(text):
            number += 1
            if isinstance(cells, csv.Error):
                yield Record(number, {}, f"not readable as CSV: {cells}")
            elif number == 1 or not cells:
                number -= not cells
            elif len(cells) > width and any(cells[width:]):
                yield Record(number, {}, f"{len(cells)} cells under {width} columns")
            else:
                cells += [""] * (width - len(cells))
                told = {column: plain_cell(cell) for column, cell in zip(self.columns, cells, strict=False)}
                yield Record(number, told, _row_problem(cells, self.columns))

    def _json_records(self, text: IO[str]) -> Iterator[Record]:
        for number, item in enumerate(_json_objects(text), start=2):
            cells = {_key(name): _json_cell(value) for name, value in item.items()}
            yield Record(number, cells, "" if any(cells.values()) else "an empty row")


class _Unpacked(gzip.GzipFile):
    """Refuses to go on for ever: a small file may unpack to a very large one."""

    def read(self, size: int | None = -1) -> bytes:
        return self._counted(super().read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._counted(super().read1(size))

    def _counted(self, data: bytes) -> bytes:
        if self.tell() > MAX_UNPACKED:
            raise BadFile("The file unpacks to more than 1 GB: split it.")
        return data


def column_keys(header: list[str]) -> list[str]:
    """Header names in lower case with single spaces; a repeated name gets its number: `name (2)`."""
    keys: list[str] = []
    for position, name in enumerate(header, start=1):
        key = base = _key(name) or f"column {position}"
        number = 1
        while key in keys:
            number += 1
            key = f"{base} ({number})"
        keys.append(key)
    return keys


def _key(name: str) -> str:
    return " ".join(name.replace("\ufeff", "").lower().split())


def _row_problem(cells: list[str], columns: list[str]) -> str:
    if not any(cell.strip() for cell in cells):
        return "an empty row"
    if cells[0].lower().strip() == columns[0] and column_keys(cells) == columns:
        return "the header line again"
    return ""


def _csv_rows(text: IO[str]) -> Iterator[list[str] | csv.Error]:
    csv.field_size_limit(MAX_CELL)
    lines = _lines(text)
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter=max(DELIMITERS, key=first.count))
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield error


def _lines(text: IO[str]) -> Iterator[str]:
    while line := text.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise BadFile("A line of the file is longer than 16 million characters.")
        yield line


def _json_objects(text: IO[str]) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array, or of JSON lines, without holding more than one and a chunk."""
    decoder = json.JSONDecoder()
    buffer = ""
    while True:
        chunk = text.read(CHUNK)
        buffer += chunk
        start = 0
        while (start := _next_object(buffer, start)) >= 0:
            try:
                item, start = decoder.raw_decode(buffer, start)
            except json.JSONDecodeError:
                if not chunk or len(buffer) - start > MAX_CELL:
                    raise BadFile("The JSON breaks off or is not valid.") from None
                break
            yield item
        buffer = buffer[start:] if start >= 0 else ""
        if not chunk:
            return


def _next_object(buffer: str, start: int) -> int:
    return buffer.find("{", start)


def _json_cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
