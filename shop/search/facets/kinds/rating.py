from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop, ngettext

from shop.catalog.models import Product

from ..base import Candidate, IdPairs, OptionsFacet

if TYPE_CHECKING:
    from ...listing.matches import Counts

STEPS = (4, 3, 2, 1)  # stars
HUNDREDTHS = 100  # Product.rating counts these


class RatingFacet(OptionsFacet):
    """Values are the lowest average rating that passes, in stars; of several the lowest counts."""

    name = kind = "rating"
    label = gettext_noop("Customer rating")
    is_by_count = False

    @classmethod
    def index_pairs(cls, products: QuerySet[Product], columns: np.ndarray) -> IdPairs:
        reached = {step: columns["id"][columns["rating"] >= step * HUNDREDTHS] for step in STEPS}
        steps = np.repeat(np.array(list(reached), np.int64), [len(ids) for ids in reached.values()])
        return steps, np.concatenate(list(reached.values()))

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [value for value in values if value in map(str, STEPS)]

    def label_of(self, value: str) -> str:
        return ngettext("%(stars)s star or more", "%(stars)s stars or more", int(value)) % {"stars": value}

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return map(int, values)

    def condition(self, ids: Sequence[int]) -> Q:
        return Q(rating__gte=min(ids) * HUNDREDTHS)

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        for step in STEPS:
            yield str(step), str(step), [step]

    def option_label(self, row: str, language: str) -> str:
        return self.label_of(row)
