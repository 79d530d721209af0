"""Who changed what and when: the admin's own log, with the values before and after.

An entry names who acted by the id of the account and the role they acted in: `role` of its first part, or staff.
Its `change_message` is the admin's JSON; `values` in it maps a field's label to what it was and what it became, and
`note` says why. Secrets, and what a person can be reached by, are named and not copied. Entries are written in
English, whatever language the back office is in, so that everybody can read them and a field is found by its label.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from django.forms import BaseForm, ModelChoiceField
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, gettext_noop, override

from .actors import STAFF, actor_of, role_of, shown_person
from .languages import ENGLISH

MAX_LENGTH = 200
BATCH = 500
SECRET = re.compile(r"password|secret|token|code_hash|e-?mail|phone|mobile|address|pincode", re.IGNORECASE)

VERBS = {
    "added": gettext_noop("Added {what}"),
    "changed": gettext_noop("Changed {what}"),
    "deleted": gettext_noop("Deleted {what}"),
}

Values = Mapping[str, Sequence[str]]  # label: before, after


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """One part of an entry, to be shown: "Changed variant NEEM-1", and what became of its fields."""

    what: str
    fields: list[tuple[str, str, str]] = field(default_factory=list)  # label, before, after


@override(ENGLISH)
def describe(form: BaseForm, formsets: Iterable[Any], *, added: bool, private: Collection[str]) -> list[dict[str, Any]]:
    """What a form and its rows changed, as the admin's log keeps it; the fields named in `private` without values."""
    said: list[dict[str, Any]] = []
    if added:
        said.append({"added": {}})
    elif (changes := _changes(form, private))["fields"]:
        said.append({"changed": changes})
    for rows in formsets:
        form_of = {id(row.instance): row for row in rows.forms}
        for made in rows.new_objects:
            said.append({"added": _name(made) | _changes(form_of[id(made)], private)})
        for kept, _ in rows.changed_objects:
            if (changes := _changes(form_of[id(kept)], private))["fields"]:
                said.append({"changed": _name(kept) | changes})
        said += [{"deleted": _name(gone)} for gone in rows.deleted_objects]
    return said


def record_export(user: Any, what: str) -> None:
    """Record that a member of staff took data out of the shop: a table, a list, a file of rows."""
    _record(user, f"Exported {what}", STAFF)


def record_step_up(user: Any, what: str) -> None:
    """Record that somebody proved who they are before `what`, such as "adding a passkey, by password".

    A customer's entry names the role customer; of the account only its id is kept.
    """
    _record(user, f"Confirmed it was them: {what}", role_of(actor_of(user)))


def _record(user: Any, words: str, role: str) -> None:
    LogEntry.objects.create(
        user_id=user.pk,
        object_repr=words[:MAX_LENGTH],
        action_flag=CHANGE,
        change_message=json.dumps([{"note": words, "role": role, "added": {}}], ensure_ascii=False),
    )


def who(entry: LogEntry) -> str:
    """Whose entry it is, for staff: the name of today, beside the role and the id it was made with."""
    return shown_person(entry.user, next((part["role"] for part in _parts(entry) if "role" in part), STAFF))


def note(user: models.Model, thing: models.Model, *, why: str = "", values: Values | None = None) -> None:
    """One entry: somebody did something to one thing outside its form."""
    note_many(user, [(thing, values or {})], why=why)


@override(ENGLISH)
def note_many(user: models.Model, changes: Iterable[tuple[models.Model, Values]], *, why: str = "") -> None:
    """An entry for each thing, a few statements for each 500."""
    entries = [
        LogEntry(
            user_id=user.pk,
            content_type=ContentType.objects.get_for_model(thing, for_concrete_model=False),
            object_id=thing.pk,
            object_repr=str(thing)[:MAX_LENGTH],
            action_flag=CHANGE,
            change_message=json.dumps(
                [
                    {"changed": {"fields": list(values), "values": _cut(values)}, "note": str(why)}
                    if values
                    else {"note": str(why), "added": {}}
                ],
                ensure_ascii=False,
            ),
        )
        for thing, values in changes
    ]
    LogEntry.objects.bulk_create(entries, batch_size=BATCH)


