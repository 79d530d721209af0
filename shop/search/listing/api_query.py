"""What a call asks for: its names, slugs or exact names in any case, as a listing."""

from collections.abc import Sequence

from ..facets.base import UnknownName
from ..facets.kinds.category import categories_of_api
from ..facets.labels import Named, facet_names, named
from ..facets.registry import FACETS
from ..facets.selection import FacetSelection, listing_words
from ..schemas import CategoryProducts
from .services import ListingQuery


def query_of_api(body: CategoryProducts) -> ListingQuery:
    """A listing of the category, or of the whole shop, narrowed by everything else; a name that does not
    exist lists nothing."""
    try:
        place, _ = categories_of_api(body)
        chosen = {name: value for facet in FACETS for name, value in facet.read_api(body).items() if value}
    except UnknownName:
        return ListingQuery(is_nothing=True)
    return ListingQuery(
        categories=tuple(place),
        query=listing_words(body.query),
        filters=FacetSelection(chosen),
        sort=body.sort,
        page=body.page,
    )


def brands_named(asked: Sequence[str]) -> tuple[Named, ...]:
    return tuple(named(facet_names().brands.values(), asked))
