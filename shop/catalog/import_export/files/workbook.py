"""Rows of an Excel workbook (.xlsx): its first sheet that holds anything, as the texts a spreadsheet shows."""

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, gettext_noop

from ..rows import TOO_MANY_ROWS, BadFile

MAX_UNPACKED = 256 * 1024**2
MAX_STRINGS = 64 * 1024**2
MAX_COLUMNS = 500
MAX_ROWS = 1_048_576  # of Excel itself
ERRORS = {"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!"}
CHUNK = 1 << 16
FORMULA = re.compile(rb"<f[ >/]")
NOT_READABLE = gettext_noop("The workbook is damaged or not a kind we can read. Save it again as .xlsx or CSV.")


class Workbook:
    """Read row by row. Raises BadFile where it is too large, damaged or empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        _check_size(path)
        self.sheet, others = self._choose()
        named = ", ".join(repr(name) for name in others)
        self.remark = f"only the sheet {self.sheet!r} was read, not {named}" if others else ""

    def rows(self) -> Iterator[tuple[int, list[str], str]]:
        """(row number, its cells, why it could not be read); rows without any cell are left out."""
        with _Opened(self._path) as book:
            rows = _rows_of(book[self.sheet], keep_empty=True)
            if not _has_formulas(self._path):
                yield from _read((values, values) for values in rows)
                return
            with _Opened(self._path, formulas=True) as written:
                yield from _read(zip(rows, _rows_of(written[self.sheet]), strict=True))

    def _choose(self) -> tuple[str, list[str]]:
        """The first visible sheet with a cell in it, and the others that have one."""
        with _Opened(self._path) as book:
            sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            filled = [sheet.title for sheet in sheets if _has_cells(sheet)]
        if not filled:
            raise BadFile(gettext("The workbook is empty."))
        return filled[0], filled[1:]


class _Opened:
    def __init__(self, path: Path, *, formulas: bool = False) -> None:
        self._path = path
        self._formulas = formulas

    def __enter__(self) -> Any:
        from openpyxl import load_workbook  # a large library, and most processes never read a workbook

        self._file = self._path.open("rb")  # by its path it would be judged by its name
        try:
            self._book = load_workbook(self._file, read_only=True, data_only=not self._formulas, keep_links=False)
        except Exception as error:  # whatever a damaged workbook makes of its parser
            self._file.close()
            raise BadFile(gettext(NOT_READABLE)) from error
        return self._book

    def __exit__(self, *_: object) -> None:
        self._book.close()
        self._file.close()


def _check_size(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = {part.filename: part.file_size for part in archive.infolist()}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadFile(gettext(NOT_READABLE)) from error
    if "xl/workbook.xml" not in parts:
        raise BadFile(
            gettext("This is a ZIP file, not an Excel workbook (.xlsx). Unpack it, or save the table as .xlsx or CSV.")
        )
    if sum(parts.values()) > MAX_UNPACKED or parts.get("xl/sharedStrings.xml", 0) > MAX_STRINGS:
        raise BadFile(
            gettext("The workbook unpacks to more than 256 MB, or 64 MB of text. Split it, or save it as CSV.")
        )


def _has_formulas(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return any(_mentions_formula(archive, name) for name in archive.namelist() if "worksheets/" in name)


def _mentions_formula(archive: zipfile.ZipFile, name: str) -> bool:
    held = b""
    with archive.open(name) as part:
        while chunk := part.read(CHUNK):
            if FORMULA.search(held + chunk):
                return True
            held = chunk[-3:]
    return False


def _rows_of(sheet: Any, *, keep_empty: bool = False) -> Iterator[tuple[Any, ...]]:
    """With `keep_empty` a text without letters, as a formula may result in, differs from no value."""
    sheet.reset_dimensions()  # what it says of its size may be wrong, and padding to it would take for ever
    try:
        for number, row in enumerate(sheet.iter_rows(values_only=not keep_empty), start=1):
            if number > MAX_ROWS or len(row) > MAX_COLUMNS:
                raise BadFile(gettext(TOO_MANY_ROWS) % {"rows": f"{MAX_ROWS:,}", "columns": MAX_COLUMNS})
            yield tuple(map(_value, row)) if keep_empty else tuple(row)
    except BadFile:
        raise
    except Exception as error:  # as above
        raise BadFile(gettext(NOT_READABLE)) from error


def _value(cell: Any) -> Any:
    return "" if cell.value is None and cell.data_type == "str" else cell.value


def _has_cells(sheet: Any) -> bool:
    return any(value is not None for row in _rows_of(sheet) for value in row)


def _read(pairs: Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]) -> Iterator[tuple[int, list[str], str]]:
    for number, (values, originals) in enumerate(pairs, start=1):
        cells = [_text(value) for value in values]
        if any(original is not None for original in originals):
            yield number, cells, _problem(cells, values, originals)


def _problem(cells: list[str], values: tuple[Any, ...], originals: tuple[Any, ...]) -> str:
    for value, original in zip(values, originals, strict=False):
        if value is None and original is not None:
            return "a formula whose result is not in the file: open and save it in a spreadsheet"
    wrong = next((cell for cell in cells if cell in ERRORS), "")
    return f"a cell holds the error {wrong}" if wrong else ""


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.15g}" if value % 1 or abs(value) >= 10**15 else str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, (date, time)) else str(value)
