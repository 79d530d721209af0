from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from ..base import Candidate, OptionsFacet
from ..labels import facet_names, slugs_named

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts


class BrandFacet(OptionsFacet):
    name = kind = "brand"
    label = gettext_noop("Brand")
    field = "brand_id"

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        return {cls.name: slugs_named(facet_names().brands.values(), body.brand)}

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [slug for slug in values if slug in facet_names().brands_by_slug]

    def label_of(self, value: str) -> str:
        return facet_names().brands_by_slug[value].shown_name

    def ids(self, values: Sequence[str], within: Sequence[int]) -> Iterable[int]:
        return [facet_names().brands_by_slug[slug].pk for slug in values]

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        brands, place = facet_names().brands, set(counts.place_of(self.name))
        for pk in counts.values:
            if (brand := brands.get(pk)) and pk not in place:
                yield brand.slug, brand, [pk]
