from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet

from shop.catalog.models import Product, Variant

from ..base import Candidate, IdPairs, OptionsFacet, UnknownName, read_pairs
from ..labels import AttributeName, facet_names

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts

PREFIX = "attr."


class AttributeFacet(OptionsFacet):
    """A facet for each attribute that variants differ in; values are labels in the catalogue's own spelling,
    in English."""

    kind = "attribute"
    informs = True
    is_by_count = False
    parameters = (PREFIX,)

    def __init__(self, attribute: AttributeName) -> None:
        self.name = f"{PREFIX}{attribute.slug}"
        self.label = attribute.shown_name
        self.known_as = (attribute.name.lower(), self.label.lower(), self.name)
        self.values = attribute.values

    @classmethod
    def each(cls) -> Iterable[AttributeFacet]:
        return [cls(attribute) for attribute in facet_names().attributes.values()]

    @classmethod
    def index_pairs(cls, products: QuerySet[Product], columns: np.ndarray) -> IdPairs:
        variants = Variant.objects.filter(is_active=True, attribute_values__isnull=False)
        return read_pairs(variants.filter(product__in=products.order_by()), "attribute_values", "product_id")

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        by_name = {name: facet for facet in cls.each() for name in facet.known_as}
        chosen = {}
        for name, values in body.attributes.items():
            key = name.strip().lower()
            facet = by_name.get(key) or by_name.get(f"{PREFIX}{key}")
            known = tuple(facet.known([value.strip().lower() for value in values], ())) if facet else ()
            if facet is None or not known:
                raise UnknownName
            chosen[facet.name] = known
        return chosen

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        shown = {self._shown(label).lower(): label for label in self.values}
        by_lower = shown | {label.lower(): label for label in self.values}
        return [by_lower[value] for value in values if value in by_lower]

    def label_of(self, value: str) -> str:
        return f"{self.label}: {self._shown(value)}"

    def ids(self, values: Sequence[str], within: Sequence[int]) -> list[int]:
        return [value.pk for label in values for value in self.values[label]]

    def condition(self, ids: Sequence[int]) -> Q:
        return Q(Exists(Variant.objects.filter(product=OuterRef("pk"), is_active=True, attribute_values__in=ids)))

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        for label, values in self.values.items():
            yield label, label, [value.pk for value in values]

    def option_label(self, row: str, language: str) -> str:
        return self._shown(row)

    def _shown(self, label: str) -> str:
        return self._shown_labels[label]

    @cached_property
    def _shown_labels(self) -> dict[str, str]:
        """By label, in the language for which the facet was made (registry.py)."""
        return {label: values[0].shown_label for label, values in self.values.items()}
