"""Rows of a CSV file, line by line. A quote that is opened and never closed costs its own row, not those below it."""

import csv
import re
from collections import deque
from collections.abc import Iterator

from django.utils.translation import gettext

from ..rows import BAD_QUOTE, ROWS_BETWEEN_QUOTES, BadFile

MAX_CELL = 1_000_000
MAX_LINE = 16_000_000
DELIMITERS = ",;\t|"
UNCLOSED = "a quote opened in line {} is never closed"
MOSTLY = 0.9  # of the lines behind an unclosed quote are rows: then only the first is lost
MAX_LINES_OF_NARROW = 20  # of one record, where a row has two cells and any line of prose looks like one

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*")

CsvRow = tuple[int, list[str], str]  # its first line, its cells, why it could not be read


class _Lines:
    """The lines that a record takes; those that were swallowed by a quote are given again."""

    def __init__(self, fresh: Iterator[str]) -> None:
        self._fresh = fresh
        self._again: deque[str] = deque()
        self._size = 0
        self.taken: list[str] = []
        self.first = 1

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._fresh)
        self.taken.append(line)
        self._size += len(line)
        if self._size > MAX_LINE:
            raise csv.Error("longer than 16 million characters")
        return line

    def begin_record(self) -> None:
        self.first += len(self.taken)
        self.taken = []
        self._size = 0

    def push_back(self) -> None:
        """All but the record's first line."""
        self._again.extendleft(reversed(self.taken[1:]))
        del self.taken[1:]


def csv_rows(lines: Iterator[str]) -> Iterator[CsvRow]:
    """Raises BadFile, with the line, where it cannot be told which lines a quote has swallowed."""
    csv.field_size_limit(MAX_CELL)
    header = next(lines, "")
    delimiter = max(DELIMITERS, key=header.count)
    feed = _Lines(_with(header, lines))
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    width = 0
    doubtful = 0  # the line of a row that could not be read, before the next has shown that it begins a row
    while True:
        feed.begin_record()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells, problem = _recovered(feed, width, delimiter, error)
            doubtful = feed.first if problem else 0
            yield feed.first, cells, problem
            continue
        if width and len(feed.taken) > 1 and _has_swallowed(feed, cells, width, delimiter):
            feed.push_back()
            yield feed.first, [], UNCLOSED.format(feed.first)
            continue
        if doubtful and cells and len(cells) != width:
            raise _bad_quote(doubtful)
        doubtful = 0
        width = width or len(cells)
        yield feed.first, cells, ""


def _with(first: str, lines: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from lines


def _recovered(feed: _Lines, width: int, delimiter: str, error: csv.Error) -> tuple[list[str], str]:
    """What is left of a record that breaks the rules of quotes."""
    if len(feed.taken) == 1:
        return _sloppy(feed, width, delimiter, error)
    if width and _share_of_rows(feed.taken[1:], width, delimiter) >= MOSTLY:
        feed.push_back()
        return [], UNCLOSED.format(feed.first)
    raise _bad_quote(feed.first)


def _bad_quote(line: int) -> BadFile:
    return BadFile(gettext(BAD_QUOTE) % {"line": line})


def _sloppy(feed: _Lines, width: int, delimiter: str, error: csv.Error) -> tuple[list[str], str]:
    """A single line with a quote inside a cell, such as "5" pack", is read where all its cells are there."""
    try:
        rows = list(csv.reader([feed.taken[0], "end"], delimiter=delimiter))
    except csv.Error:
        return [], f"not readable as CSV: {error}"
    if len(rows) < 2:
        return [], UNCLOSED.format(feed.first)
    if width and len(rows[0]) != width:
        return [], f"not readable as CSV: {error}"
    return rows[0], ""


def _has_swallowed(feed: _Lines, cells: list[str], width: int, delimiter: str) -> bool:
    """Whether a quoted cell, closed by chance, holds rows: each of its further lines has as many cells as a row. Of a
    record that is whole as it stands, the first and the closing line must have their numbers in the same columns."""
    rest = feed.taken[1:]
    if width <= 2 and len(rest) < MAX_LINES_OF_NARROW:
        return False
    begins_a_row = feed.taken[0].count(delimiter) >= width - 1
    if not begins_a_row or _share_of_rows(rest, width, delimiter) < 1:
        return False
    is_whole = len(cells) == width
    numbers = _number_columns(rest[-1], delimiter) if is_whole else set()
    if is_whole and numbers and not numbers <= _number_columns(feed.taken[0], delimiter):
        return False
    if width <= 2 or (is_whole and not numbers):
        last = feed.first + len(rest)
        raise BadFile(gettext(ROWS_BETWEEN_QUOTES) % {"line": feed.first, "last": last, "opened": feed.first})
    return True


def _number_columns(line: str, delimiter: str) -> set[int]:
    """Which cells of a line are numbers, if the quote that it opens and does not close is a mistake."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter), [""])
    except csv.Error:
        cells = line.split(delimiter)
    if "\n" in cells[-1] or "\r" in cells[-1]:
        cells[-1:] = cells[-1].split(delimiter)
    return {at for at, cell in enumerate(cells) if _NUMBER.fullmatch(cell.strip(' "\r\n'))}


def _share_of_rows(lines: list[str], width: int, delimiter: str) -> float:
    filled = [line for line in lines if line.strip()]
    return sum(width in _widths(line, delimiter) for line in filled) / len(filled) if filled else 0


def _widths(line: str, delimiter: str) -> tuple[int, int]:
    """How many cells a line has by itself, and without regard to its quotes."""
    try:
        return len(next(csv.reader([line], delimiter=delimiter))), line.count(delimiter) + 1
    except csv.Error:
        return 0, 0
