"""Tables for spreadsheets, as CSV and XLSX, in which no cell is ever taken for a formula.

Names, addresses and messages of strangers reach the staff's spreadsheets. There `=HYPERLINK(…)` or `@SUM(…)`
would be run; the apostrophe that spreadsheets themselves use for "this is text" keeps it text.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from typing import IO, Any

from django.http import HttpResponseBase
from django.utils import timezone

from shop.http.files import file_answer

# The apostrophes count, so that what was guarded is told apart from what began with one; the wide
# signs are taken for the narrow ones in some languages.
_FORMULA = re.compile("\\A'*+[=+\\-@\t\r\n＝＋－＠]")
MAX_CELL_LENGTH = 32_767  # what a cell of a workbook holds
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def safe_cell(value: Any) -> Any:
    """What may stand in an exported cell: a number stays one, every text is only text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal)):
        return value
    if isinstance(value, datetime):
        return timezone.localtime(value).replace(tzinfo=None) if timezone.is_aware(value) else value
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) else text


def plain_cell(cell: str) -> str:
    """Undoes `safe_cell` when our own file comes back."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_answer(name: str, rows: Iterable[Iterable[Any]]) -> HttpResponseBase:
    return file_answer(
        lambda file: file.writelines(line.encode() for line in _csv_lines(rows)),
        content_type="text/csv; charset=utf-8",
        filename=f"{name}.csv",
    )


def xlsx_answer(name: str, rows: Iterable[Iterable[Any]]) -> HttpResponseBase:
    """A workbook, written row by row, so that its size never stands in memory."""
    return file_answer(lambda file: _write_workbook(file, name, rows), content_type=XLSX, filename=f"{name}.xlsx")


def _write_workbook(file: IO[bytes], name: str, rows: Iterable[Iterable[Any]]) -> None:
    from openpyxl import Workbook  # a large library, and most processes never write a workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet(name[:31])
    try:
        for row in rows:
            sheet.append([_workbook_cell(cell) for cell in row])
        book.save(file)
    except BaseException:
        _forget_rows(sheet)
        raise


def _forget_rows(sheet: Any) -> None:
    """Remove the temporary file of a sheet, which is else removed by saving alone."""
    if writer := sheet._writer:
        with suppress(Exception):  # why it cannot be ended is why the table failed
            sheet.close()
        with suppress(FileNotFoundError):
            writer.cleanup()


def without_long_cells(rows: Iterable[Iterable[Any]]) -> Iterator[list[Any]]:
    """For a table that is to come back, where an empty cell leaves what there is: what a workbook would cut is left
    out."""
    for row in rows:
        yield [cell if len(str(safe_cell(cell))) <= MAX_CELL_LENGTH else "" for cell in row]


ANSWERS: dict[str, Callable[[str, Iterable[Iterable[Any]]], HttpResponseBase]] = {
    "csv": csv_answer,
    "xlsx": xlsx_answer,
}


class _Line:
    """What csv writes to, and at once gives back."""

    def write(self, line: str) -> str:
        return line


def _csv_lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield "\ufeff"  # tells spreadsheets that this is UTF-8
    for row in rows:
        yield writer.writerow([safe_cell(cell) for cell in row])


def _workbook_cell(value: Any) -> Any:
    """A workbook tells text from formula by the cell's type, but its text is copied and saved as CSV, too."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    cell = safe_cell(value)
    return ILLEGAL_CHARACTERS_RE.sub("", cell)[:MAX_CELL_LENGTH] if isinstance(cell, str) else cell
