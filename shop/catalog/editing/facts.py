"""Facts of a variant that stand in rows of name and amount: nutrition, composition."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext

MAX_ROWS = 60
MAX_LENGTH = 120
EMPTY_ROWS = 2


class FactRows(forms.Widget):
    """Two inputs a row; `<name>_name` and `<name>_amount` are sent once a row."""

    template_name = "catalog/editing/_fact_rows.html"

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        return render_to_string(template_name, context)

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        rows = list(rows_of(value))
        context["widget"]["rows"] = rows + [("", "")] * EMPTY_ROWS
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[tuple[str, str]]:
        names, amounts = data.getlist(f"{name}_name"), data.getlist(f"{name}_amount")
        pairs = [(fact.strip(), amount.strip()) for fact, amount in zip(names, amounts, strict=False)]
        return [pair for pair in pairs if any(pair)]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}_name" not in data

    def id_for_label(self, id_: str) -> str:
        return ""


class FactRowsField(forms.Field):
    """Rows as the catalogue keeps them, {"Composition": {"Root": "100 mg"}}; `key` names the outer part."""

    widget = FactRows

    def __init__(self, *, key: str, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.key = key

    def prepare_value(self, value: Any) -> Any:
        return value.get(self.key, {}) if isinstance(value, Mapping) else value

    def to_python(self, value: Any) -> Any:
        return value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list(rows_of(self.prepare_value(initial or {}))) != list(rows_of(data))

    def clean(self, value: Any) -> dict[str, Any]:
        """Without what else stands beside the rows (`beside`)."""
        if isinstance(value, Mapping):
            return dict(value)  # as it was
        rows = dict(value or ())
        if len(value or ()) > MAX_ROWS:
            raise forms.ValidationError(gettext("At most %(most)s rows.") % {"most": MAX_ROWS})
        if "" not in rows and len(rows) < len(value or ()):
            raise forms.ValidationError(gettext("A name is listed twice."))
        for name, amount in rows.items():
            if not name:
                raise forms.ValidationError(gettext("Enter a name for %(amount)s.") % {"amount": f"{amount!r}"})
            if max(len(name), len(amount)) > MAX_LENGTH:
                raise forms.ValidationError(
                    gettext("%(name)s is longer than %(most)s characters.")
                    % {"name": f"{name[:40]!r}", "most": MAX_LENGTH}
                )
        return {self.key: rows} if rows else {}

    def beside(self, former: Any, rows: dict[str, Any]) -> dict[str, Any]:
        """Cleaned rows with what else the variant has."""
        return {name: part for name, part in (former or {}).items() if name != self.key} | rows

    def in_words(self, value: Any) -> str:
        """For the history."""
        return ", ".join(f"{name} {amount}" for name, amount in rows_of(self.prepare_value(value or {})))


def rows_of(value: Any) -> list[tuple[str, str]]:
    """Of what is kept, or was sent."""
    if isinstance(value, Mapping):
        return [(str(name), str(amount)) for name, amount in value.items()]
    if isinstance(value, str):
        return [("", value)] if value else []
    return [(str(name), str(amount)) for name, amount in value or ()]
