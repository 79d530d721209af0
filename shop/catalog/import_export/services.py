"""Imports that staff start in the admin: a file is kept, counted by the worker without changing anything, and on
their word taken over by the worker. The importer itself is run.py."""

import csv
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.base import File
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, override

from shop.backoffice import history
from shop.backoffice.languages import ENGLISH
from shop.backoffice.spreadsheets import safe_cell
from shop.errors import Busy, Invalid
from shop.http.media import replace_file
from shop.jobs.files import new_files
from shop.kept_texts import translated_text

from ..models import PictureAddress, ProductImport
from ..pictures.fetching import shown_problem as why_not_fetched
from .files.reading import Source
from .formats.base import detect_format, formats
from .formats.table import columns_taken
from .near_names import described
from .new_names import choices_of
from .report import Outcome, Report
from .rows import FILE_PROBLEMS, BadFile
from .run import Request, import_products
from .undo import REASONS, undo

logger = logging.getLogger(__name__)
State = ProductImport.State
NOT_STORED = gettext_noop(
    "The report could not be stored. What is listed here is from the check before; to see what was refused, upload the "
    "file again."
)
LOST_AFTER = timedelta(minutes=10)
MAX_REFUSED = 50_000
MAX_PROBLEMS = 100


def keep_upload(
    file: "File[Any]",
    *,
    by: models.Model,
    format: str,
    mapping: dict[str, str],
    currency: str,
    take_stock: bool,
    take_pictures: bool = False,
) -> ProductImport:
    """Keep an uploaded file, to be counted. An empty `format` is found out. Raises Invalid where it is no table."""
    kept = ProductImport(
        name=(file.name or "file")[-200:],
        mapping=mapping,
        currency=currency,
        take_stock=take_stock,
        take_pictures=take_pictures,
        by_id=by.pk,
    )
    with new_files([(kept.file, kept.name, file)]) as keep:
        try:
            kept.format = format or detect_format(kept.path)
            if kept.format not in formats():
                raise BadFile(gettext("There is no such format."))
        except BadFile as refusal:
            raise Invalid(refusal.message) from refusal
        kept.size = file.size
        kept.as_drafts = formats()[kept.format].new_are_drafts
        with transaction.atomic():
            kept.save(force_insert=True)
            keep()
    return kept


def begin_import(kept: ProductImport, *, as_drafts: bool) -> bool:
    """From counted, or from work that was lost, to importing; False where it is under way or done already."""
    lost = Q(state__in=(State.COUNTING, State.IMPORTING), heartbeat_at__lt=timezone.now() - LOST_AFTER)
    ready = ProductImport.objects.filter(Q(state=State.COUNTED) | lost, pk=kept.pk)
    begun = {"state": State.IMPORTING, "position": 0, "heartbeat_at": timezone.now()}
    return bool(ready.update(**begun, as_drafts=as_drafts))


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """From which column of a file a kind of fact is read."""

    kind: str
    label: str
    column: str


def column_choices(kept: ProductImport) -> tuple[list[ColumnChoice], list[str]]:
    """The choices of a checked table, and the columns of its file; nothing for other formats."""
    is_open = kept.state in (State.COUNTED, State.FAILED) and kept.format == "table" and kept.file
    if not is_open:
        return [], []
    try:
        columns = list(Source(kept.path).columns)
        taken = columns_taken(columns, kept.mapping)
    except BadFile:
        return [], []
    return [ColumnChoice(kind, kind.replace("_", " ").capitalize(), column) for kind, column in taken.items()], columns


def map_columns(kept: ProductImport, chosen: Mapping[str, str]) -> bool:
    """Have a checked table counted anew with these columns (kind to column, empty for none); False where it is under
    way or imported. Raises BadFile for a column that the file does not have."""
    columns = list(Source(kept.path).columns)
    now = columns_taken(columns, kept.mapping)
    changed = {kind: column for kind, column in chosen.items() if kind in now and now[kind] != column}
    columns_taken(columns, kept.mapping | changed)
    ready = ProductImport.objects.filter(pk=kept.pk, state__in=(State.COUNTED, State.FAILED))
    begun = {"state": State.COUNTING, "position": 0, "heartbeat_at": timezone.now(), "problem": "", "choices": {}}
    return bool(ready.update(**begun, mapping=kept.mapping | changed))


@override(ENGLISH)
def work_on(pk: int) -> None:
    """What the worker does: count, import, or undo. Doing it twice ends the same, as the importer does. What it keeps
    is English."""
    kept = ProductImport.objects.filter(pk=pk, state__in=ProductImport.UNDER_WAY).first()
    if kept is None:
        return
    if kept.state == State.UNDOING:
        undo(kept)
        return
    is_dry = kept.state == State.COUNTING
    request = Request(
        path=kept.path,
        format=kept.format,
        mapping=kept.mapping,
        currency=kept.currency,
        dry_run=is_dry,
        take_stock=kept.take_stock,
        take_pictures=kept.take_pictures,
        named_by=kept.pk,
        as_drafts=kept.as_drafts,
        choices=choices_of(kept),
    )
    ours = ProductImport.objects.filter(pk=pk, state=kept.state)

    def progress(done: int, total: int) -> None:
        ours.update(position=done, size=total, heartbeat_at=timezone.now())

    with TemporaryDirectory() as folder:
        report = Report(Path(folder, "report.csv"))
        try:
            with report:
                new_names = import_products(request, report, progress)
        except BadFile as refusal:
            _store_report(kept, report.path, is_whole=False)
            ours.update(state=State.FAILED, problem=refusal.message[:500], finished_at=timezone.now())
            return
        except BaseException:
            _store_report(kept, report.path, is_whole=False)
            raise
        is_stored = _store_report(kept, report.path)
    counts = {outcome.value: report.counts[outcome] for outcome in Outcome} | {"drafts": report.drafts}
    if kept.as_drafts:
        counts["unpublished"] = report.unpublished
    if kept.take_pictures:
        counts["pictures"] = report.pictures
    found = {"new_names": described(new_names)} if is_dry else {}
    problem = "" if is_stored else gettext(NOT_STORED)
    state = State.COUNTED if is_dry else State.DONE
    with transaction.atomic():
        ended = ours.update(state=state, counts=counts, problem=problem, finished_at=timezone.now(), **found)
        if ended and not is_dry and kept.by:
            words = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
            history.note(kept.by, kept, why=f"Imported: {words or 'nothing'}")


