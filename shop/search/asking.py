"""What a call asks for: its names, slugs or exact names in any case, as a listing."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from .facet_names import Named, facet_names
from .filters import Filters, known_attributes, listing_words
from .listing import Asked
from .schemas import CategoryProducts

NOTHING = Asked(is_nothing=True)
Name = TypeVar("Name", bound=Named)


def asked_by_call(body: CategoryProducts) -> Asked:
    """A listing of the category, narrowed by everything else; a name that does not exist lists nothing."""
    names = facet_names()
    levels = [_named(names.children.get(None, []), [body.category])]
    for asked in (body.sub_category, body.child_category):
        if asked:
            levels.append(_named([child for node in levels[-1] for child in names.children.get(node.pk, [])], asked))
    place = levels[-2] if len(levels) > 1 else levels[-1]
    chosen = levels[-1] if len(levels) > 1 else []
    concerns = _named(names.concerns.values(), body.concern)
    branded = brands_named(body.brand)
    attributes = _attributes(body)
    found = [*levels, *([concerns] if body.concern else []), *([branded] if body.brand else [])]
    if not all(found) or len(attributes) < len([values for values in body.attributes.values() if values]):
        return NOTHING
    return Asked(
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


def brands_named(asked: Sequence[str]) -> tuple[Named, ...]:
    return tuple(_named(facet_names().brands.values(), asked))


def _named(rows: Iterable[Name], asked: Sequence[str]) -> list[Name]:
    wanted = {name.lower() for name in asked}
    return [row for row in rows if row.slug in wanted or row.name.lower() in wanted]


def _attributes(body: CategoryProducts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = facet_names()
    by_name = {name: row.slug for row in names.attributes.values() for name in (row.name.lower(), row.slug)}
    asked = {by_name[name.lower()]: values for name, values in body.attributes.items() if name.lower() in by_name}
    return known_attributes(asked, names)
