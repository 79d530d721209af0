"""Facets of a listing: what it can be narrowed by, with how many products each choice would leave."""

from dataclasses import dataclass
from functools import cached_property

from ..listing.matches import IndexSelection
from .index import origin_code, origin_number
from .labels import FacetNames, country_name
from .selection import ATTRIBUTE, Filters

MAX_OPTIONS = 40  # of a group on the page, those with most products; chosen ones always
OPEN_OPTIONS = 8  # of them at once, the others behind one more click


@dataclass(frozen=True)
class Option:
    value: str  # as the address says it
    label: str
    count: int
    is_chosen: bool


@dataclass(frozen=True)
class Facet:
    name: str  # its parameter in the address
    label: str
    options: tuple[Option, ...]  # all that any product has, or that are chosen

    @property
    def is_attribute(self) -> bool:
        return self.name.startswith(ATTRIBUTE)

    @property
    def is_after_price(self) -> bool:
        return self.is_attribute or self.name == "origin"

    @property
    def is_shown(self) -> bool:
        """A group with one option narrows nothing; those of attributes also inform."""
        return len(self.options) > 1 or any(option.is_chosen for option in self.options) or self.is_attribute

    @cached_property
    def listed(self) -> tuple[Option, ...]:
        if len(self.options) <= MAX_OPTIONS:
            return self.options
        largest = set(sorted(self.options, key=lambda option: -option.count)[:MAX_OPTIONS])
        return tuple(option for option in self.options if option in largest or option.is_chosen)

    @property
    def first(self) -> tuple[Option, ...]:
        return self.listed[:OPEN_OPTIONS]

    @property
    def more(self) -> tuple[Option, ...]:
        return self.listed[OPEN_OPTIONS:]


def chosen_values(filters: Filters, names: FacetNames, within: list[int]) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The groups that are chosen from, each with its kind of value and the ids."""
    groups: dict[str, tuple[str, tuple[int, ...]]] = {}
    if filters.concerns:
        ids = tuple(names.concerns_by_slug[slug].pk for slug in filters.concerns)
        groups["concern"] = ("concern", ids)
    if filters.categories:
        ids = tuple(names.below(names.category_ids(filters.categories, within=within)))
        groups["category"] = ("category", ids)
    if filters.brands:
        groups["brand"] = ("brand", tuple(names.brands_by_slug[slug].pk for slug in filters.brands))
    for slug, labels in filters.attributes:
        values = names.attributes[slug].values
        ids = tuple(pk for label in labels for pk in values[label])
        groups[f"{ATTRIBUTE}{slug}"] = ("attribute", ids)
    if filters.origins:
        groups["origin"] = ("origin", tuple(origin_number(code) for code in filters.origins))
    return groups


class FacetCounter:
    """Counts the options of every group; a group's counts ignore the group's own choice."""

    def __init__(self, selection: IndexSelection, filters: Filters, names: FacetNames) -> None:
        self.selection = selection
        self.filters = filters
        self.names = names
        self._place = {(kind, value) for kind, values in selection.listing_filter.place for value in values}

    def facets(self) -> list[Facet]:
        found = [self._concerns(), self._categories(), self._brands(), *self._attributes(), self._origins()]
        return [facet for facet in found if facet.options and facet.is_shown]

    def _concerns(self) -> Facet:
        chosen = set(self.filters.concerns)
        rows = self.selection.rows(without="concern")
        options = [
            Option(concern.slug, concern.name, count, concern.slug in chosen)
            for concern in self.names.concerns.values()
            if ("concern", concern.pk) not in self._place
            and ((count := self.selection.count(rows, "concern", [concern.pk])) or concern.slug in chosen)
        ]
        return Facet("concern", "Health concern", _by_count(options))

    def _categories(self) -> Facet:
        """Those one step below where the listing stands; deeper ones only where they are chosen."""
        chosen = set(self.filters.categories)
        rows = self.selection.rows(without="category")
        place = [value for kind, value in self._place if kind == "category"]
        options = []
        for slug, name in self._listed_categories(place, chosen).items():
            ids = self.names.below(self.names.category_ids([slug], within=place))
            if (count := self.selection.count(rows, "category", ids)) or slug in chosen:
                options.append(Option(slug, name, count, slug in chosen))
        return Facet("category", "Category", tuple(options))

    def _listed_categories(self, place: list[int], chosen: set[str]) -> dict[str, str]:
        """Slug to name; categories at several places may share both."""
        # A category of the last second may have no name here yet.
        known = [self.names.categories[pk] for pk in place if pk in self.names.categories]
        tops = [row.pk for row in known if row.parent_id not in place] if place else [None]
        listed = [child for top in tops for child in self.names.children.get(top, [])]
        deeper = self.names.category_ids(sorted(chosen), within=place)
        return {row.slug: row.name for row in [*listed, *(self.names.categories[pk] for pk in deeper)]}

    def _brands(self) -> Facet:
        chosen = set(self.filters.brands)
        rows = self.selection.rows(without="brand")
        options = []
        for pk in self.selection.index.values_of("brand"):
            brand = self.names.brands.get(pk)
            if brand is None or ("brand", pk) in self._place:
                continue
            if (count := self.selection.count(rows, "brand", [pk])) or brand.slug in chosen:
                options.append(Option(brand.slug, brand.name, count, brand.slug in chosen))
        return Facet("brand", "Brand", _by_count(options))

    def _attributes(self) -> list[Facet]:
        chosen = dict(self.filters.attributes)
        facets = []
        for attribute in self.names.attributes.values():
            name = f"{ATTRIBUTE}{attribute.slug}"
            picked = chosen.get(attribute.slug, ())
            rows = self.selection.rows(without=name)
            options = [
                Option(label, label, count, label in picked)
                for label, ids in attribute.values.items()
                if (count := self.selection.count(rows, "attribute", ids)) or label in picked
            ]
            facets.append(Facet(name, attribute.name, tuple(options)))
        return facets

    def _origins(self) -> Facet:
        chosen = set(self.filters.origins)
        rows = self.selection.rows(without="origin")
        there = {origin_code(number) for number in self.selection.index.values_of("origin")} - {""}
        options = [
            Option(code.lower(), country_name(code), count, code in chosen)
            for code in sorted(there | chosen)
            if (count := self.selection.count(rows, "origin", [origin_number(code)])) or code in chosen
        ]
        return Facet("origin", "Country of origin", _by_count(options))


def _by_count(options: list[Option]) -> tuple[Option, ...]:
    return tuple(sorted(options, key=lambda option: (-option.count, option.label)))
