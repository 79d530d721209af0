"""What the values of facets are called: read once, kept in memory until the shop changes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from django.utils.translation import get_language

from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, Substance
from shop.invalidation.models import Change
from shop.invalidation.subscriptions import remembered
from shop.markets.geography.names import country_names
from shop.translated import ENGLISH, Translations, in_language, translate

from .base import UnknownName


@dataclass(frozen=True)
class Named:
    """`name` is English, as calls and searches know it; pages show the one in their language."""

    pk: int
    slug: str
    name: str
    translations: Translations = field(compare=False)

    @property
    def shown_name(self) -> str:
        return self.shown_in(get_language() or ENGLISH)

    def shown_in(self, language: str) -> str:
        return self.name if language == ENGLISH else in_language(language, self.name, self.translations, "name")


Name = TypeVar("Name", bound=Named)


@dataclass(frozen=True)
class CategoryName(Named):
    path: str
    parent_id: int | None
    is_hidden: bool


@dataclass(frozen=True)
class AttributeName:
    """An attribute and its values by label, in English; values that read alike are one."""

    slug: str
    name: str
    translations: Translations
    values: dict[str, list[AttributeValue]]  # in the attribute's own order

    @property
    def shown_name(self) -> str:
        return translate(self.name, self.translations, "name")


@dataclass(frozen=True)
class FacetNames:
    categories: dict[int, CategoryName]
    brands: dict[int, Named]
    concerns: dict[int, Named]
    attributes: dict[str, AttributeName]  # by slug
    substances: dict[int, Named]
    _trees: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _scopes: dict[tuple[int, ...], frozenset[int]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def children(self) -> dict[int | None, list[CategoryName]]:
        """Those that shoppers may choose, by what they are in."""
        return {pk: [row for row in rows if not row.is_hidden] for pk, rows in self._everything_in.items()}

    @cached_property
    def _everything_in(self) -> dict[int | None, list[CategoryName]]:
        found: dict[int | None, list[CategoryName]] = {}
        for category in self.categories.values():
            found.setdefault(category.parent_id, []).append(category)
        return found

    def below(self, category_ids: Iterable[int]) -> list[int]:
        """These categories and everything in them, hidden ones too: their products are on sale."""
        return [pk for top in category_ids for pk in self._below(top)]

    def _scope(self, within: tuple[int, ...]) -> frozenset[int]:
        if within not in self._scopes:
            self._scopes[within] = frozenset(self.below(within))
        return self._scopes[within]

    def _below(self, top: int) -> tuple[int, ...]:
        if top not in self._trees:
            children = self._everything_in.get(top, [])
            self._trees[top] = (top, *(pk for child in children for pk in self._below(child.pk)))
        return self._trees[top]

    def category_ids(self, slugs: Iterable[str], *, within: Iterable[int] = ()) -> list[int]:
        """Categories with these slugs below `within` (default: anywhere); a slug may stand at several places."""
        scope = self._scope(tuple(within))
        return [pk for slug in slugs for pk in self.categories_by_slug.get(slug, []) if not scope or pk in scope]

    @cached_property
    def categories_by_slug(self) -> dict[str, list[int]]:
        """Those that are not hidden, nor below one that is."""
        found: dict[str, list[int]] = {}
        tops = list(self.children.get(None, []))
        while tops:
            for category in tops:
                found.setdefault(category.slug, []).append(category.pk)
            tops = [child for category in tops for child in self.children.get(category.pk, [])]
        return found

    @cached_property
    def brands_by_slug(self) -> dict[str, Named]:
        return {brand.slug: brand for brand in self.brands.values()}

    @cached_property
    def concerns_by_slug(self) -> dict[str, Named]:
        return {concern.slug: concern for concern in self.concerns.values()}

    @cached_property
    def substances_by_slug(self) -> dict[str, Named]:
        return {substance.slug: substance for substance in self.substances.values()}


@remembered(Change.Kind.SHOP)
def facet_names() -> FacetNames:
    """Six queries, when the shop has changed; each in the order that staff gave."""
    attributes: dict[int, AttributeName] = {}
    for pk, slug, name, translations in Attribute.objects.values_list("pk", "slug", "name", "translations"):
        attributes[pk] = AttributeName(slug, name, translations, {})
    for value in AttributeValue.objects.order_by("attribute__position", "position", "value", "pk"):
        attributes[value.attribute_id].values.setdefault(value.label, []).append(value)
    columns = ("pk", "slug", "name", "translations")
    places = Category.objects.order_by("position", "name").values_list(*columns, "path", "parent_id", "is_hidden")
    return FacetNames(
        categories={row[0]: CategoryName(*row) for row in places},
        brands={row[0]: Named(*row) for row in Brand.objects.order_by("name").values_list(*columns)},
        concerns={row[0]: Named(*row) for row in HealthConcern.objects.values_list(*columns)},
        attributes={attribute.slug: attribute for attribute in attributes.values()},
        substances={row[0]: Named(*row) for row in Substance.objects.order_by("name").values_list(*columns)},
    )


@remembered(Change.Kind.SHOP)
def concerns_with_pictures() -> list[HealthConcern]:
    """All concerns in the order that staff gave, with their pictures."""
    return list(HealthConcern.objects.select_related("image"))


def named(rows: Iterable[Name], asked: Sequence[str]) -> list[Name]:
    """Those with one of these slugs, or exact names in any case, in English or in the active language."""
    wanted = {name.strip().lower() for name in asked}
    return [row for row in rows if not wanted.isdisjoint((row.slug, row.name.lower(), row.shown_name.lower()))]


def slugs_named(rows: Iterable[Named], asked: Sequence[str]) -> tuple[str, ...]:
    """Raises UnknownName where none of those asked for exists."""
    found = tuple(row.slug for row in named(rows, asked))
    if asked and not found:
        raise UnknownName
    return found


def country_name(code: str) -> str:
    """In the active language; the code where nobody knows its name."""
    return country_names(get_language() or ENGLISH).get(code, code)
