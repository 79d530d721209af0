"""What a call asks for: its names, slugs or exact names in any case, as a listing."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ..facets.labels import CategoryName, Named, facet_names
from ..facets.selection import Filters, known_attributes, listing_words
from ..schemas import CategoryProducts
from .services import ListingQuery

NOTHING = ListingQuery(is_nothing=True)
Name = TypeVar("Name", bound=Named)


def query_of_api(body: CategoryProducts) -> ListingQuery:
    """A listing of the category, or of the whole shop, narrowed by everything else; a name that does not
    exist lists nothing."""
    place, chosen = _categories(body)
    concerns = _named(facet_names().concerns.values(), body.concern)
    branded = brands_named(body.brand)
    attributes = _attributes(body)
    named = [(body.concern, concerns), (body.brand, branded), (body.attributes, attributes)]
    if place is None or any(names and not found for names, found in named) or len(attributes) < len(body.attributes):
        return NOTHING
    return ListingQuery(
        categories=tuple(place),
        query=listing_words(body.query),
        filters=Filters(
            concerns=tuple(concern.slug for concern in concerns),
            categories=tuple(dict.fromkeys(category.slug for category in chosen)),
            brands=tuple(brand.slug for brand in branded),
            attributes=attributes,
            origins=tuple(dict.fromkeys(code.upper() for code in body.origin)),
            price_min=body.price.min,
            price_max=body.price.max,
        ),
        sort=body.sort,
        page=body.page,
    )


def brands_named(names: Sequence[str]) -> tuple[Named, ...]:
    return tuple(_named(facet_names().brands.values(), names))


def _categories(body: CategoryProducts) -> tuple[list[CategoryName] | None, list[CategoryName]]:
    """The categories that the listing stands in (none: the whole shop) and those it is narrowed to; None as the
    first where a name does not exist."""
    place: list[CategoryName] = []
    chosen: list[CategoryName] = []
    reached = facet_names().children.get(None, [])
    if body.category:
        reached = place = _named(reached, [body.category])
    below = _children(reached)
    if body.sub_category:
        reached = chosen = _named(below, body.sub_category)
        below = _children(reached)
    elif body.child_category:
        below = [*below, *_children(below)]
    if body.child_category:
        place, chosen = (chosen or place), _named(below, body.child_category)
        reached = chosen
    return (place, chosen) if reached else (None, [])


def _children(categories: Iterable[CategoryName]) -> list[CategoryName]:
    children = facet_names().children
    return [child for category in categories for child in children.get(category.pk, [])]


def _named(rows: Iterable[Name], names: Sequence[str]) -> list[Name]:
    spellings = {name.strip().lower() for name in names}
    return [row for row in rows if row.slug in spellings or row.name.lower() in spellings]


def _attributes(body: CategoryProducts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = facet_names()
    by_name = {name: row.slug for row in names.attributes.values() for name in (row.name.lower(), row.slug)}
    requested = {
        slug: [value.strip() for value in values]
        for name, values in body.attributes.items()
        if (slug := by_name.get(name.strip().lower()))
    }
    return known_attributes(requested, names)