@override(ENGLISH)
def last_change(thing: models.Model, label: Any, since: str) -> str:
    """Who changed the field with this label of a row last, since a moment (ISO); empty where the history does not
    know. `label` is lazy or English. An entry is of the row itself, or of another that it belongs to and whose page
    shows it."""
    name = _name(thing)
    owners = [thing, *(value for value in _owners_of(thing) if value is not None)]
    about = reduce(or_, (Q(content_type__in=_types_of(one), object_id=one.pk) for one in owners))
    label = str(label)
    moment = parse_datetime(since) or timezone.now()
    for entry in LogEntry.objects.filter(about, action_time__gte=moment).select_related("user").order_by("-id")[:50]:
        own = entry.object_id == str(thing.pk) and entry.content_type_id in {kind.pk for kind in _types_of(thing)}
        for part in _parts(entry):
            changed = part.get("changed", {})
            is_about = (own and "object" not in changed) or changed.get("object") == name["object"]
            if is_about and label in changed.get("fields", ()):
                return who(entry)
    return ""


def _owners_of(thing: models.Model) -> list[models.Model | None]:
    return [getattr(thing, field.name) for field in thing._meta.concrete_fields if field.many_to_one]


def _types_of(thing: models.Model) -> list[ContentType]:
    """Of the model and its proxies."""
    own = thing._meta.concrete_model
    kinds = [model for model in apps.get_models() if model._meta.concrete_model is own]
    return [ContentType.objects.get_for_model(kind, for_concrete_model=False) for kind in kinds]


def read(entry: LogEntry) -> list[ChangeSummary]:
    """The parts of an entry; older ones have no values."""
    summaries = [_summary(part) for part in _parts(entry)]
    return summaries or [ChangeSummary(entry.change_message or entry.get_action_flag_display())]


def _parts(entry: LogEntry) -> list[dict[str, Any]]:
    try:
        return json.loads(entry.change_message) if entry.change_message.startswith("[") else []
    except json.JSONDecodeError:
        return []


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
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 1]}…"


def _changes(form: BaseForm, private: Collection[str]) -> dict[str, Any]:
    """`fields` and `values` of what a form changed."""
    labels: list[str] = []
    values: dict[str, list[str]] = {}
    for name in form.changed_data:
        field = form.fields[name]
        label = str(field.label or name)
        if name not in private and not SECRET.search(name):
            before, after = value_shown(field, form[name].initial), value_shown(field, form.cleaned_data.get(name))
            if before == after and len(after) < MAX_LENGTH:
                continue  # spelled otherwise, such as 80 and 80.00, or an empty object
            values[label] = [before, after]
        labels.append(label)
    return {"fields": labels, "values": values}


def value_shown(field: Any, value: Any) -> str:
    """What a form field's value is called: a choice by its name, a row by itself."""
    if hasattr(field, "in_words"):
        return shown(field.in_words(value))
    if (
        isinstance(field, ModelChoiceField)
        and field.queryset is not None
        and value
        and not isinstance(value, models.Model)
    ):
        if not isinstance(value, (list, tuple, models.QuerySet)):
            key = field.to_field_name or "pk"
            return shown(field.queryset.model._default_manager.filter(**{key: value}).first())
    elif choices := getattr(field, "choices", None):
        names = {str(key): str(name) for key, name in choices}
        return names.get(str(value), shown(value))
    return shown(value)


def _name(thing: models.Model) -> dict[str, Any]:
    return {"name": str(thing._meta.verbose_name), "object": shown(thing)}


def _cut(values: Values) -> dict[str, list[str]]:
    return {label: [shown(value) for value in pair] for label, pair in values.items()}


def _translated(english: str) -> str:
    """The name of a model or the label of a field, as they were when the entry was written."""
    return gettext(english) if english else ""


def _summary(part: dict[str, Any]) -> ChangeSummary:
    verb = next((verb for verb in ("added", "changed", "deleted") if verb in part), "")
    said: dict[str, Any] = part.get(verb, {})
    what = " ".join(filter(None, (_translated(said.get("name", "")), said.get("object", ""))))
    values = said.get("values", {})
    fields = [(_translated(label), *values.get(label, ("", ""))) for label in said.get("fields", [])]
    words = part.get("note") or (gettext(VERBS[verb]).format(what=what).strip() if verb else "")
    return ChangeSummary(words, fields)
