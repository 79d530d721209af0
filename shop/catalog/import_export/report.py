"""What became of each row of the file: counts, and a line for every row that needs a look."""

import csv
from collections import Counter
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from django.utils.translation import gettext_noop

from shop.backoffice.spreadsheets import safe_cell

HEADER = ("row", "what", "reason", "product")


class Outcome(StrEnum):
    """Exactly one for each data row."""

    CREATED = "created"  # it made a variant (or a product that has its variants in other rows)
    UPDATED = "updated"  # it changed its variant or product
    UNCHANGED = "unchanged"  # the catalogue says the same already
    MERGED = "merged"  # it belongs to an earlier row: the same key again, or a further picture
    REFUSED = "refused"


class Report:
    """Counts outcomes and writes refusals, drafts and remarks to a CSV file as they come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts: Counter[Outcome] = Counter()
        self.drafts = 0
        self.unpublished = 0  # new products that could be on sale, kept as drafts all the same
        self.pictures = 0  # newly queued
        self.noted = 0
        self.remarks: list[str] = []  # on the file as a whole; they stand first

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("w+", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file)
        self._writer.writerow(HEADER)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._file:
            if self.remarks:
                self._put_remarks_first()

    def count(self, outcome: Outcome) -> None:
        self.counts[outcome] += 1

    def refuse(self, row: int, reason: str, product: str = "") -> None:
        self.count(Outcome.REFUSED)
        self._note(row, gettext_noop("refused"), reason, product)

    def draft(self, row: int, reason: str, product: str) -> None:
        self.drafts += 1
        self._note(row, gettext_noop("draft"), reason, product)

    def remark(self, row: int, remark: str, product: str) -> None:
        self._note(row, gettext_noop("remark"), remark, product)

    def remark_on_file(self, remark: str) -> None:
        self.noted += 1
        self.remarks.append(remark)

    @property
    def rows(self) -> int:
        return self.counts.total()

    def _put_remarks_first(self) -> None:
        self._file.seek(0)
        _, *lines = self._file
        self._file.seek(0)
        self._writer.writerow(HEADER)
        self._writer.writerows([1, gettext_noop("file"), safe_cell(remark), ""] for remark in self.remarks)
        self._file.writelines(lines)

    def _note(self, row: int, *cells: str) -> None:
        self.noted += 1
        self._writer.writerow([row, *map(safe_cell, cells)])
