"""Active ingredients as rows of a form: a name and a strength each."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from ..editing.facts import MAX_ROWS, FactRowsField, rows_of
from .parsing import MAX_NAME, part_of

EXAMPLES = "500 mg, 125 mg/5 ml or 2% w/w"


class IngredientRowsField(FactRowsField):
    """Rows as Product.active_ingredients keeps them, [["Paracetamol", "500 mg"]]."""

    def __init__(self, **options: Any) -> None:
        super().__init__(key="", **options)

    def prepare_value(self, value: Any) -> Any:
        return value

    def clean(self, value: Any) -> list[list[str]]:  # type: ignore[override]
        rows = rows_of(value)
        if len(rows) > MAX_ROWS:
            raise forms.ValidationError(gettext("At most %(most)s rows.") % {"most": MAX_ROWS})
        former = value if isinstance(value, list) and all(isinstance(row, list) for row in value) else None
        return former if former is not None else [self._row(name, strength) for name, strength in rows]

    def _row(self, name: str, strength: str) -> list[str]:
        if not name:
            raise forms.ValidationError(gettext("Enter a name for %(amount)s.") % {"amount": f"{strength!r}"})
        if len(name) > MAX_NAME:
            raise forms.ValidationError(
                gettext("%(name)s is longer than %(most)s characters.") % {"name": f"{name[:40]!r}", "most": MAX_NAME}
            )
        part = part_of(name, strength)
        if part.unread:
            raise forms.ValidationError(
                gettext("Write the strength of %(name)s as %(examples)s, not %(strength)s.")
                % {"name": name[:40], "examples": EXAMPLES, "strength": f"{strength[:40]!r}"}
            )
        return [part.name, part.words]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return rows_of(initial) != rows_of(data)
