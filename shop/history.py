"""Who changed what and when: the admin's own log, with the values before and after.

An entry's `change_message` is the admin's JSON; `values` in it maps a field's label to what it was and what it
became, and `note` says why. Secrets, and what a person can be reached by, are named and not copied.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.forms import BaseForm, ModelChoiceField
from django.utils import timezone

LONGEST = 200
BATCH = 500
SECRET = re.compile(r"password|secret|token|code_hash|e-?mail|phone|mobile|address|pincode", re.IGNORECASE)

Values = Mapping[str, Sequence[str]]  # label: before, after


@dataclass(frozen=True, slots=True)
class Told:
    """One part of an entry, to be shown: "Changed variant NEEM-1", and what became of its fields."""

    what: str
    fields: list[tuple[str, str, str]] = field(default_factory=list)  # label, before, after


def describe(form: BaseForm, formsets: Iterable[Any], *, added: bool, private: Collection[str]) -> list[dict]:
    """What a form and its rows changed, as the admin's log keeps it; the fields named in `private` without values."""
    said: list[dict] = []
    if added:
        said.append({"added": {}})
    elif form.changed_data:
        said.append({"changed": _changes(form, private)})
    for rows in formsets:
        form_of = {id(row.instance): row for row in rows.forms}
        for made in rows.new_objects:
            said.append({"added": _name(made) | _changes(form_of[id(made)], private)})
        for kept, _ in rows.changed_objects:
            said.append({"changed": _name(kept) | _changes(form_of[id(kept)], private)})
        said += [{"deleted": _name(gone)} for gone in rows.deleted_objects]
    return said


def note(user: models.Model, thing: models.Model, *, why: str = "", values: Values | None = None) -> None:
    """One entry: somebody did something to one thing outside its form."""
    note_many(user, [(thing, values or {})], why=why)


def note_many(user: models.Model, changes: Iterable[tuple[models.Model, Values]], *, why: str = "") -> None:
    """An entry for each thing, a few statements for each 500."""
    entries = [
        LogEntry(
            user_id=user.pk,
            content_type=ContentType.objects.get_for_model(thing, for_concrete_model=False),
            object_id=thing.pk,
            object_repr=str(thing)[:LONGEST],
            action_flag=CHANGE,
            change_message=json.dumps(
                [
                    {"changed": {"fields": list(values), "values": _cut(values)}, "note": why}
                    if values
                    else {"note": why, "added": {}}
                ],
                ensure_ascii=False,
            ),
        )
        for thing, values in changes
    ]
    LogEntry.objects.bulk_create(entries, batch_size=BATCH)


def read(entry: LogEntry) -> list[Told]:
    """The parts of an entry; older ones have no values."""
    try:
        parts = json.loads(entry.change_message) if entry.change_message.startswith("[") else []
    except json.JSONDecodeError:
        parts = []
    told = [_told(part) for part in parts]
    return told or [Told(entry.change_message or entry.get_action_flag_display())]


def shown(value: Any) -> str:
    """A value as history and lists of changes write it: short, and never a page of text."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        value = timezone.localtime(value) if timezone.is_aware(value) else value
        return f"{value:%-d %b %Y, %H:%M}"
    if isinstance(value, (list, tuple, set, models.QuerySet)):
        return shown(", ".join(sorted(map(str, value))))
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _changes(form: BaseForm, private: Collection[str]) -> dict[str, Any]:
    """`fields` and `values` of what a form changed."""
    labels: list[str] = []
    values: dict[str, list[str]] = {}
    for name in form.changed_data:
        asked = form.fields[name]
        label = str(asked.label or name)
        if name not in private and not SECRET.search(name):
            before, after = _read(asked, form[name].initial), _read(asked, form.cleaned_data.get(name))
            if before == after and len(after) < LONGEST:
                continue  # spelled otherwise, such as 80 and 80.00, or an empty object
            values[label] = [before, after]
        labels.append(label)
    return {"fields": labels, "values": values}


def _read(asked: Any, value: Any) -> str:
    """What a field's value is called: a choice by its name, a row by itself."""
    if (
        isinstance(asked, ModelChoiceField)
        and asked.queryset is not None
        and value
        and not isinstance(value, models.Model)
    ):
        if not isinstance(value, (list, tuple, models.QuerySet)):
            key = asked.to_field_name or "pk"
            return shown(asked.queryset.model._default_manager.filter(**{key: value}).first())
    elif choices := getattr(asked, "choices", None):
        names = {str(key): str(name) for key, name in choices}
        return names.get(str(value), shown(value))
    return shown(value)


def _name(thing: models.Model) -> dict[str, Any]:
    return {"name": str(thing._meta.verbose_name), "object": shown(thing)}


def _cut(values: Values) -> dict[str, list[str]]:
    return {label: [shown(value) for value in pair] for label, pair in values.items()}


def _told(part: dict[str, Any]) -> Told:
    verb = next((verb for verb in ("added", "changed", "deleted") if verb in part), "")
    said: dict[str, Any] = part.get(verb, {})
    what = " ".join(str(said[word]) for word in ("name", "object") if said.get(word))
    values = said.get("values", {})
    fields = [(label, *values.get(label, ("", ""))) for label in said.get("fields", [])]
    words = part.get("note") or f"{verb} {what}".strip().capitalize()
    return Told(words, fields)
