from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_noop

from shop.catalog.models import Product

from ..base import Candidate, IdPairs, OptionsFacet

if TYPE_CHECKING:
    from ...listing.matches import Counts

ANY = 1
STEPS = (10, 20, 30, 40, 50)  # percent


class DiscountFacet(OptionsFacet):
    """Values are the lowest discount that passes, in percent; of several the lowest counts."""

    name = kind = "discount"
    label = gettext_noop("Discount")
    is_by_count = False

    @classmethod
    def index_pairs(cls, products: QuerySet[Product], columns: np.ndarray) -> IdPairs:
        reached = {step: columns["id"][columns["discount"] >= step] for step in (ANY, *STEPS)}
        steps = np.repeat(np.array(list(reached), np.int64), [len(ids) for ids in reached.values()])
        return steps, np.concatenate(list(reached.values()))

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [value for value in values if value in map(str, STEPS)]

    def label_of(self, value: str) -> str:
        return gettext("%(percent)s%% off or more") % {"percent": value}

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return map(int, values)

    def condition(self, ids: Sequence[int]) -> Q:
        return Q(discount__gte=min(ids))

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        for step in STEPS:
            yield str(step), str(step), [step]

    def option_label(self, row: str, language: str) -> str:
        return self.label_of(row)
