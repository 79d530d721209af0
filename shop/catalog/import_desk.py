"""Imports that staff start in the admin: a file is kept, counted by the worker without changing anything, and on
their word taken over by the worker. The importer itself is importing/run.py."""

import csv
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

from django.core.files.base import File
from django.db import DatabaseError, models, transaction
from django.db.models import Q
from django.utils import timezone

from shop import history
from shop.errors import Invalid
from shop.sheets import safe_cell

from .importing.reading import Source
from .importing.report import Outcome, Report
from .importing.rows import BadFile
from .importing.run import FORMATS, Request, detect_format, import_products
from .models import PictureAddress, ProductImport

State = ProductImport.State
LOST_AFTER = timedelta(minutes=10)
MOST_REFUSED = 50_000
MOST_PROBLEMS = 100


def keep_upload(
    file: File,
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
    kept.file.save(kept.name, file, save=False)
    try:
        kept.format = format or detect_format(kept.path)
        if kept.format not in FORMATS:
            raise BadFile("There is no such format.")
        kept.size = kept.file.size
        kept.save()
    except BadFile as refusal:
        kept.file.delete(save=False)
        raise Invalid(refusal.message) from refusal
    except DatabaseError:
        kept.file.delete(save=False)
        raise
    return kept


def begin_import(kept: ProductImport) -> bool:
    """From counted, or from work that was lost, to importing; False where it is under way or done already."""
    lost = Q(state__in=ProductImport.UNDER_WAY, heard_at__lt=timezone.now() - LOST_AFTER)
    ready = ProductImport.objects.filter(Q(state=State.COUNTED) | lost, pk=kept.pk)
    return bool(ready.update(state=State.IMPORTING, position=0, heard_at=timezone.now()))


def work_on(pk: int) -> None:
    """What the worker does: count, or import. Doing it twice ends the same, as the importer does."""
    kept = ProductImport.objects.filter(pk=pk, state__in=ProductImport.UNDER_WAY).first()
    if kept is None:
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
    )
    ours = ProductImport.objects.filter(pk=pk, state=kept.state)

    def progress(done: int, total: int) -> None:
        ours.update(position=done, size=total, heard_at=timezone.now())

    try:
        with Report(kept.report_path) as report:
            import_products(request, report, progress)
    except BadFile as refusal:
        ours.update(state=State.FAILED, problem=refusal.message[:500], finished_at=timezone.now())
        return
    _keep_refused(kept)
    counts = {outcome.value: report.counts[outcome] for outcome in Outcome} | {"drafts": report.drafts}
    if kept.take_pictures:
        counts["pictures"] = report.pictures
    with transaction.atomic():
        ended = ours.update(state=State.COUNTED if is_dry else State.DONE, counts=counts, finished_at=timezone.now())
        if ended and not is_dry:
            words = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
            history.note(kept.by, kept, why=f"Imported: {words or 'nothing'}")


def notes_of(kept: ProductImport, start: int, number: int) -> list[dict[str, str]]:
    """Some lines of its report: row, what, reason, product."""
    return list(islice(_notes(kept), start, start + number))


def count_notes(kept: ProductImport) -> int:
    return sum(1 for _ in _notes(kept))


def _notes(kept: ProductImport) -> Iterator[dict[str, str]]:
    try:
        with kept.report_path.open(newline="", encoding="utf-8") as lines:
            yield from csv.DictReader(lines)
    except FileNotFoundError:
        return


def _keep_refused(kept: ProductImport) -> None:
    """The refused rows as they were in the file, each with its reason, to be mended and uploaded again."""
    reasons = {int(note["row"]): note["reason"] for note in _notes(kept) if note["what"] == "refused"}
    chosen = dict(islice(reasons.items(), MOST_REFUSED))
    with kept.refused_path.open("w", newline="", encoding="utf-8-sig") as target:
        writer = csv.writer(target)
        source = Source(kept.path)
        columns = [column for column in source.columns if column != REASON]
        writer.writerow([*columns, REASON])
        for record in source.records() if chosen else ():
            if record.number in chosen:
                cells = [safe_cell(record.cells.get(column, "")) for column in columns]
                writer.writerow([*cells, safe_cell(chosen[record.number])])


REASON = "refused because"


def summary(kept: ProductImport) -> list[tuple[str, Any]]:
    """The counts in words."""
    labels = {
        "created": "new variants and products",
        "updated": "changed",
        "unchanged": "as they are already",
        "merged": "part of an earlier row",
        "refused": "refused",
        "drafts": "of them without price, kept as drafts",
    }
    if kept.take_pictures:
        labels["pictures"] = "pictures to fetch"
    return [(label, kept.counts.get(what, 0)) for what, label in labels.items()]


def pictures_of(kept: ProductImport) -> dict[str, Any]:
    """How many of the pictures it named were fetched, are waited for and failed, and the first that failed."""
    rows = kept.picture_addresses.all()
    numbers = dict(rows.order_by().values_list("state").annotate(models.Count("pk")))
    failed = rows.filter(state=PictureAddress.State.FAILED).select_related("product", "variant")
    told = {state.value: numbers.get(state, 0) for state in PictureAddress.State}
    return told | {"all": sum(numbers.values()), "problems": failed.order_by("pk")[:MOST_PROBLEMS]}
