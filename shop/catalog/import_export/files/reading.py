"""Records from a CSV or JSON file, plain or gzipped, or from an Excel workbook, one at a time.

Files come with or without a byte order mark, with any line ends, in UTF-8, UTF-16 or the old Windows
encoding (encoding.py), with commas, semicolons, tabs or bars between their cells (delimited.py). A cell of
blanks is empty. The apostrophe that guards a formula in our own downloads
(shop/backoffice/spreadsheets.py) is taken off.
"""

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from django.utils.translation import gettext, gettext_noop

from shop.backoffice.spreadsheets import plain_cell

from ..rows import BROKEN_HEADER, DAMAGED, UNREADABLE, BadFile
from .delimited import MAX_CELL, MAX_LINE, CsvRow, csv_rows
from .encoding import UTF_16, BrokenText, find_encoding
from .workbook import Workbook

MAX_UNPACKED = 1024**3
CHUNK = 1 << 16
BLANKS = (  # what Unicode calls a space, and what has no width
    " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\u200b\u200c\u200d\u2060\ufeff\ufffd"
)
NO_TABLES = {
    b"\xd0\xcf\x11\xe0": gettext_noop(
        "This is an old Excel workbook (.xls), or one with a password: save the table as .xlsx or CSV."
    ),
    b"%PDF": gettext_noop("This is a PDF: save the table as .xlsx or CSV."),
    b"\x89PNG": gettext_noop("This is a picture: save the table as .xlsx or CSV."),
    b"\xff\xd8\xff": gettext_noop("This is a picture: save the table as .xlsx or CSV."),
}
_SKIPPED = re.compile(r"[\s,]*")


@dataclass(frozen=True, slots=True)
class Record:
    """One record, its cells by column key; `problem` says why it could not be read.

    `number` is the row that a spreadsheet shows: the header is row 1.
    """

    number: int
    cells: dict[str, str]
    problem: str = ""


