"""Forms of staff that write only what was changed, and lose nobody's change.

A page carries, signed, what its forms showed (`AS_SHOWN`). When it comes back its rows are locked and read anew.
What the person left as it was shown stays as it is now; what they changed is written, in its own columns and no
others; and where somebody else changed that field meanwhile, it is refused with both values and a choice.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.forms.boundfield import BoundField
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext

from . import history
from .translations import WithTranslations

_capitalized = lazy(capfirst, str)
AS_SHOWN = "as_shown"  # the hidden field of a page
SALT = "shop.staff_forms"
WITHOUT_TEXT = (forms.ModelChoiceField, forms.MultiValueField, forms.JSONField)  # compare a value as JSON keeps it


def locked(rows: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Rows of one table that are locked as they are read, in ascending id order, until the transaction ends; keys
    that point to them may be written meanwhile."""
    return rows.order_by("pk").select_for_update(no_key=True, of=("self",))


def lock_rows(rows: models.QuerySet[Any]) -> None:
    """Lock rows without reading them; see locked."""
    list(locked(rows).values_list("pk"))


def shown_values(page: Iterable[forms.BaseForm]) -> str:
    """What the forms of a page show, for its hidden field."""
    rows = {form.key: form.values_now() for form in page if isinstance(form, StaffForm) and form.is_of_a_row}
    kept = {"at": timezone.now(), "rows": rows}
    return signing.dumps(kept, salt=SALT, serializer=_Json, compress=True)


