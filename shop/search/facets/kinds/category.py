from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from ..base import Candidate, OptionsFacet, UnknownName
from ..labels import CategoryName, facet_names, named

if TYPE_CHECKING:
    from ...listing.matches import Counts
    from ...schemas import CategoryProducts


class CategoryFacet(OptionsFacet):
    """Categories one step below where the listing stands; deeper ones only where they are chosen."""

    name = kind = "category"
    label = gettext_noop("Category")
    field = "category_id"
    is_by_count = False

    @classmethod
    def read_api(cls, body: CategoryProducts) -> Mapping[str, tuple[str, ...]]:
        _, chosen = categories_of_api(body)
        return {cls.name: tuple(dict.fromkeys(category.slug for category in chosen))}

    def known(self, values: Sequence[str], within: Sequence[int]) -> Iterable[str]:
        return [slug for slug in values if facet_names().category_ids([slug], within=within)]

    def label_of(self, value: str) -> str:
        names = facet_names()
        return names.categories[names.categories_by_slug[value][0]].shown_name

    def ids(self, values: Sequence[str], within: Sequence[int]) -> list[int]:
        names = facet_names()
        return names.below(names.category_ids(values, within=within))

    def candidates(self, counts: Counts, chosen: Sequence[str]) -> Iterator[Candidate]:
        place = counts.place_of(self.name)
        for slug, row in _listed(place, chosen).items():
            yield slug, row, self.ids([slug], place)


def _listed(place: Sequence[int], chosen: Sequence[str]) -> dict[str, CategoryName]:
    """By slug; categories at several places may share both."""
    names, within = facet_names(), set(place)
    # A category of the last second may have no name here yet.
    known = [names.categories[pk] for pk in place if pk in names.categories]
    tops = [row.pk for row in known if row.parent_id not in within] if place else [None]
    listed = [child for top in tops for child in names.children.get(top, [])]
    deeper = names.category_ids(sorted(chosen), within=place)
    return {row.slug: row for row in [*listed, *(names.categories[pk] for pk in deeper)]}


def categories_of_api(body: CategoryProducts) -> tuple[list[CategoryName], list[CategoryName]]:
    """The categories that the listing stands in (none: the whole shop) and those it is narrowed to. Raises
    UnknownName."""
    place: list[CategoryName] = []
    chosen: list[CategoryName] = []
    reached = facet_names().children.get(None, [])
    if body.category:
        reached = place = named(reached, [body.category])
    below = _children(reached)
    if body.sub_category:
        reached = chosen = named(below, body.sub_category)
        below = _children(reached)
    elif body.child_category:
        below = [*below, *_children(below)]
    if body.child_category:
        place, chosen = (chosen or place), named(below, body.child_category)
        reached = chosen
    if not reached:
        raise UnknownName
    return place, chosen


def _children(categories: Iterable[CategoryName]) -> list[CategoryName]:
    children = facet_names().children
    return [child for category in categories for child in children.get(category.pk, [])]
