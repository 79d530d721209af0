from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext_noop

from ..base import Candidate, OptionsFacet
from ..index import origin_code, origin_number
from ..labels import country_name

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts

COUNTRY = re.compile(r"[a-z]{2}")


class OriginFacet(OptionsFacet):
    """Values are a country's two letters in lower case; its ids are origin numbers."""

    name = kind = "origin"
    label = gettext_noop("Country of origin")

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        return {cls.name: tuple(dict.fromkeys(code.lower() for code in body.origin))}

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [code for code in values if COUNTRY.fullmatch(code)]

    def label_of(self, value: str) -> str:
        return country_name(value.upper())

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return [origin_number(code.upper()) for code in values]

    def condition(self, ids: Sequence[int]) -> Q:
        return Q(country_of_origin__in=[origin_code(number) for number in ids])

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        numbers = {*counts.values, *self.ids(chosen, ())} - {0}
        for number in sorted(numbers):
            code = origin_code(number)
            yield code.lower(), code, [number]

    def option_label(self, row: str, language: str) -> str:
        return country_name(row)