class _Json:
    """Decimals and dates, too, as texts."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value, cls=DjangoJSONEncoder, separators=(",", ":")).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


@lru_cache(maxsize=4)
def _read(sent: str) -> dict[str, Any]:
    """Nothing where the page did not come from here."""
    try:
        shown: dict[str, Any] = signing.loads(sent, salt=SALT, serializer=_Json)
    except signing.BadSignature:
        return {}
    return shown


class StaffForm(WithTranslations):
    """Of one row. `merged` names fields beside the model's own that follow the same rule."""

    merged: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name_fields()
        self.add_translations()
        self._row = self.instance
        self._before = _columns_of(self._row) if self.is_of_a_row else {}

    def _name_fields(self) -> None:
        """Fields that a form declares without a label are called as those of the model."""
        names = {field.name: field.verbose_name for field in self._meta.model._meta.concrete_fields}
        for name, field in self.fields.items():
            if field.label is None and name in names:
                field.label = _capitalized(names[name])

    # --- What the page showed -------------------------------------------------------------------------

    @property
    def is_of_a_row(self) -> bool:
        return self._row.pk is not None and not self._row._state.adding

    @property
    def key(self) -> str:
        return f"{self._row._meta.concrete_model._meta.label_lower}:{self._row.pk}"

    def values_now(self) -> dict[str, Any]:
        """What each field that can be filled in would show now, as JSON keeps it."""
        return {
            name: _as_json(self[name])
            for name, field in self.fields.items()
            if self._is_merged(name) and not field.disabled
        }

    def _is_merged(self, name: str) -> bool:
        return name in self.merged or (name in self._columns and not isinstance(self.fields[name], forms.FileField))

    @cached_property
    def _columns(self) -> set[str]:
        opts = self._meta.model._meta
        return {field.name for field in (*opts.concrete_fields, *opts.many_to_many)}

    @cached_property
    def _shown(self) -> dict[str, Any]:
        if not self.is_bound or not self.is_of_a_row:
            return {}
        shown = _read(self.data.get(AS_SHOWN, "")).get("rows", {}).get(self.key, {})
        return {name: value for name, value in shown.items() if name in self.fields and self._is_merged(name)}

    # --- What was changed, by whom --------------------------------------------------------------------

    @cached_property
    def _untouched(self) -> set[str]:
        """Fields that were left as they were shown, or whose value of now was chosen."""
        return {
            name
            for name, shown in self._shown.items()
            if not _is_changed(self[name], shown) or self._choice(name) == self._option(name, "theirs")
        }

    @cached_property
    def changed_data(self) -> list[str]:
        changed = super().changed_data  # against the row as it is now
        return [name for name in changed if name not in self._untouched]

    def full_clean(self) -> None:
        """What was left alone is cleaned as the row has it now."""
        left = [name for name in self._untouched if not self.fields[name].disabled]
        for name in left:
            self.fields[name].disabled = True
        try:
            super().full_clean()
        finally:
            for name in left:
                self.fields[name].disabled = False
        for name in self.changed_data if self._shown else ():
            if self._is_contested(name):
                self.add_error(name, ValidationError(self._words_of_conflict(name), code="changed_meanwhile"))

    def _is_contested(self, name: str) -> bool:
        return (
            name in self._shown
            and _as_json(self[name]) != self._shown[name]
            and self._choice(name) != self._option(name, "mine")
        )

    def _choice(self, name: str) -> str:
        choice: str = self.data.get(self.add_prefix(f"choice-{name}"), "")
        return choice

    def _option(self, name: str, whose: str) -> str:
        """A choice holds for the value that it was offered for."""
        digest = sha256(json.dumps(_as_json(self[name])).encode()).hexdigest()[:16]
        return f"{whose}:{digest}"

    def _words_of_conflict(self, name: str) -> SafeString:
        field = self.fields[name]
        now = history.value_shown(field, self[name].initial)
        who = history.last_change(self._row, field.label or name, _read(self.data.get(AS_SHOWN, "")).get("at", ""))
        return format_html(
            '{} <label><input type="radio" name="{}" value="{}"> {}</label> '
            '<label><input type="radio" name="{}" value="{}"> {}</label>',
            gettext("{who} changed this to “{now}” after you opened this page.").format(
                who=who or gettext("Someone else"), now=now
            ),
            self.add_prefix(f"choice-{name}"),
            self._option(name, "theirs"),
            gettext("Keep “{now}”").format(now=now),
            self.add_prefix(f"choice-{name}"),
            self._option(name, "mine"),
            gettext("Save mine"),
        )

    # --- Writing --------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the columns that were changed, of a row that the caller has locked."""
        changed = self._changed_columns()
        if changed:
            stamps = [field.name for field in self.instance._meta.concrete_fields if getattr(field, "auto_now", False)]
            self.instance.save(update_fields=[*changed, *stamps])

    def _changed_columns(self) -> list[str]:
        fields = [field for field in self.instance._meta.concrete_fields if not field.primary_key]
        if self.instance is not self._row:  # cleaning has found another row
            return [field.name for field in fields if field.name in self.changed_data]
        return [
            field.name
            for field in fields
            if field.attname in self._before and not self._is_same(field, getattr(self.instance, field.attname))
        ]

    def _is_same(self, field: "models.Field[Any, Any]", value: Any) -> bool:
        before = self._before[field.attname]
        if isinstance(before, datetime) and field.name in self.fields and field.name not in self.changed_data:
            return True  # a form shows no fractions of a second
        return bool(before == value)

    def save(self, commit: bool = True) -> Any:
        if not commit or self.errors or self.instance._state.adding:
            return super().save(commit)
        self.write()
        self._save_m2m()
        return self.instance

    def _save_m2m(self) -> None:
        cleaned = self.cleaned_data
        if self.is_of_a_row:
            self.cleaned_data = {name: value for name, value in cleaned.items() if name in self.changed_data}
        try:
            super()._save_m2m()  # type: ignore[misc]
        finally:
            self.cleaned_data = cleaned


def _columns_of(row: models.Model) -> dict[str, Any]:
    left_out = row.get_deferred_fields()
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in left_out
    }


def _as_json(bound: BoundField) -> Any:
    field, value = bound.field, bound.initial
    if isinstance(field, forms.MultiValueField):
        value = field.widget.decompress(value)
    elif isinstance(field, forms.ModelMultipleChoiceField):
        value = sorted(field.prepare_value(value or []), key=str)
    elif isinstance(field, forms.ModelChoiceField):
        value = field.prepare_value(value)
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


def _is_changed(bound: BoundField, shown: Any) -> bool:
    """Whether what was sent differs from what was shown; browsers write line ends in their own way."""
    field, sent = bound.field, bound.data
    if isinstance(sent, str):
        sent = sent.replace("\r\n", "\n")
    if isinstance(shown, str):
        shown = shown.replace("\r\n", "\n")
    if not isinstance(field, WITHOUT_TEXT):
        try:
            shown = field.to_python(shown)
        except ValidationError:
            return True
    return field.has_changed(shown, sent)
