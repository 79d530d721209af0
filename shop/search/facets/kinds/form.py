from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from shop.catalog.composition.dosage import DosageForm

from ..base import Candidate, OptionsFacet, UnknownName

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts


class FormFacet(OptionsFacet):
    """Values are slugs of dosage forms, such as tablet-modified; its ids are their numbers."""

    name = kind = "form"
    label = gettext_noop("Dosage form")
    field = "dosage_form"

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        known = tuple(cls().known([name.strip().lower() for name in body.form], ()))
        if body.form and not known:
            raise UnknownName
        return {cls.name: known}

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [value for value in values if value in _FORMS]

    def label_of(self, value: str) -> str:
        return str(_FORMS[value].label)

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return [int(_FORMS[value]) for value in values]

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        there = set(counts.values)
        for value, form in _FORMS.items():
            if form in there or value in chosen:
                yield value, form, [int(form)]

    def option_label(self, row: DosageForm, language: str) -> str:
        return str(row.label)


_FORMS = {form.slug: form for form in DosageForm if form}