class Source:
    """A file of records. `columns` are its column keys in order; `records()` may be called again. `remark` says what
    a reader of the report must know of how it was read.

    Raises BadFile when the file cannot be read at all or breaks off.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.size = path.stat().st_size
            self._raw: IO[bytes] = path.open("rb")
        except OSError as error:
            raise BadFile(gettext(UNREADABLE) % {"file": path, "reason": error.strerror}) from error
        self._raw.close()
        self._workbook: Workbook | None = None
        with self._plain_failures():
            with self._bytes() as stream:
                start = stream.read(CHUNK)
            if path.suffix.lower() == ".xlsx" or start.startswith(b"PK\x03\x04"):
                self._workbook = Workbook(path)
                self.remark = self._workbook.remark
            else:
                self._is_json = _is_json(start)
                self._encoding = find_encoding(self._bytes, ends=b"\r\n}" if self._is_json else b"\r\n")
                self.remark = self._encoding.remark
            self.columns = self._find_columns()

    @property
    def position(self) -> int:
        """Bytes of the file read so far."""
        return self.size if self._raw.closed else self._raw.tell()

    def records(self) -> Iterator[Record]:
        with self._plain_failures():
            yield from self._json_records() if self._has_objects else self._table_records()

    @property
    def _has_objects(self) -> bool:
        return self._workbook is None and self._is_json

    @contextmanager
    def _plain_failures(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, gzip.BadGzipFile, zlib.error, BrokenText) as error:
            raise BadFile(gettext(DAMAGED) % {"file": self.path.name, "reason": error}) from error

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
            yield io.TextIOWrapper(stream, encoding=self._encoding.codec, errors=self._encoding.errors, newline="")

    def _rows(self) -> Iterator[CsvRow]:
        """(row of the workbook or line of the text, its cells, why it could not be read)."""
        if self._workbook:
            yield from self._workbook.rows()
            return
        with self._text() as text:
            yield from csv_rows(_lines(text))

    def _find_columns(self) -> list[str]:
        if self._has_objects:
            with self._text() as text:
                # The first object may lack what later ones have.
                names = dict.fromkeys(name for item in json_items(text) if isinstance(item, dict) for name in item)
            return list(dict.fromkeys(map(_key, names)))
        line, header, _ = next(self._rows(), (1, [], ""))
        if not self._workbook and self._encoding.broken.search("".join(header)):
            raise BadFile(gettext(BROKEN_HEADER) % {"line": line})
        return column_keys([plain_cell(cell) for cell in header])  # as refused rows come back

    def _table_records(self) -> Iterator[Record]:
        width = len(self.columns)
        number = 0  # of the row as a spreadsheet shows it: lines without anything are left out
        for line, cells, problem in self._rows():
            if not cells and not problem:
                continue
            number = line if self._workbook else number + 1
            if number == 1 and not problem:
                continue
            cells = [plain_cell(cell) for cell in cells]
            if problem:
                yield Record(number, dict(zip(self.columns, cells, strict=False)), problem)
            elif len(cells) > width and any(cell.strip(BLANKS) for cell in cells[width:]):
                yield Record(number, {}, f"{len(cells)} cells for {width} columns")
            else:
                cells += [""] * (width - len(cells))
                pairs = zip(self.columns, cells, strict=False)
                values = {column: cell if cell.strip(BLANKS) else "" for column, cell in pairs}
                yield Record(number, values, self._row_problem(line, cells))

    def _json_records(self) -> Iterator[Record]:
        with self._text() as text:
            for number, item in enumerate(json_items(text), start=2):
                if not isinstance(item, dict):
                    yield Record(number, {}, "not an object")
                    continue
                cells = {_key(name): _json_cell(value) for name, value in item.items()}
                yield Record(number, cells, self._row_problem(number, list(cells.values())))

    def _row_problem(self, line: int, cells: list[str]) -> str:
        if not any(cell.strip(BLANKS) for cell in cells):
            return "an empty row"
        if cells[0].lower().strip() == self.columns[0] and column_keys(cells) == self.columns:
            return "a repeat of the header line"
        if not self._workbook and not self._encoding.is_whole and any(map(self._encoding.broken.search, cells)):
            return f"bytes that are not {self._encoding.label}, from line {line} on"
        return ""


class _Unpacked(gzip.GzipFile):
    """Refuses to go on for ever: a small file may unpack to a very large one."""

    def read(self, size: int | None = -1) -> bytes:
        return self._counted(super().read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._counted(super().read1(size))

    def _counted(self, data: bytes) -> bytes:
        if self.tell() > MAX_UNPACKED:
            raise BadFile(gettext("The file unpacks to more than 1 GB. Split it."))
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


def _lines(text: IO[str]) -> Iterator[str]:
    while line := text.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise BadFile(gettext("A line of the file is longer than 16 million characters."))
        yield line


def _is_json(start: bytes) -> bool:
    """Raises BadFile where the file is neither text nor packed text."""
    for beginning, words in NO_TABLES.items():
        if start.startswith(beginning):
            raise BadFile(gettext(words))
    if start.startswith(UTF_16):
        return start.decode("utf-16", "replace").lstrip()[:1] in ("[", "{")
    if b"\0" in start:
        raise BadFile(gettext("This is not a text file. Save the table as .xlsx or CSV."))
    plain = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if plain.startswith(b"<"):
        raise BadFile(gettext("This is a web page or XML, not a table. Save the table as .xlsx or CSV."))
    return plain[:1] in (b"[", b"{")


def json_items(text: IO[str]) -> Iterator[Any]:
    """The items of a JSON array, or of JSON lines, without holding more than one and a chunk. Raises BadFile."""
    decoder = json.JSONDecoder()
    buffer = text.read(CHUNK).lstrip("\ufeff \t\r\n")
    is_array = buffer[:1] == "["
    at, ends, is_last = int(is_array), False, not buffer
    while True:
        skipped = _SKIPPED.match(buffer, at)
        at = skipped.end() if skipped else at
        if is_array and buffer[at : at + 1] == "]":
            ends, at = True, at + 1
            continue
        if at < len(buffer) and not ends:
            try:
                item, end = decoder.raw_decode(buffer, at)
            except RecursionError:
                raise BadFile(gettext("The JSON is nested too deeply.")) from None
            except json.JSONDecodeError:
                if is_last or len(buffer) - at > MAX_CELL:
                    raise BadFile(gettext("The JSON is cut off or not valid.")) from None
            else:
                if is_last or end < len(buffer):  # a number at the end of a chunk may go on
                    yield item
                    at = end
                    continue
        elif at < len(buffer) or is_last:
            if at < len(buffer) or is_array != ends:
                raise BadFile(gettext("The JSON is cut off or not valid."))
            return
        chunk = text.read(CHUNK)
        is_last = not chunk
        buffer, at = buffer[at:] + chunk, 0


def _json_cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