def record_run(file: Path, request: Request) -> ProductImport:
    """The row of an import that the command runs: what it did is seen, and undone, where those of the page are."""
    return ProductImport.objects.create(
        name=file.name[-200:],
        format=request.format,
        mapping=request.mapping,
        currency=request.currency,
        take_stock=request.take_stock,
        take_pictures=request.take_pictures,
        as_drafts=request.as_drafts,
        choices={kind: dict(chosen) for kind, chosen in request.choices.items()},
        state=State.IMPORTING,
    )


def note_heartbeat(kept: ProductImport) -> None:
    """The command is still at work on it."""
    ProductImport.objects.filter(pk=kept.pk).update(heartbeat_at=timezone.now())


def end_run(kept: ProductImport, report: Report | None, problem: str = "") -> None:
    counts = {outcome.value: report.counts[outcome] for outcome in Outcome} if report else {}
    ProductImport.objects.filter(pk=kept.pk).update(
        state=State.FAILED if problem else State.DONE, counts=counts, problem=problem[:500], finished_at=timezone.now()
    )


def notes_of(kept: ProductImport, start: int, number: int) -> tuple[list[dict[str, str]], int]:
    """Some lines of its report (row, what, reason, product), and how many it has. Raises Busy while its storage is
    away."""
    chosen, total = [], 0
    for total, note in enumerate(_notes(kept), 1):
        if start < total <= start + number:
            chosen.append(note)
    return chosen, total


def _notes(kept: ProductImport) -> Iterator[dict[str, str]]:
    if not kept.file:
        return  # the command's reports lie where it was asked to write them
    try:
        with kept.file.storage.open(kept.report_name) as report:
            yield from csv.DictReader(TextIOWrapper(report, encoding="utf-8", newline=""))
    except FileNotFoundError:
        return


def _store_report(kept: ProductImport, report: Path, *, is_whole: bool = True) -> bool:
    """Keep a report and, of a whole one, the refused rows beside the imported file. False where that cannot be done: no
    import fails by it."""
    try:
        replace_file(kept.file.storage, kept.report_name, report)
        if is_whole:
            replace_file(kept.file.storage, kept.refused_name, _refused_rows(kept, report))
    except (Busy, OSError):
        logger.exception("the report of import %s was not stored", kept.pk)
        return False
    return True


def _refused_rows(kept: ProductImport, report: Path) -> Path:
    """The refused rows as they were in the file, each with its reason, to be mended and uploaded again."""
    file = report.with_name("refused.csv")
    with report.open(newline="", encoding="utf-8") as lines:
        notes = csv.DictReader(lines)
        reasons = {int(note["row"]): note["reason"] for note in notes if note["what"] == "refused"}
    chosen = dict(islice(reasons.items(), MAX_REFUSED))
    with file.open("w", newline="", encoding="utf-8-sig") as target:
        writer = csv.writer(target)
        source = Source(kept.path)
        columns = [column for column in source.columns if column != REASON]
        writer.writerow([*map(safe_cell, columns), REASON])
        for record in source.records() if chosen else ():
            if record.number in chosen:
                cells = [safe_cell(record.cells.get(column, "")) for column in columns]
                writer.writerow([*cells, safe_cell(chosen[record.number])])
    return file


REASON = "refused because"


def summary(kept: ProductImport) -> list[tuple[str, Any]]:
    """The counts in words."""
    labels = {
        "created": gettext("new variants and products"),
        "updated": gettext("changed"),
        "unchanged": gettext("unchanged"),
        "merged": gettext("part of an earlier row"),
        "refused": gettext("refused"),
        "drafts": gettext("of them without a price, kept as drafts"),
    }
    if kept.as_drafts:
        labels["unpublished"] = gettext("new products, kept as drafts")
    if kept.take_pictures:
        labels["pictures"] = gettext("pictures to fetch")
    return [(label, kept.counts.get(what, 0)) for what, label in labels.items()]


def shown_problem(kept: ProductImport) -> str:
    """Why it failed, in the language of the page."""
    return translated_text(kept.problem, (*FILE_PROBLEMS, *REASONS))


def pictures_of(kept: ProductImport) -> dict[str, Any]:
    """How many of the pictures it named were fetched, are waited for and failed, and the first that failed."""
    rows = kept.picture_addresses.all()
    numbers = dict(rows.order_by().values_list("state").annotate(models.Count("pk")))
    failed = rows.filter(state=PictureAddress.State.FAILED).select_related("product", "variant")
    counts = {state.value: numbers.get(state, 0) for state in PictureAddress.State}
    return counts | {
        "all": sum(numbers.values()),
        "problems": [(row, why_not_fetched(row)) for row in failed.order_by("pk")[:MAX_PROBLEMS]],
    }
