"""Translations from a file that staff filled in; what changed meanwhile is never overwritten unsaid."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from shop.backoffice import history
from shop.backoffice.forms import locked
from shop.backoffice.translations import language_name
from shop.catalog.import_export.files.reading import Record, Source
from shop.catalog.models import Product, Variant
from shop.catalog.services import refresh_products
from shop.errors import Invalid
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.translated import clean_translation, shop_languages, translated_fields, with_changes

from ..models import Page
from ..services import translate_page
from .queries import Model, Text, needs_translation, texts_of

HEAD = ("key", "version", "row", "field", "English", "translation")
REQUIRED = ("key", "version", "translation")
MAX_NOTES = 200
BATCH = 200


@dataclass
class Outcome:
    """What became of the lines of a file; notes are (line, what, reason)."""

    written: int = 0
    unchanged: int = 0
    empty: int = 0
    conflicts: int = 0
    notes: list[tuple[int, str, str]] = field(default_factory=list)

    def refuse(self, number: int, key: str, reason: str) -> None:
        self.notes.append((number, key, reason))


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    key: str
    version: str
    translation: str
    model: Model
    pk: int
    field: str
    language: str


def table(found: Iterable[Text]) -> Iterator[tuple[Any, ...]]:
    """Texts as a file: the head, then a line for each."""
    yield HEAD
    for text in found:
        yield text.key, text.version, text.row, text.field, text.english, text.translation


def import_translations(path: Path, allowed: Iterable[Model], by: Any, *, overwrite: bool = False) -> Outcome:
    """Write the translations of a file of `table`. An empty one changes nothing; one of a text that changed since the
    file was written, in English or in its language, is written with `overwrite` alone and else named in the notes.

    Each two hundred rows are a transaction of their own that locks them; the same file again changes nothing. Raises
    BadFile or Invalid where it is no such file.
    """
    source, outcome = Source(path), Outcome()
    if missing := [name for name in REQUIRED if name not in source.columns]:
        raise Invalid(
            gettext("This file has no column %(columns)s. Export one, fill it in and import that.")
            % {"columns": ", ".join(missing)}
        )
    by_model: dict[Model, dict[int, list[Line]]] = defaultdict(lambda: defaultdict(list))
    known = {model._meta.label_lower: model for model in allowed}
    for record in source.records():
        if line := _line_of(record, known, outcome):
            by_model[line.model][line.pk].append(line)
    for model, lines in by_model.items():
        keys = sorted(lines)
        for start in range(0, len(keys), BATCH):
            _write(model, {pk: lines[pk] for pk in keys[start : start + BATCH]}, by, outcome, overwrite=overwrite)
    return outcome


def _line_of(record: Record, known: dict[str, Model], outcome: Outcome) -> Line | None:
    number, cells = record.number, record.cells
    key = cells.get("key", "").strip()
    label, pk, name, language = (key.split(":") + [""] * 4)[:4]
    model = known.get(label)
    is_known = model and name in translated_fields(model) and language in shop_languages()
    if record.problem or not model or not is_known or not pk.isdecimal() or len(pk) > 18:
        outcome.refuse(number, key, record.problem or gettext("There is no such text, or you may not change it."))
        return None
    if not cells.get("translation", "").strip():
        outcome.empty += 1
        return None
    text = clean_translation(model, name, cells["translation"])
    return Line(number, key, cells.get("version", "").strip(), text, model, int(pk), name, language)


@transaction.atomic
def _write(model: Model, lines: dict[int, list[Line]], by: Any, outcome: Outcome, *, overwrite: bool) -> None:
    """Locks the rows (of variants, all of their product, then the product) and writes `translations` alone."""
    rows = {row.pk: row for row in locked(_rows_of(model, lines))}
    changed: dict[int, dict[str, list[str]]] = {}
    for pk, found in lines.items():
        row = rows.get(pk)
        for line in found:
            if row is None:
                outcome.refuse(line.number, line.key, gettext("It is not there any more."))
            elif _is_to_be_written(row, line, outcome, overwrite=overwrite):
                for each in _alike(row, line.field, rows.values()):
                    former = each.translations.get(line.language, {}).get(line.field, "")
                    each.translations = with_changes(each.translations, {line.language: {line.field: line.translation}})
                    label = f"{line.field} ({language_name(line.language)})"
                    changed.setdefault(each.pk, {})[label] = [former, line.translation]
                outcome.written += 1
    if changed:
        _save(model, [rows[pk] for pk in changed], lines, by)
        history.note_many(by, [(rows[pk], values) for pk, values in changed.items()], why="Translations from a file")


def _rows_of(model: Model, lines: dict[int, list[Line]]) -> Any:
    rows = model._default_manager.all()
    if model is Variant:
        return rows.filter(Q(product__in=Variant.objects.filter(pk__in=lines).values("product")))
    return rows.filter(pk__in=lines)


def _alike(row: Any, name: str, rows: Iterable[Any]) -> list[Any]:
    """The row; of a variant also those of its product that say the same in English."""
    if not isinstance(row, Variant):
        return [row]
    english = getattr(row, name)
    return [each for each in rows if each.product_id == row.product_id and getattr(each, name) == english]


def _is_to_be_written(row: Any, line: Line, outcome: Outcome, *, overwrite: bool) -> bool:
    english = getattr(row, line.field)
    if not needs_translation(line.model, line.field, english):
        outcome.refuse(line.number, line.key, gettext("There is nothing to translate any more."))
        return False
    now = next(text for text in texts_of(row, line.language) if text.field == line.field)
    if now.translation == line.translation:
        outcome.unchanged += 1
        return False
    if now.version != line.version and not overwrite:
        outcome.conflicts += 1
        said = gettext("Changed since the file was exported: “%(text)s”.") % {"text": history.shown(english)}
        if now.translation:
            said += " " + gettext("The translation is now “%(text)s”.") % {"text": history.shown(now.translation)}
        outcome.refuse(line.number, line.key, said)
        return False
    return True


def _save(model: Model, rows: list[Any], lines: dict[int, list[Line]], by: Any) -> None:
    if model is Page:
        for row in rows:
            for language in {line.language for line in lines[row.pk]}:
                translate_page(row.pk, language, row.translations.get(language, {}), author_id=by.pk)
        return
    model._default_manager.bulk_update(rows, ["translations"], batch_size=BATCH)
    if model in (Product, Variant):
        refresh_products(row.pk if model is Product else row.product_id for row in rows)
    else:
        invalidate(Change.Kind.SHOP)
