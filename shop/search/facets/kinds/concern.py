from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from shop.catalog.models import HealthConcern, Product

from ..base import Candidate, IdPairs, OptionsFacet, read_pairs
from ..labels import facet_names, slugs_named

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts


class ConcernFacet(OptionsFacet):
    name = kind = "concern"
    label = gettext_noop("Health concern")

    @classmethod
    def index_pairs(cls, products: QuerySet[Product], columns: np.ndarray) -> IdPairs:
        return read_pairs(products.filter(health_concerns__isnull=False), "health_concerns", "pk")

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        return {cls.name: slugs_named(facet_names().concerns.values(), body.concern)}

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [slug for slug in values if slug in facet_names().concerns_by_slug]

    def label_of(self, value: str) -> str:
        return facet_names().concerns_by_slug[value].shown_name

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return [facet_names().concerns_by_slug[slug].pk for slug in values]

    def condition(self, ids: Sequence[int]) -> Q:
        return Q(pk__in=HealthConcern.objects.filter(pk__in=ids).values("products"))

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        place = set(counts.place_of(self.name))
        for concern in facet_names().concerns.values():
            if concern.pk not in place:
                yield concern.slug, concern, [concern.pk]
