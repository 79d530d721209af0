from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from shop.catalog.models import Component, Product

from ..base import Candidate, IdPairs, OptionsFacet, read_pairs
from ..labels import facet_names, slugs_named

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts


class SubstanceFacet(OptionsFacet):
    """A substance has one option, whatever its names."""

    name = kind = "substance"
    label = gettext_noop("Active ingredient")

    @classmethod
    def index_pairs(cls, products: QuerySet[Product], columns: np.ndarray) -> IdPairs:
        components = Component.objects.filter(product__in=products.order_by().values("pk"))
        return read_pairs(components, "substance_id", "product_id")

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        return {cls.name: slugs_named(facet_names().substances.values(), body.substance)}

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [slug for slug in values if slug in facet_names().substances_by_slug]

    def label_of(self, value: str) -> str:
        return facet_names().substances_by_slug[value].shown_name

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return [facet_names().substances_by_slug[slug].pk for slug in values]

    def condition(self, ids: Sequence[int]) -> Q:
        return Q(pk__in=Component.objects.filter(substance__in=ids).values("product"))

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        substances = facet_names().substances
        for pk in counts.values:
            if substance := substances.get(pk):
                yield substance.slug, substance, [pk]
